import { newId } from "../new-id"

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
