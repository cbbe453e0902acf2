import { familiesContradict, type Known, merge, RANK, type Told } from "../merge"

const told = (hash: string, occurredAt: number, changes: Partial<Told> = {}): Told => ({
  emission: `emission of ${hash}`,
  rank: RANK.updated,
  hash,
  occurredAt,
  ...changes,
})

/** What is known after these deliveries, in this order, each beside what came before under its `eventUid`. */
function after(...deliveries: Told[]): Known | null {
  let known: Known | null = null
  deliveries.forEach((write, index) => {
    const before = deliveries.slice(0, index).filter((one) => one.emission === write.emission)
    known = merge(known, write, write.emission === null ? [] : before).known
  })
  return known
}

describe("a record after its deliveries", () => {
  it.each<[string, Told[], Partial<Known>]>([
    ["shows the latest", [told("a", 1), told("b", 2)], { hash: "b", doubtful: false }],
    ["keeps the latest", [told("b", 2), told("a", 1)], { hash: "b", aliveAt: 2, doubtful: false }],
    [
      "is not moved by an emission that comes again later (gap 2)",
      [told("a", 1), told("b", 2), told("a", 3)],
      { hash: "b", occurredAt: 2, toldAt: 3, doubtful: false },
    ],
    [
      "goes by the first time of an emission, whichever comes first",
      [told("a", 5), told("a", 1)],
      { hash: "a", occurredAt: 1, doubtful: true },
    ],
    [
      "goes by the latest where the id names the record (§6.2 rule 2)",
      [told("a", 1, { emission: "r" }), told("b", 2, { emission: "r" })],
      { hash: "b", doubtful: false },
    ],
    [
      "is flagged where a state comes back under the record's own id",
      ["a", "b", "a"].map((hash, index) => told(hash, index + 1, { emission: "r" })),
      { hash: "a", occurredAt: 3, doubtful: true },
    ],
    [
      "is flagged where two changes carry one time, and the hash decides (gap 3)",
      [told("b", 1), told("a", 1)],
      { hash: "b", doubtful: true },
    ],
    [
      "counts a deletion as the last change of its millisecond",
      [told("a", 1, { rank: RANK.deleted }), told("b", 1)],
      { hash: "a", rank: RANK.deleted, doubtful: true },
    ],
    [
      "is open no more once something later than all of that is told",
      [told("b", 1), told("a", 1), told("c", 2)],
      { hash: "c", doubtful: false },
    ],
    [
      "takes a creation and an update with equal data for the same",
      [told("a", 1, { rank: RANK.created, emission: "1" }), told("a", 1, { emission: "2" })],
      { hash: "a", doubtful: false },
    ],
    [
      "knows when it was alive last, whatever was told of its end",
      [told("a", 3), told("b", 9, { rank: RANK.deleted }), told("c", 5)],
      { hash: "b", aliveAt: 5 },
    ],
    [
      "takes deliveries without an id for changes of their own",
      [told("a", 1, { emission: null }), told("a", 3, { emission: null })],
      { hash: "a", occurredAt: 3, doubtful: false },
    ],
  ])("%s", (_, deliveries, expected) => {
    expect(after(...deliveries)).toMatchObject(expected)
  })

  it("says of a delivery that it repeats an emission of an earlier time", () => {
    const first = merge(null, told("a", 1), [])
    expect([first.isResend, first.isLater]).toEqual([false, true])
    expect(merge(first.known, told("a", 2), [told("a", 1)]).isResend).toBe(true)
    // The inbox has forgotten the first: the record shows it.
    expect(merge(first.known, told("a", 2), [])).toMatchObject({
      isResend: true,
      known: { occurredAt: 1 },
    })
  })
})

describe("a record that a listing or a price lookup showed", () => {
  const asked: Known = {
    ...told("listed", 10, { emission: null }),
    asked: true,
    toldAt: null,
    aliveAt: 10,
    doubtful: false,
  }

  it("has its time from the delivery that tells the same", () => {
    expect(merge(asked, told("listed", 4), []).known).toMatchObject({ occurredAt: 4, asked: false })
  })

  it("was alive when that delivery says, such that a later move to the other family counts (gap 6)", () => {
    expect(merge(asked, told("listed", 4), []).known.aliveAt).toBe(4)
  })

  it("keeps its time where that delivery is older than what was told before the question: deliveries that are replayed bring nothing back", () => {
    const corrected = { ...asked, toldAt: 6 }
    const replayed = merge(corrected, told("listed", 4), []).known
    expect(replayed).toEqual(corrected)
    expect(merge(replayed, told("other", 6), []).known).toMatchObject({
      hash: "listed",
      doubtful: true,
    })
    expect(merge(corrected, told("listed", 6), []).known).toMatchObject({ occurredAt: 6 })
  })

  it("is later where a delivery says the same afterwards, which ends what lists said of its end", () => {
    expect(merge(asked, told("listed", 11), []).isLater).toBe(true)
    expect(merge(asked, told("listed", 4), []).isLater).toBe(false)
  })

  it("stays, and is asked about again, where an earlier delivery says otherwise", () => {
    const { known } = merge(asked, told("other", 4), [])
    expect(known).toMatchObject({ hash: "listed", asked: true, doubtful: true })
  })

  it("gives way to a later delivery", () => {
    const { known, isLater } = merge(asked, told("other", 11), [])
    expect(known).toMatchObject({ hash: "other", asked: false, doubtful: false })
    expect(isLater).toBe(true)
  })

  it("contradicts the other family's delivery (gap 6)", () => {
    const { known } = merge(null, told("a", 20), [])
    expect(familiesContradict(known, asked)).toBe(true)
    expect(familiesContradict(known, { ...asked, asked: false })).toBe(false)
    expect(familiesContradict(known, { ...asked, asked: false, aliveAt: 20 })).toBe(true)
    expect(familiesContradict(known, { ...asked, asked: false, aliveAt: null })).toBe(false)
  })
})
