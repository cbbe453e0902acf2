/** The clock that can be turned. */

import { Clock, parseDuration } from "../simulation/clock"

const T0 = Date.UTC(2026, 0, 1)

function stopped(): Clock {
  const clock = new Clock()
  clock.stop(T0)
  return clock
}

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

test("each call in flight has the whole patience, also one that began while another went on", async () => {
  jest.useFakeTimers()
  const clock = stopped()
  const call = (ms: number) =>
    clock
      .track(new Promise<void>((resolve) => setTimeout(resolve, ms)))
      .then(() => clock.now() - T0)
  const seen: Promise<number>[] = [call(6_000)]
  setTimeout(() => seen.push(call(6_000)), 5_000)
  const moved = clock.moveTo(T0 + 30_000, 10_000)
  await jest.advanceTimersByTimeAsync(60_000)
  await moved
  expect(await Promise.all(seen)).toEqual([0, 0])
  // One that takes longer than that is not waited for.
  const late = call(11_000)
  const on = clock.moveTo(T0 + 60_000, 10_000)
  await jest.advanceTimersByTimeAsync(60_000)
  await on
  expect(await late).toBe(60_000)
  jest.useRealTimers()
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

test("durations are ms or text", () => {
  const read = ["90s", "30m", "1h", "2d", "250ms", "1.5h", 42].map(parseDuration)
  expect(read).toEqual([90_000, 1_800_000, 3_600_000, 172_800_000, 250, 5_400_000, 42])
  for (const bad of ["", "soon", "-1s", "1 year", -1, Number.NaN]) {
    expect(parseDuration(bad)).toBeNull()
  }
})
