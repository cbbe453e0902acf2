import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import type { Change, Family } from "../../../../contract"
import { applyWrite, listedAt, type Merged, shows, type Write } from "../merge"
import { readWrite } from "../read-write"

function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length <= 1) yield items
  for (const [index, item] of items.entries()) {
    const rest = [...items.slice(0, index), ...items.slice(index + 1)]
    for (const tail of permutations(rest)) yield [item, ...tail]
  }
}

const CHANGES: Change[] = ["created", "updated", "deleted"]

function event(change: Change, occurredAt: number, name: string, family: Family = "live") {
  const read = readWrite({
    entity: "event",
    family,
    change,
    occurredAt,
    data: { event: { id: "event-1", campaignId: "campaign-1", eventName: name } },
  })
  if (!read.ok || read.entity !== "event") throw new Error("The test's own event is not readable.")
  return read.write
}

/** Writes of one record. Few moments and few names, so that ties and equal data are common. */
const history = (size: { minLength: number; maxLength: number }) =>
  fc.array(
    fc
      .record({
        change: fc.constantFrom(...CHANGES),
        occurredAt: fc.integer({ min: 1000, max: 1003 }),
        name: fc.constantFrom("name 0", "name 1", "name 2"),
      })
      .map(({ change, occurredAt, name }) => event(change, occurredAt, name)),
    size,
  )

const mergeAll = <C>(writes: Write<C>[]): Merged<C> | null =>
  writes.reduce<Merged<C> | null>(applyWrite, null)

/** What anyone can see of a record. */
const visible = (record: Merged<unknown> | null) =>
  record && {
    content: record.content,
    occurredAt: record.occurredAt,
    rank: record.rank,
    aliveAt: record.aliveAt,
    tied: record.tied,
  }

describe("merging the deliveries of a record", () => {
  it("ends the same for every order of every random history, duplicates and ties included", () => {
    const withRepeats = history({ minLength: 2, maxLength: 5 }).chain((writes) =>
      fc.tuple(fc.constant(writes), fc.subarray(writes)),
    )
    let orders = 0
    fc.assert(
      fc.property(withRepeats, ([writes, repeated]) => {
        const duplicated = [...writes, ...repeated].slice(0, 6)
        const expected = JSON.stringify(visible(mergeAll(writes)))
        const different = [...permutations(writes), ...permutations(duplicated)].filter((order) => {
          orders += 1
          return JSON.stringify(visible(mergeAll(order))) !== expected
        })
        expect(different).toEqual([])
      }),
      runs(400),
    )
    expect(orders).toBeGreaterThan(50_000)
  })

  it("gives the same end whether the writes came one by one or merged in two parts", () => {
    fc.assert(
      fc.property(history({ minLength: 6, maxLength: 6 }), fc.nat({ max: 6 }), (writes, cut) => {
        const again = [...writes.slice(cut), ...writes.slice(0, cut), ...writes]
        expect(visible(mergeAll(again))).toEqual(visible(mergeAll(writes)))
      }),
      runs(500),
    )
  })

  it("keeps the record itself when a write tells nothing new", () => {
    const record = mergeAll([event("created", 1, "a"), event("updated", 2, "b")])
    if (!record) throw new Error("nothing merged")
    expect(applyWrite(record, event("updated", 2, "b"))).toBe(record)
    expect(applyWrite(record, event("created", 1, "a"))).toBe(record)
  })

  it("brings nothing back with an update that is older than the deletion", () => {
    const deleted = event("deleted", 5, "a")
    const record = mergeAll([event("created", 1, "a"), deleted, event("updated", 4, "late")])
    expect(record && shows(record, deleted)).toBe(true)
  })

  it("believes an update that is later than the deletion", () => {
    const back = event("updated", 6, "back")
    const record = mergeAll([event("deleted", 5, "a"), back])
    expect(record && shows(record, back)).toBe(true)
  })

  it("lets a deletion win within one millisecond, and flags the tie for a re-read", () => {
    const deleted = event("deleted", 5, "a")
    const record = mergeAll([deleted, event("updated", 5, "b")])
    expect(record && shows(record, deleted)).toBe(true)
    expect(record?.tied).toBe(true)
    expect(mergeAll([deleted, deleted])?.tied).toBe(false)
    expect(mergeAll([deleted, event("updated", 5, "b"), event("updated", 6, "c")])?.tied).toBe(
      false,
    )
  })

  it("remembers the last sign of life under a tombstone", () => {
    const writes = [event("updated", 3, "b"), event("deleted", 9, "b"), event("created", 1, "a")]
    for (const order of permutations(writes)) expect(mergeAll(order)?.aliveAt).toBe(3)
  })
})

describe("placing what a listing shows among the deliveries (gap 20)", () => {
  const listing = { startedAt: 1_000_000, asOf: 900_000 }
  const known = (changes: Partial<Parameters<typeof listedAt>[0] & object> = {}) => ({
    occurredAt: 500_000,
    rank: 1,
    hash: "h",
    tied: false,
    writtenAt: 600_000,
    ...changes,
  })

  it("takes an unknown event as of the earliest moment that the listing can speak of", () => {
    expect(listedAt(null, listing)).toBe(900_000)
  })

  it("corrects what was written before it was asked for, so that a later delivery still wins", () => {
    expect(listedAt(known(), listing)).toBe(900_000)
    expect(listedAt(known({ occurredAt: 990_000 }), listing)).toBe(990_001)
  })

  it("leaves alone what was written since, or a moment before", () => {
    expect(listedAt(known({ writtenAt: 1_000_001 }), listing)).toBeNull()
    expect(listedAt(known({ writtenAt: 999_000 }), listing)).toBeNull()
  })

  it("has to be much surer to bring back what a delivery said is gone", () => {
    const gone = { rank: 2, writtenAt: 800_000 }
    expect(listedAt(known(gone), listing)).toBeNull()
    expect(listedAt(known({ ...gone, writtenAt: 600_000 }), listing)).toBe(900_000)
  })
})
