import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import type { Change } from "../../../../contract"
import {
  applyWrite,
  familiesContradict,
  isDeleted,
  isResend,
  type Merged,
  RANK,
  shows,
  type Write,
  withContent,
} from "../merge"

function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length <= 1) yield items
  for (const [index, item] of items.entries()) {
    const rest = [...items.slice(0, index), ...items.slice(index + 1)]
    for (const tail of permutations(rest)) yield [item, ...tail]
  }
}

type State = Write<string>

/** A change as a delivery tells it; its content is its data, so that equal hashes are equal content. */
const told = (
  change: Change,
  occurredAt: number,
  data: string,
  emission: string | null = `${change} ${data} at ${occurredAt}`,
): State => ({
  occurredAt,
  rank: RANK[change],
  hash: `hash of ${data}`,
  content: data,
  emission,
  source: "a delivery",
})

/** Fetches the content that a record lacks, as the writer does from the inbox. */
const completed = (record: Merged<string>): Merged<string> =>
  record.lacking ? withContent(record, record.lacking.hash.replace("hash of ", "")) : record

const mergeAll = (writes: Iterable<State>): Merged<string> | null => {
  let record: Merged<string> | null = null
  for (const write of writes) record = completed(applyWrite(record, write))
  return record
}

/** What anyone can see of a record. */
const visible = (record: Merged<string> | null) =>
  record && {
    content: record.content,
    deleted: isDeleted(record),
    occurredAt: record.occurredAt,
    aliveAt: record.aliveAt,
    doubtful: record.doubtful,
  }

const change = fc.constantFrom<Change>("created", "updated", "deleted")
// Few moments and few states, so that ties and equal data are common.
const moment = fc.integer({ min: 1000, max: 1004 })
const data = fc.constantFrom("a", "b", "c")

/** Each emission is one state, told at one time or, by an unkind service, at several. */
const perEmission = fc
  .array(fc.record({ change, data, at: moment, again: fc.option(moment) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((emissions) =>
    emissions.flatMap(({ change: kind, data: content, at, again }, index) => [
      told(kind, at, content, `emission ${index}`),
      ...(again === null ? [] : [told(kind, again, content, `emission ${index}`)]),
    ]),
  )
/** Every emission bears the id of the record (interface §6.2 rule 2). */
const perRecord = fc
  .array(fc.record({ change, data, at: moment }), { minLength: 1, maxLength: 5 })
  .map((changes) =>
    changes.map(({ change: kind, data: content, at }) => told(kind, at, content, "record")),
  )
/** No emission has an id, as in listings. */
const nameless = perRecord.map((writes) => writes.map((write) => ({ ...write, emission: null })))
/** Deliveries, and listings that were read among them. */
const listed = fc
  .tuple(
    perEmission,
    fc.array(
      fc.record({
        data,
        at: moment,
        since: moment,
        tentative: fc.boolean(),
        lean: fc.boolean(),
      }),
    ),
  )
  .map(([writes, looks]) => [
    ...writes,
    ...looks.map(
      ({ data: content, at, since, tentative, lean }): State => ({
        ...told("updated", at, content, null),
        earliest: Math.min(at, since),
        tentative,
        lean,
      }),
    ),
  ])
const history = fc
  .oneof(perEmission, perRecord, nameless, listed)
  .chain((writes) => fc.tuple(fc.constant(writes), fc.subarray(writes)))
  .map(([writes, repeated]) => [...writes, ...repeated].slice(0, 6))

describe("merging the deliveries of a record", () => {
  it("ends the same for every order of up to six deliveries, duplicates and ties included", () => {
    let orders = 0
    let certain = 0
    fc.assert(
      fc.property(history, (writes) => {
        const expected = JSON.stringify(visible(mergeAll(writes)))
        const seen = new Set<string>()
        for (const order of permutations(writes)) {
          orders += 1
          seen.add(JSON.stringify(visible(mergeAll(order))))
        }
        expect([...seen]).toEqual([expected])
        if (!mergeAll(writes)?.doubtful) certain += 1
      }),
      runs(Number(process.env.RECEIVER_MERGE_HISTORIES ?? 80)),
    )
    expect(orders).toBeGreaterThan(2_000)
    // Else it would hold because everything is flagged.
    expect(certain).toBeGreaterThan(10)
  })

  it("gives the same end whether the writes came one by one or merged in two parts", () => {
    fc.assert(
      fc.property(history, fc.nat(6), (writes, cut) => {
        const again = [...writes.slice(cut), ...writes.slice(0, cut), ...writes]
        expect(visible(mergeAll(again))).toEqual(visible(mergeAll(writes)))
      }),
      runs(1_000),
    )
  })

  it("keeps the record itself when a write tells nothing new", () => {
    const [first, second] = [told("created", 1, "a"), told("updated", 2, "b")]
    const record = mergeAll([first, second])
    if (!record) throw new Error("nothing merged")
    expect(applyWrite(record, second)).toBe(record)
    expect(applyWrite(record, first)).toBe(record)
  })

  it("brings nothing back with an update that is older than the deletion", () => {
    const deleted = told("deleted", 5, "a")
    const record = mergeAll([told("created", 1, "a"), deleted, told("updated", 4, "late")])
    expect(record && shows(record, deleted)).toBe(true)
    expect(record && shows(record, told("updated", 4, "late"))).toBe(false)
    expect(record?.doubtful).toBe(false)
  })

  it("believes an update that is later than the deletion", () => {
    const record = mergeAll([told("deleted", 5, "a"), told("updated", 6, "back")])
    expect(visible(record)).toMatchObject({ content: "back", deleted: false, aliveAt: 6 })
  })

  it("lets a deletion win within one millisecond, and flags the tie for a re-read (gap 3)", () => {
    const deleted = told("deleted", 5, "a")
    const tied = mergeAll([deleted, told("updated", 5, "b")])
    expect(visible(tied)).toMatchObject({ deleted: true, doubtful: true })
    expect(mergeAll([deleted, deleted])?.doubtful).toBe(false)
    expect(mergeAll([deleted, told("updated", 5, "b"), told("updated", 6, "c")])?.doubtful).toBe(
      false,
    )
    // The same state under two ids is no contradiction.
    expect(mergeAll([told("updated", 5, "b", "u1"), told("updated", 5, "b", "u2")])?.doubtful).toBe(
      false,
    )
  })

  it("keeps its sightings in one order, whichever came first", () => {
    const same = ["A2", null, "A1"].map((id) => told("updated", 5, "b", id))
    for (const order of permutations(same)) {
      const sightings = mergeAll(order)?.sightings.map(({ emission }) => emission)
      expect(sightings).toEqual([null, "A1", "A2"])
    }
  })

  it("remembers the last sign of life under a tombstone", () => {
    const writes = [told("updated", 3, "b"), told("deleted", 9, "b"), told("created", 1, "a")]
    for (const order of permutations(writes)) expect(mergeAll(order)?.aliveAt).toBe(3)
    expect(mergeAll([told("deleted", 9, "b")])?.aliveAt).toBeNull()
  })
})

describe("an old state that is sent again with a later time (gap 2)", () => {
  const first = told("updated", 1, "a", "u1")
  const second = told("updated", 2, "b", "u2")
  const again = told("updated", 9, "a", "u1")

  it("does not win over what was told meanwhile, in whatever order they come, and is flagged", () => {
    for (const order of permutations([first, second, again])) {
      expect(visible(mergeAll(order))).toMatchObject({ content: "b", doubtful: true })
    }
  })

  it("moves nothing where nothing else was told, so that a change that is still on its way wins", () => {
    const record = mergeAll([first, again])
    expect(visible(record)).toMatchObject({ content: "a", occurredAt: 1, doubtful: false })
    expect(visible(record && applyWrite(record, told("updated", 5, "c", "u3")))).toMatchObject({
      content: "c",
    })
  })

  it("is a new state where the id names the record, and is flagged there too", () => {
    const flips = [10, 20, 10].map((price, at) => told("updated", at, `price ${price}`, "record"))
    for (const order of permutations(flips)) {
      expect(visible(mergeAll(order))).toMatchObject({ content: "price 10", doubtful: true })
    }
    // Nothing came twice: nothing is open.
    const steps = [10, 20, 30].map((price, at) => told("updated", at, `price ${price}`, "record"))
    expect(visible(mergeAll(steps))).toMatchObject({ content: "price 30", doubtful: false })
  })

  it("is known as one, however it is timed, and nothing else is", () => {
    const record = mergeAll([first, second])
    expect(isResend(record, again)).toBe(true)
    expect(isResend(record, told("updated", 0, "a", "u1"))).toBe(true)
    expect(isResend(record, first)).toBe(false)
    expect(isResend(record, told("updated", 9, "a", "u9"))).toBe(false)
    expect(isResend(record, told("updated", 9, "c", "u1"))).toBe(false)
    expect(isResend(record, told("updated", 9, "a", null))).toBe(false)
    expect(isResend(null, again)).toBe(false)
    const nothing = mergeAll([told("updated", 1, "a", null)])
    expect(isResend(nothing, told("updated", 9, "a", null))).toBe(false)
  })

  it("is settled by a listing that is later than all of it", () => {
    const record = mergeAll([first, second, again, told("updated", 10, "b", null)])
    expect(visible(record)).toMatchObject({ content: "b", occurredAt: 10, doubtful: false })
    const other = mergeAll([first, second, again, told("updated", 10, "d", null)])
    expect(visible(other)).toMatchObject({ content: "d", doubtful: false })
    // A listing has no id: that it says the same again later leaves nothing open.
    expect(
      visible(
        mergeAll([
          told("updated", 1, "a", null),
          told("updated", 2, "b", "u2"),
          told("updated", 3, "a", null),
        ]),
      ),
    ).toMatchObject({ content: "a", doubtful: false })
  })
})

describe("what one listing alone showed (gap 20)", () => {
  /** A state that a listing showed at `last`, when `earliest - 1` was the latest that was known. */
  const glimpsed = (data: string, earliest: number, last: number): State => ({
    ...told("updated", last, data, null),
    earliest,
    source: null,
    tentative: true,
  })
  const first = told("created", 1, "a")
  const second = told("updated", 5, "b")

  it("is shown while no delivery tells of it", () => {
    const record = mergeAll([first, glimpsed("c", 2, 20)])
    expect(visible(record)).toMatchObject({ content: "c", occurredAt: 20, doubtful: false })
    expect(record?.aliveAt).toBe(20)
  })

  it("gives way to what was told after it, once a delivery tells when it was", () => {
    // A cache showed the first state; the delivery of it is late.
    for (const order of permutations([second, glimpsed("a", 6, 20), first])) {
      expect(visible(mergeAll(order))).toEqual({
        content: "b",
        deleted: false,
        occurredAt: 5,
        aliveAt: 5,
        // It may have come back to that state after all.
        doubtful: true,
      })
    }
  })

  it("stands where the delivery that tells of it is the latest", () => {
    const record = mergeAll([first, glimpsed("b", 2, 20), second])
    expect(visible(record)).toMatchObject({ content: "b", occurredAt: 5, doubtful: false })
  })

  it("is not explained by a deletion with the same data", () => {
    const record = mergeAll([told("deleted", 3, "a"), glimpsed("a", 4, 20)])
    expect(visible(record)).toMatchObject({ content: "a", deleted: false, occurredAt: 20 })
  })

  it("is doubtful where something is told of the time that the listing may speak of", () => {
    const listed = mergeAll([first, glimpsed("c", 2, 20)])
    const at = (occurredAt: number) =>
      visible(listed && applyWrite(listed, told("updated", occurredAt, "d")))
    expect(at(0)).toMatchObject({ content: "c", doubtful: false })
    expect(at(2)).toMatchObject({ content: "c", doubtful: true })
    expect(at(19)).toMatchObject({ content: "c", doubtful: true })
    expect(at(21)).toMatchObject({ content: "d", doubtful: false })
  })

  it("settles a contradiction of all that was known when it was read, and of nothing later", () => {
    const tie = [told("updated", 5, "b", "u1"), told("updated", 5, "c", "u2")]
    expect(mergeAll(tie)?.doubtful).toBe(true)
    const settled = mergeAll([...tie, glimpsed("c", 6, 20)])
    expect(visible(settled)).toMatchObject({ content: "c", occurredAt: 5, doubtful: false })
    // On its way when the listing was read, which may have come from a cache: it wins, and is read again.
    const late = settled && applyWrite(settled, told("updated", 10, "d"))
    expect(visible(late)).toMatchObject({ content: "d", occurredAt: 10, doubtful: true })
    expect(visible(late && applyWrite(late, glimpsed("d", 21, 30)))).toMatchObject({
      content: "d",
      doubtful: false,
    })
  })

  it("counts from the last listing that showed it, which has to be later than all that it settles", () => {
    const tie = [told("updated", 5, "b", "u1"), told("updated", 5, "c", "u2")]
    const looks = [glimpsed("c", 3, 4), glimpsed("c", 6, 20)]
    for (const order of permutations([...tie, ...looks])) {
      expect(mergeAll(order)?.doubtful).toBe(false)
    }
    expect(mergeAll([...tie, glimpsed("c", 3, 4)])?.doubtful).toBe(true)
    const again = mergeAll([...tie, ...looks])
    expect(again && applyWrite(again, glimpsed("c", 5, 19))).toBe(again)
  })

  it("is no match for a listing that was confirmed", () => {
    const confirmed = { ...glimpsed("a", 6, 20), tentative: false }
    const record = mergeAll([first, second, confirmed])
    expect(visible(record)).toMatchObject({ content: "a", occurredAt: 20, doubtful: false })
    // What one listing shows is not mistaken for what was confirmed, nor the reverse.
    expect(mergeAll([first, second, confirmed, glimpsed("a", 21, 30)])?.sightings).toHaveLength(4)
  })
})

describe("two families that told of one record (gap 6)", () => {
  const contradict = (one: State[], other: State[]): boolean => {
    const [first, second] = [mergeAll(one), mergeAll(other)]
    if (!first || !second) throw new Error("nothing merged")
    const [there, back] = [familiesContradict(first, second), familiesContradict(second, first)]
    expect(there).toBe(back)
    return there
  }
  const flips = (...times: number[]) => times.map((at) => told("updated", at, "a", "record"))

  it("contradict each other only where each may have shown it alive last", () => {
    expect(contradict([told("created", 1, "a")], [told("updated", 2, "b")])).toBe(false)
    expect(contradict([told("created", 2, "a")], [told("updated", 2, "b")])).toBe(true)
    // Back there unchanged under the record's own id, or the old state sent again with another time.
    expect(contradict(flips(1, 9), [told("updated", 5, "b")])).toBe(true)
    expect(contradict(flips(1, 9), [told("updated", 10, "b")])).toBe(false)
    expect(contradict(flips(6, 9), [told("updated", 5, "b")])).toBe(false)
    // One that was not the last does not count.
    expect(contradict([...flips(1, 9), told("updated", 12, "c")], [told("updated", 10, "b")])).toBe(
      false,
    )
  })

  it("count the last sign of life of each, as late as it may be", () => {
    expect(contradict([told("created", 1, "x"), ...flips(2, 9)], [told("updated", 5, "b")])).toBe(
      true,
    )
    expect(
      contradict([told("created", 1, "x"), told("updated", 9, "y")], [told("updated", 5, "b")]),
    ).toBe(false)
    // Seen in a listing that may be of any time since 3, beside a delivery of 5.
    const glimpse = { ...told("updated", 20, "a", null), earliest: 3, tentative: true }
    expect(contradict([told("created", 2, "a"), glimpse], [told("updated", 5, "b")])).toBe(true)
    // Surely alive since 10 and shown at 5, beside one that is shown at 7.
    const settled = { ...glimpse, earliest: 10 }
    expect(contradict([told("updated", 5, "a"), settled], [told("updated", 7, "b")])).toBe(true)
    expect(contradict([told("updated", 5, "a"), settled], [told("updated", 5, "b")])).toBe(false)
  })

  it("do not where one never showed it alive, and a deletion is no sign of life", () => {
    expect(contradict([told("deleted", 9, "a")], [told("updated", 5, "b")])).toBe(false)
    expect(contradict([told("deleted", 9, "a")], [told("deleted", 5, "b")])).toBe(false)
    const left = [told("created", 1, "a"), told("deleted", 9, "a")]
    expect(contradict(left, [told("updated", 5, "b")])).toBe(false)
  })

  it("are settled by a listing that shows what one of them has", () => {
    const seen = { ...told("updated", 20, "b", null), earliest: 10, source: null, tentative: true }
    expect(contradict(flips(1, 9), [told("updated", 5, "b"), seen])).toBe(false)
    expect(contradict(flips(1, 10), [told("updated", 5, "b"), seen])).toBe(true)
  })
})

describe("a creation and an update with equal data at one moment", () => {
  it("are no contradiction", () => {
    const record = mergeAll([told("created", 5, "b"), told("updated", 5, "b")])
    expect(visible(record)).toMatchObject({ content: "b", doubtful: false })
    const gone = mergeAll([told("updated", 5, "b"), told("deleted", 5, "b")])
    expect(visible(gone)).toMatchObject({ deleted: true, doubtful: true })
  })
})

describe("a record that was told of very often", () => {
  it("keeps the latest sightings, and shows the last", () => {
    const many = Array.from({ length: 40 }, (_, index) => told("updated", index, `state ${index}`))
    const record = mergeAll(many)
    expect(record?.sightings).toHaveLength(16)
    expect(record?.sightings.map(({ last }) => last)).toEqual(
      Array.from({ length: 16 }, (_, index) => 39 - index),
    )
    expect(visible(record)).toMatchObject({ content: "state 39", doubtful: false })
  })

  it("says what it lacks where an earlier change is the latest after all, and shows it as soon as it has it", () => {
    // The re-send comes first, so that what was told meanwhile loses; then its true time becomes known.
    const [again, meanwhile, first] = [
      told("updated", 9, "a", "u1"),
      told("updated", 5, "b", "u2"),
      told("updated", 1, "a", "u1"),
    ]
    const record = [meanwhile, first].reduce<Merged<string>>(applyWrite, applyWrite(null, again))
    expect(record.lacking).toMatchObject({ hash: "hash of b", source: "a delivery" })
    expect(visible(record)).toMatchObject({ content: "a", occurredAt: 9, doubtful: true })
    expect(visible(withContent(record, "b"))).toMatchObject({ content: "b", occurredAt: 5 })
    expect(withContent(record, "b").lacking).toBeNull()
    // Still lacking after the next write, if it was not found meanwhile.
    expect(applyWrite(record, told("updated", 2, "c", "u3")).lacking?.hash).toBe("hash of b")
  })
})

describe("what a listing with fewer fields than a delivery showed", () => {
  /** A state that it showed at `last`, completing what was told until `earliest - 1`. */
  const lean = (
    data: string,
    earliest: number,
    last: number,
    changes: Partial<State> = {},
  ): State => ({
    ...told("updated", last, data, null),
    earliest,
    source: null,
    tentative: true,
    lean: true,
    ...changes,
  })
  const first = told("created", 1, "a")

  it("is shown right after what it completes, and is nothing to doubt", () => {
    const record = mergeAll([first, lean("b", 2, 20)])
    expect(visible(record)).toEqual({
      content: "b",
      deleted: false,
      occurredAt: 2,
      aliveAt: 2,
      doubtful: false,
    })
  })

  it("gives way to every delivery of a later time, which is read again where it differs", () => {
    for (const order of permutations([first, lean("b", 2, 20), told("updated", 3, "c")])) {
      expect(visible(mergeAll(order))).toMatchObject({ content: "c", doubtful: true })
    }
    const later = mergeAll([first, lean("b", 2, 20), told("updated", 21, "c")])
    expect(visible(later)).toMatchObject({ content: "c", doubtful: false })
    const same = mergeAll([first, lean("b", 2, 20), told("updated", 3, "b")])
    expect(visible(same)).toMatchObject({ content: "b", occurredAt: 3, doubtful: false })
  })

  it("gives way to a listing that has all fields", () => {
    const whole = { ...told("updated", 30, "b", null), earliest: 21, tentative: true }
    for (const order of permutations([first, lean("b", 2, 20), whole])) {
      const record = mergeAll(order)
      expect(visible(record)).toMatchObject({ content: "b", occurredAt: 30, doubtful: false })
      expect(record?.sightings).toHaveLength(3)
    }
  })

  it("is replaced by what the next such listing shows", () => {
    const looks = [lean("b", 2, 20), lean("c", 2, 30), lean("b", 1, 25)]
    for (const order of permutations([first, ...looks])) {
      const record = mergeAll(order)
      expect(visible(record)).toMatchObject({ content: "c", occurredAt: 2, doubtful: false })
      expect(record?.sightings).toHaveLength(2)
    }
  })

  it("is one of several at the same moment, whichever came first", () => {
    const alike = [
      lean("b", 2, 20),
      lean("b", 2, 20, { tentative: false }),
      lean("c", 2, 20),
      lean("c", 1, 20),
    ]
    const ends = [...permutations(alike)].map((order) => mergeAll(order)?.sightings)
    expect(new Set(ends.map((sightings) => JSON.stringify(sightings))).size).toBe(1)
    expect(ends[0]).toMatchObject([{ hash: "hash of c", first: 2, last: 20, lean: true }])
    const confirmed = mergeAll([lean("b", 2, 20, { tentative: false }), lean("b", 2, 20)])
    expect(confirmed?.sightings).toEqual([
      {
        emission: null,
        rank: 1,
        hash: "hash of b",
        first: 2,
        last: 20,
        source: null,
        tentative: true,
        lean: true,
      },
    ])
    const record = mergeAll([first, lean("b", 2, 20)])
    expect(record && applyWrite(record, lean("b", 2, 20))).toBe(record)
    expect(record && applyWrite(record, lean("b", 1, 20))).toBe(record)
    expect(record && applyWrite(record, lean("d", 2, 19))).toBe(record)
  })

  it("stands once it was confirmed, though a delivery told the same before", () => {
    const back = { ...lean("a", 6, 20), tentative: false }
    for (const order of permutations([first, told("updated", 5, "b"), back])) {
      expect(visible(mergeAll(order))).toMatchObject({ content: "a", occurredAt: 6 })
    }
    const unconfirmed = mergeAll([first, told("updated", 5, "b"), lean("a", 6, 20)])
    expect(visible(unconfirmed)).toMatchObject({ content: "b", occurredAt: 5 })
  })

  it("is kept among the latest sightings, in their order", () => {
    const told16 = Array.from({ length: 16 }, (_, n) => told("updated", 100 + n, `s${n}`))
    expect(mergeAll([...told16, lean("b", 2, 50)])?.sightings).toHaveLength(16)
    const last = mergeAll([lean("b", 2, 50), told("updated", 40, "c"), told("updated", 60, "d")])
    expect(last?.sightings.map(({ last: at }) => at)).toEqual([60, 50, 40])
    expect(
      mergeAll([told("updated", 40, "c"), lean("b", 41, 50)])?.sightings[0],
    ).not.toHaveProperty("tentative", false)
  })

  it("speaks of its own moment where it does not say since when", () => {
    const { earliest: _, ...noEarliest } = lean("b", 2, 20)
    expect(mergeAll([noEarliest])?.sightings).toMatchObject([{ first: 20, last: 20 }])
  })
})
