import { JobSchedule } from "../job-schedule"

const START = Date.now()
const at = (seconds: number) => new Date(START + seconds * 1000)

/** One process of a store; the cursor is a row that all of them share. Seconds are those of the database's clock. */
function aProcess(shared: { position: Date | null }, aheadS = 0) {
  const scheduled: number[] = []
  const warnings: string[] = []
  let databaseNow = at(0)
  const schedule = new JobSchedule(
    {
      ageMs: async () =>
        shared.position
          ? databaseNow.getTime() - shared.position.getTime()
          : Number.POSITIVE_INFINITY,
      moveToNow: async () => {
        shared.position = databaseNow
      },
    },
    { warn: (text: string) => warnings.push(text), error: () => undefined } as never,
    async () => void scheduled.push(1),
  )
  const ownNow = (seconds: number) => {
    databaseNow = at(seconds)
    return at(seconds + aheadS)
  }
  const process = {
    started: (seconds: number) => schedule.started(ownNow(seconds)),
    passed: (seconds: number) => schedule.minutePassed(ownNow(seconds)),
    look: (seconds: number) => {
      process.passed(seconds)
      return schedule.look(ownNow(seconds))
    },
    ran: (seconds: number) => {
      ownNow(seconds)
      return schedule.ran()
    },
    silentMs: (seconds: number) => schedule.silentMs(ownNow(seconds)),
  }
  return { process, scheduled, warnings }
}

describe("the schedule of the jobs", () => {
  it("is left alone while jobs run, whoever runs them", async () => {
    const shared = { position: null }
    const [one, other] = [aProcess(shared), aProcess(shared)]
    for (let minute = 1; minute < 10; minute += 1) {
      await other.process.ran(minute * 60)
      expect(await one.process.look(minute * 60 + 59)).toBe(false)
    }
    expect(one.scheduled).toEqual([])
  })

  /** Looks each minute. @returns the seconds at which the jobs were scheduled again */
  async function looksOn(
    { look }: ReturnType<typeof aProcess>["process"],
    from: number,
    until: number,
  ): Promise<number[]> {
    const again: number[] = []
    for (let now = from; now <= until; now += 60) if (await look(now)) again.push(now)
    return again
  }

  it("is made again when a quarter of an hour passed without a job, and says so, once for each time", async () => {
    const { process, scheduled, warnings } = aProcess({ position: null })
    await process.ran(0)
    expect(await looksOn(process, 59, 1_790)).toEqual([959])
    expect(scheduled).toHaveLength(1)
    expect(warnings).toEqual([
      expect.stringMatching(/no job has run for 16 minutes.+A job that takes that long.+Redis/),
    ])
  })

  it("is left alone while one of the night's jobs, or one of the store's own, takes ten minutes", async () => {
    const { process, warnings } = aProcess({ position: null })
    await process.ran(0)
    expect(await looksOn(process, 59, 620)).toEqual([])
    await process.ran(640)
    expect(await looksOn(process, 659, 1_500)).toEqual([])
    expect(warnings).toEqual([])
  })

  it("is not missed by a process that has just started after a long night", async () => {
    const { process } = aProcess({ position: at(-36_000) })
    expect(await process.look(60)).toBe(false)
  })

  it("is not missed by a process that stood still itself, as on a machine that slept", async () => {
    const { process, warnings } = aProcess({ position: null })
    await process.ran(0)
    await process.look(60)
    // It slept, and has been awake for less than a quarter of an hour at 1,440.
    expect(await looksOn(process, 600, 1_440)).toEqual([])
    expect(warnings).toEqual([])
    expect(await process.look(1_500)).toBe(true)
  })

  it("is missed by a process that started while its clock was years ahead, once that is right", async () => {
    const { process } = aProcess({ position: null })
    process.passed(100_000_000)
    await process.ran(0)
    expect(await looksOn(process, 60, 960)).toEqual([960])
    expect(await process.silentMs(960)).toBe(900_000)
  })

  it("is told for how long no job has run anywhere, as far as the process was there", async () => {
    const shared = { position: at(-36_000) }
    const { process } = aProcess(shared)
    process.started(0)
    expect(await process.silentMs(60)).toBe(60_000)
    await aProcess(shared).process.ran(30)
    expect(await process.silentMs(60)).toBe(30_000)
    // Scheduling the jobs again is none that ran.
    expect(await looksOn(process, 60, 960)).toEqual([960])
    expect(await process.silentMs(1_020)).toBe(990_000)
    // The machine slept. A process that runs no jobs does not look for them, and has slept all the same.
    process.passed(3_000)
    expect(await process.silentMs(3_060)).toBe(60_000)
  })

  it("is told by the database's clock where those of processes differ", async () => {
    const shared = { position: null }
    const [worker, server] = [aProcess(shared, -3_600), aProcess(shared, 1_200)]
    worker.process.started(0)
    server.process.started(0)
    await worker.process.ran(600)
    expect(await server.process.silentMs(660)).toBe(60_000)
    expect(await worker.process.silentMs(660)).toBe(60_000)
  })
})
