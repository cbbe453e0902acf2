import { FloodGuard } from "../flood"

const MINUTE = 60_000

const failing = (guard: FloodGuard, address: string, times: number, now: number) => {
  for (let time = 0; time < times; time += 1) guard.failed(address, now)
}

describe("holding back a flood (gap 15)", () => {
  it("lets an address fail now and then, and makes it wait after a hundred times in a minute", () => {
    const guard = new FloodGuard()
    failing(guard, "a", 99, 0)
    expect(guard.waitMs("a", 1_000)).toBe(0)
    failing(guard, "a", 1, 1_000)
    expect(guard.waitMs("a", 1_000)).toBe(59_000)
    expect(guard.waitMs("b", 1_000)).toBe(0)
    expect(guard.waitMs("a", MINUTE)).toBe(0)
  })

  it("never makes the service wait: who verified within the hour goes on", () => {
    const guard = new FloodGuard()
    guard.verified("gateway", 0)
    failing(guard, "gateway", 1_000, 1)
    expect(guard.waitMs("gateway", 2)).toBe(0)
    const later = 61 * MINUTE
    failing(guard, "gateway", 1_000, later)
    expect(guard.waitMs("gateway", later)).toBeGreaterThan(0)
  })

  it("forgets the oldest address rather than grow without end", () => {
    const guard = new FloodGuard()
    failing(guard, "first", 100, 0)
    expect(guard.waitMs("first", 1)).toBeGreaterThan(0)
    for (let index = 0; index < 10_000; index += 1) guard.failed(`spoofed ${index}`, 1)
    expect(guard.waitMs("first", 1)).toBe(0)
  })
})
