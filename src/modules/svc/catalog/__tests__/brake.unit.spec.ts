import { Brake } from "../brake"

const first = { count: 100, isPart: false }
const part = { count: 25, isPart: true }
const alone = { count: 1, isPart: true }

/** Failed calls one after the other until no further one is made. */
function callsUntilOn(brake: Brake, call: () => void): number {
  for (let calls = 1; calls <= 100; calls++) {
    call()
    if (brake.isOn) return calls
  }
  return Number.POSITIVE_INFINITY
}

describe("the brake of a run", () => {
  it("is on after three calls of which nobody knows whose fault they were", () => {
    const brake = new Brake(null)
    expect(callsUntilOn(brake, () => brake.unclear(first))).toBe(3)
  })

  it("leaves time to find bad neighbours while others pass, and none where nothing does", () => {
    const brake = new Brake(null)
    brake.accepted()
    expect(callsUntilOn(brake, () => brake.unclear(part))).toBe(8)
    const nothing = new Brake(null)
    expect(callsUntilOn(nothing, () => nothing.unclear(part))).toBe(3)
  })

  it("leaves time to halve a batch that is refused, and is on where everything is", () => {
    const brake = new Brake(null)
    const calls = callsUntilOn(brake, () => brake.refused())
    expect(calls).toBeGreaterThan(2 * Math.ceil(Math.log2(100)))
    expect(calls).toBeLessThanOrEqual(20)
    const whole = new Brake(null)
    expect(callsUntilOn(whole, () => whole.refused({ whole: true }))).toBe(3)
  })

  it("blames a product that stands alone while others pass, and nobody where nothing was taken", () => {
    const brake = new Brake(null)
    brake.accepted()
    expect(brake.unclear(alone)).toBe(true)
    const idle = new Brake(null)
    expect(idle.unclear(alone)).toBe(false)
    expect(idle.isOn).toBe(true)
  })

  it("is off again with each product that is taken", () => {
    const brake = new Brake(null)
    for (let calls = 0; calls < 100; calls++) {
      brake.unclear(first)
      brake.refused()
      brake.accepted()
      expect(brake.isOn).toBe(false)
    }
  })

  it("probes after a hold: one failure shows that the service is still away, two refusals that it takes nothing", () => {
    const service = new Brake("service")
    expect(service.isProbing).toBe(true)
    expect(callsUntilOn(service, () => service.unclear(first))).toBe(1)
    const refusals = new Brake("refusals")
    expect(callsUntilOn(refusals, () => refusals.refused())).toBe(2)
    // It reads what it is sent: it is there again.
    const there = new Brake("service")
    there.refused()
    expect([there.isProbing, there.isOn]).toEqual([false, false])
  })
})
