import { generateEntityId } from "@medusajs/framework/utils"
import { newId, ulidFloor } from "../ulid"

describe("a new id", () => {
  it("is a prefix and a ULID, in the order of time, and none comes twice", () => {
    const ids = Array.from({ length: 2_000 }, (_, ms) => newId("svcdel", 1_800_000_000_000 + ms))
    for (const id of ids) expect(id).toMatch(/^svcdel_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(Array.from({ length: 2_000 }, () => newId("x", 5))).size).toBe(2_000)
    // The example of the ULID specification's time.
    expect(newId("x", 1_469_918_176_385).slice(2, 12)).toBe("01ARYZ6S41")
  })
})

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
