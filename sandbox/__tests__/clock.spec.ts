/** The clock that can be turned. */

import { Clock, parseDuration } from "../simulation/clock"

const T0 = Date.UTC(2026, 0, 1)

function stopped(): Clock {
  const clock = new Clock()
  clock.stop(T0)
  return clock
}

test("timers run in order of time, then of their making, each at its own moment", async () => {
  const clock = stopped()
  const log: [string, number][] = []
  const note = (name: string) => () => {
    log.push([name, clock.now() - T0])
  }
  for (const [name, at] of [
    ["c", 30],
    ["a", 10],
    ["b1", 20],
    ["b2", 20],
    ["late", 5000],
  ] as const) {
    clock.schedule(T0 + at, note(name))
  }
  await clock.moveTo(T0 + 100)
  expect(log).toEqual([
    ["a", 10],
    ["b1", 20],
    ["b2", 20],
    ["c", 30],
  ])
  expect(clock.now()).toBe(T0 + 100)
  expect(clock.pending()).toEqual({ count: 1, nextAt: T0 + 5000 })
})

test("what a timer starts is awaited before time moves on", async () => {
  const clock = stopped()
  const log: string[] = []
  clock.schedule(T0 + 10, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    log.push(`first done at ${clock.now() - T0}`)
    clock.schedule(T0 + 15, () => {
      log.push(`made by the first, at ${clock.now() - T0}`)
    })
  })
  clock.schedule(T0 + 20, () => {
    log.push(`second at ${clock.now() - T0}`)
  })
  await clock.moveTo(T0 + 100)
  expect(log).toEqual(["first done at 10", "made by the first, at 15", "second at 20"])
})

test("what does not end is waited for no longer than the grace", async () => {
  const clock = stopped()
  void clock.track(new Promise(() => undefined))
  let rang = false
  clock.schedule(T0 + 10, () => {
    rang = true
  })
  await clock.moveTo(T0 + 10, 20)
  expect([rang, clock.inFlight]).toEqual([true, 1])
})

test("a cancelled timer does not run and does not count", async () => {
  const clock = stopped()
  const timer = clock.schedule(T0 + 10, () => {
    throw new Error("cancelled")
  })
  clock.cancel(timer)
  expect(clock.pending()).toEqual({ count: 0, nextAt: null })
  await clock.runUntilIdle()
  expect(clock.now()).toBe(T0)
})

test("two commands at once do not overtake each other", async () => {
  const clock = stopped()
  const seen: number[] = []
  for (const at of [10, 20, 30, 40]) {
    clock.schedule(T0 + at, () => {
      seen.push(clock.now() - T0)
    })
  }
  await Promise.all([clock.moveTo(T0 + 40), clock.moveTo(T0 + 20)])
  expect(seen).toEqual([10, 20, 30, 40])
  expect(clock.now()).toBe(T0 + 40)
})

test("two advances at once add up, whatever the first still waits for", async () => {
  const clock = stopped()
  clock.track(new Promise((resolve) => setTimeout(resolve, 20)))
  await Promise.all([clock.advance(1000), clock.advance(1000)])
  expect(clock.now()).toBe(T0 + 2000)
})

test("a stopped clock stands still; a running one keeps real time from where it was", async () => {
  const clock = stopped()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(clock.now()).toBe(T0)
  clock.run()
  const rang = new Promise<number>((resolve) => {
    clock.schedule(T0 + 30, () => resolve(clock.now()))
  })
  expect(await rang).toBeGreaterThanOrEqual(T0 + 30)
  clock.reset()
})

test("a running clock can be moved ahead, and runs what falls due", async () => {
  const clock = new Clock()
  let rang = false
  clock.schedule(clock.now() + 3_600_000, () => {
    rang = true
  })
  const before = Date.now()
  await clock.moveTo(clock.now() + 7_200_000)
  expect(rang).toBe(true)
  expect(clock.running).toBe(true)
  expect(clock.now() - before).toBeGreaterThanOrEqual(7_200_000)
  clock.reset()
})

test("durations are ms or text", () => {
  const read = ["90s", "30m", "1h", "2d", "250ms", "1.5h", 42].map(parseDuration)
  expect(read).toEqual([90_000, 1_800_000, 3_600_000, 172_800_000, 250, 5_400_000, 42])
  for (const bad of ["", "soon", "-1s", "1 year", -1, Number.NaN]) {
    expect(parseDuration(bad)).toBeNull()
  }
})
