import { Semaphore } from "../semaphore"

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("the semaphore before the database", () => {
  it("lets no more run than it is wide, in the order of arrival", async () => {
    const semaphore = new Semaphore(3)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const never = new AbortController().signal
    const all = Array.from({ length: 8 }, (_, index) =>
      semaphore.run(async () => {
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
    const semaphore = new Semaphore(1)
    const never = new AbortController().signal
    const patience = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const first = semaphore.run(() => new Promise((_resolve, reject) => (fail = reject)), never)
    let begun = false
    const second = semaphore.run(async () => {
      begun = true
    }, patience.signal)
    const third = semaphore.run(async () => "third", never)
    patience.abort()
    fail(new Error("broken"))
    await expect(first).rejects.toThrow("broken")
    expect(await second).toBeNull()
    expect(await third).toBe("third")
    expect(begun).toBe(false)
  })
})
