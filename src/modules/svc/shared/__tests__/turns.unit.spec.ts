import { setTimeout as sleep } from "node:timers/promises"
import { createTurns } from "../turns"

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
const quiet = () => sleep(20)

describe("turns", () => {
  it("lets a few in at a time, in the order in which they asked", async () => {
    const turn = createTurns(2)
    const gates = ["a", "b", "c", "d"].map((id) => ({ id, ...gate() }))
    const inside: string[] = []
    const all = gates.map(({ id, opened }) =>
      turn(async () => {
        inside.push(id)
        await opened
      }),
    )
    await quiet()
    expect(inside).toEqual(["a", "b"])
    gates[1]?.open()
    await quiet()
    expect(inside).toEqual(["a", "b", "c"])
    for (const { open } of gates) open()
    await Promise.all(all)
    expect(inside).toEqual(["a", "b", "c", "d"])
  })

  it("passes the turn on when somebody fails", async () => {
    const turn = createTurns(1)
    const failing = turn(() => Promise.reject(new Error("no")))
    const next = turn(async () => "done")
    await expect(failing).rejects.toThrow("no")
    await expect(next).resolves.toBe("done")
  })
})
