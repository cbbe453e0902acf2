import { JobSchedule } from "../job-schedule"

const START = Date.now()
const at = (seconds: number) => new Date(START + seconds * 1000)

/** One process of a store; the cursor is a row that all of them share. */
function aProcess(shared: { position: Date | null }) {
  const scheduled: number[] = []
  const warnings: string[] = []
  const schedule = new JobSchedule(
    {
      position: async () => shared.position,
      moveTo: async (_, position) => {
        if (position instanceof Date) shared.position = position
      },
    },
    { warn: (text: string) => warnings.push(text), error: () => undefined } as never,
    async () => void scheduled.push(1),
  )
  return { schedule, scheduled, warnings }
}

describe("the schedule of the jobs", () => {
  it("is left alone while jobs run, whoever runs them", async () => {
    const shared = { position: null }
    const [one, other] = [aProcess(shared), aProcess(shared)]
    for (let minute = 1; minute < 10; minute += 1) {
      await other.schedule.ran(at(minute * 60))
      expect(await one.schedule.look(at(minute * 60 + 59))).toBe(false)
    }
    expect(one.scheduled).toEqual([])
  })

  it("is made again when two minutes passed without a job, and says so, once for each time", async () => {
    const { schedule, scheduled, warnings } = aProcess({ position: null })
    await schedule.ran(at(0))
    expect(await schedule.look(at(149))).toBe(false)
    expect(await schedule.look(at(151))).toBe(true)
    expect(scheduled).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining("no job has run for 3 minutes")])
    // The next job comes with the next full minute.
    expect(await schedule.look(at(211))).toBe(false)
  })

  it("is not missed by a process that has just started after a long night", async () => {
    const { schedule } = aProcess({ position: at(-36_000) })
    expect(await schedule.look(at(60))).toBe(false)
  })

  it("is not missed by a process that stood still itself, as on a machine that slept", async () => {
    const { schedule, warnings } = aProcess({ position: null })
    await schedule.ran(at(0))
    await schedule.look(at(60))
    expect(await schedule.look(at(600))).toBe(false)
    expect(await schedule.look(at(660))).toBe(false)
    expect(warnings).toEqual([])
    expect(await schedule.look(at(720))).toBe(false)
    expect(await schedule.look(at(780))).toBe(true)
  })
})
