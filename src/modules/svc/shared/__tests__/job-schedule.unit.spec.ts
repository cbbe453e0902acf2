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

  it("is made again when two minutes passed without a job, and says so, once for each time", async () => {
    const { process, scheduled, warnings } = aProcess({ position: null })
    await process.ran(0)
    expect(await process.look(149)).toBe(false)
    expect(await process.look(151)).toBe(true)
    expect(scheduled).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining("no job has run for 3 minutes")])
    // The next job comes with the next full minute.
    expect(await process.look(211)).toBe(false)
  })

  it("is not missed by a process that has just started after a long night", async () => {
    const { process } = aProcess({ position: at(-36_000) })
    expect(await process.look(60)).toBe(false)
  })

  it("is not missed by a process that stood still itself, as on a machine that slept", async () => {
    const { process, warnings } = aProcess({ position: null })
    await process.ran(0)
    await process.look(60)
    expect(await process.look(600)).toBe(false)
    expect(await process.look(660)).toBe(false)
    expect(warnings).toEqual([])
    expect(await process.look(720)).toBe(false)
    expect(await process.look(780)).toBe(true)
  })

  it("is missed by a process that started while its clock was years ahead, once that is right", async () => {
    const { process } = aProcess({ position: null })
    process.passed(100_000_000)
    await process.ran(0)
    expect(await process.look(60)).toBe(false)
    expect(await process.look(120)).toBe(false)
    expect(await process.look(180)).toBe(false)
    expect(await process.look(240)).toBe(true)
    expect(await process.silentMs(240)).toBe(180_000)
  })

  it("is told for how long no job has run anywhere, as far as the process was there", async () => {
    const shared = { position: at(-36_000) }
    const { process } = aProcess(shared)
    process.started(0)
    expect(await process.silentMs(60)).toBe(60_000)
    await aProcess(shared).process.ran(30)
    expect(await process.silentMs(60)).toBe(30_000)
    // Scheduling the jobs again is none that ran.
    await process.look(120)
    expect(await process.look(240)).toBe(true)
    expect(await process.silentMs(300)).toBe(270_000)
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
