import { Gate } from "../gate"

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("the gate before the database", () => {
  it("lets no more run than it is wide, in the order of arrival", async () => {
    const gate = new Gate(3)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const never = new AbortController().signal
    const all = Array.from({ length: 8 }, (_, index) =>
      gate.run(async () => {
        begun.push(index)
        await new Promise<void>((resolve) => ends.push(resolve))
        return index
      }, never),
    )
    await turn()
    expect(begun).toEqual([0, 1, 2])
    while (ends.length > 0) {
      ends.shift()?.()
      await turn()
    }
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it("does not begin what was given up meanwhile, and passes the turn on after a failure", async () => {
    const gate = new Gate(1)
    const never = new AbortController().signal
    const patience = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const first = gate.run(() => new Promise((_resolve, reject) => (fail = reject)), never)
    let begun = false
    const second = gate.run(async () => {
      begun = true
    }, patience.signal)
    const third = gate.run(async () => "third", never)
    patience.abort()
    fail(new Error("broken"))
    await expect(first).rejects.toThrow("broken")
    expect(await second).toBeNull()
    expect(await third).toBe("third")
    expect(begun).toBe(false)
  })
})
