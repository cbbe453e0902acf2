import { generateEntityId } from "@medusajs/framework/utils"
import { ulidFloor } from "../ulid"

describe("the smallest id of a moment", () => {
  it("divides Medusa's ids by the time at which they were made", () => {
    const before = new Date(Date.now() - 1)
    const id = generateEntityId(undefined, "order")
    const next = new Date(Date.now() + 1)
    expect(id > `order_${ulidFloor(before)}`).toBe(true)
    expect(id < `order_${ulidFloor(next)}`).toBe(true)
  })

  it("is as long as an id, also for the beginning of time", () => {
    expect(ulidFloor(new Date(0))).toBe("0".repeat(26))
    expect(ulidFloor(new Date(-5))).toBe("0".repeat(26))
    expect(ulidFloor(new Date("2026-11-21T20:00:00Z"))).toHaveLength(26)
  })
})
