/**
 * Whole histories of a record: a service that changes it, deliveries that are late, doubled, lost and in any order, and
 * listings in between that are whole, partial, empty, capped or from an old cache. In the end the record is right, or
 * flagged where nobody can know. `SHOW_HISTORIES=100000` runs as many (2,000 otherwise).
 */
import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import type { Change, Family } from "../../../../contract"
import { shownRow } from "../announcements"
import { LISTING_AGE_MS, type ListingPage, nextPage } from "../listing"
import { endMissing, type Found, type Known, takeListed } from "../listing-writer"
import { familiesContradict, isDeleted, merge, RANK, type Told } from "../merge"
import { EVENTS, type EventRow, newRow, SETTLED } from "../projection-rows"
import { recordOf } from "../projection-writer"
import type { EventWrite } from "../read-write"

const HISTORIES = Number(process.env.SHOW_HISTORIES ?? 2_000)

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Status = "planned" | "live" | "vod" | "cancelled"
type State = { id: string; name: string; status: Status; family: Family }
/** An event as a listing shows it: some have fewer fields than a delivery. */
type Entry = { id: string; family: Family; name?: string; status?: Status }
/** What the service did at a moment; null: it deleted the record. */
type Step = { at: number; emission: string; change: Change; state: State }

const hashOf = ({ name, status }: { name: string; status: string }): string => `${name} ${status}`

/** A state as it is read, by a delivery or from a listing. */
const writeOf = (state: State, told: Partial<Told> = {}): EventWrite => ({
  occurredAt: 0,
  rank: RANK.updated,
  emission: null,
  ...told,
  hash: hashOf(state),
  eventId: state.id,
  kind: state.family,
  content: {
    campaign_uid: "c1",
    name: state.name,
    status: state.status,
    is_published: true,
    starts_at: null,
    live_started_at: null,
    live_ended_at: null,
    deadline: null,
    cover_url: null,
    data: {},
  },
})

const FAMILIES = ["live", "shoppable"] as const

type Shown = { gone: boolean; doubtful: boolean; row: EventRow }

/** Our side: the decisions are the plugin's own, only the rows are in memory. */
class Copy {
  readonly rows = new Map<string, EventRow>()
  /** By the record and the `eventUid`. */
  readonly #inbox = new Map<string, Told[]>()
  readonly #contents = new Map<string, EventRow["content"]>()

  deliver({ state, change, emission }: Step, occurredAt: number, now: number): void {
    const write = writeOf(state, { occurredAt, rank: RANK[change], emission })
    this.#contents.set(write.hash, write.content)
    const name = recordOf(write)
    const known = this.rows.get(name)
    const told = this.#inbox.get(`${name} ${emission}`) ?? []
    this.#inbox.set(`${name} ${emission}`, [...told, write])
    const { known: merged, isLater } = merge(known ?? null, write, told)
    const row = {
      ...(known ?? newRow(EVENTS, write)),
      ...(isLater ? SETTLED : {}),
      ...merged,
      heardAt: now,
    }
    row.content = this.#contents.get(row.hash) ?? row.content
    const other = this.#families(state.id).find(({ kind }) => kind !== state.family)
    if (other && other.absentAt === null && familiesContradict(row, other)) row.doubtful = true
    this.rows.set(name, row)
  }

  list(family: Family, entries: Entry[], whole: { counted: boolean } | null, now: number): void {
    const listing = { startedAt: now, asOf: now - LISTING_AGE_MS - 1_000 }
    const found: Found = {
      told: [],
      isOpen: false,
      isNew: false,
      changed: new Set(),
      contents: new Map(),
    }
    for (const entry of entries) {
      const write = this.#completed(entry)
      this.#contents.set(write.hash, write.content)
      const isLean = entry.name === undefined || entry.status === undefined
      takeListed(
        found,
        this.#record(entry.id, family),
        { write, isLean, looksOther: false },
        listing,
      )
    }
    for (const row of found.changed) this.rows.set(JSON.stringify([row.kind, ...row.key]), row)
    if (!whole) return
    const ids = [...this.rows.values()].map(({ key: [id = ""] }) => id)
    const records = ids.flatMap((id): [string, Known][] => {
      const record = this.#record(id, family)
      return record ? [[id, record]] : []
    })
    const listed = new Set(entries.map(({ id }) => id))
    endMissing(found, new Map(records), listed, listing, { ...whole, unreadable: 0 })
  }

  /** As `completeListedEvent` does: what the entry does not say is as people see it. */
  #completed({ id, family, name, status }: Entry): EventWrite {
    const known = shownRow(this.#families(id))?.content
    return writeOf({
      id,
      family,
      name: name ?? known?.name ?? "",
      status: status ?? (known?.status as Status | undefined) ?? "planned",
    })
  }

  #families(id: string): EventRow[] {
    return [...this.rows.values()].filter((row) => row.key[0] === id)
  }

  #record(id: string, family: Family): Known | null {
    const rows = this.#families(id)
    const shown = shownRow(rows)
    return (
      shown && { rows, shown, own: rows.find(({ kind }) => kind === family) ?? null, warmAt: null }
    )
  }

  /** What people see of a record, over both families (gap 6). */
  shown(id: string): Shown | null {
    const rows = this.#families(id)
    const row = shownRow(rows)
    if (!row) return null
    return {
      row,
      gone: isDeleted(row) || row.absentAt !== null,
      doubtful: rows.some(({ doubtful }) => doubtful),
    }
  }
}

type Read =
  | "whole"
  | "partial"
  | "stale"
  | "capped"
  | "empty"
  | "uncounted"
  | "names"
  | "statuses"
  | "stale names"
/** Most are not what the service has, may not be, or lack fields. */
const READS: Read[] = [
  "whole",
  "whole",
  "partial",
  "stale",
  "capped",
  "empty",
  "uncounted",
  "names",
  "statuses",
  "stale names",
]

/** What happens, in the order of the clock on the wall. */
type Happening =
  | { at: number; kind: "delivery"; step: Step; occurredAt: number }
  | { at: number; kind: "listing"; read: Read }

type History = {
  steps: Step[]
  happenings: Happening[]
  /** An emission of which only later attempts came, with a later time: nobody can know when it was. */
  unknowable: boolean
  lost: boolean
}

const STATUSES: Status[] = ["planned", "live", "vod", "cancelled"]

/** Few names, so that states come again; a life goes forward in most histories. */
const steps = (options: { perRecord: boolean; ties: boolean; moves: boolean }) =>
  fc
    .array(
      fc.record({
        pause: options.ties ? fc.constantFrom(0, 1, 5 * MINUTE) : fc.constantFrom(1, MINUTE, HOUR),
        name: fc.constantFrom("a", "b", "c"),
        forward: fc.nat(2),
        deletes: fc.nat(9).map((one) => one === 0),
        moves: fc.nat(9).map((one) => options.moves && one === 0),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((changes): Step[] => {
      let at = 10 * HOUR
      let stage = 0
      let family: Family = "live"
      let deleted = false
      return changes.map((change, index): Step => {
        at += change.pause
        stage = Math.min(STATUSES.length - 1, stage + (change.forward === 2 ? 1 : 0))
        const ends = change.deletes && index > 0
        if (change.moves && !ends && !deleted) family = family === "live" ? "shoppable" : "live"
        const state: State = {
          id: "e1",
          name: change.name,
          status: STATUSES[stage] ?? "planned",
          family,
        }
        const first = index === 0 || deleted
        deleted = ends
        return {
          at,
          emission: options.perRecord ? "e1" : `emission ${index}`,
          change: deleted ? "deleted" : first ? "created" : "updated",
          state,
        }
      })
    })

/** Copies of each delivery: the first attempt or a retry, doubles, each with its own delay. */
const copies = (options: { unstable: boolean; loss: boolean }) =>
  fc.record({
    first: fc.record({ delay: fc.nat(3 * MINUTE), shift: fc.constant(0) }),
    more: fc.array(
      fc.record({
        delay: fc.nat(20 * MINUTE),
        shift: options.unstable ? fc.constantFrom(0, MINUTE, 13 * MINUTE) : fc.constant(0),
      }),
      { maxLength: 2 },
    ),
    /** The first attempt, or all of them. */
    loses: options.loss ? fc.constantFrom("none", "none", "first", "all") : fc.constant("none"),
  })

type Options = {
  perRecord: boolean
  unstable: boolean
  ties: boolean
  moves: boolean
  loss: boolean
  listings: boolean
}

const histories = (options: Options): fc.Arbitrary<History> =>
  steps(options).chain((made) =>
    fc
      .record({
        copies: fc.array(copies(options), { minLength: made.length, maxLength: made.length }),
        listings: fc.array(
          fc.record({ at: fc.nat(8 * HOUR), read: fc.constantFrom<Read>(...READS) }),
          { maxLength: options.listings ? 5 : 0 },
        ),
      })
      .map((drawn): History => {
        let unknowable = false
        let lost = false
        const deliveries = made.flatMap((step, index): Happening[] => {
          const { first, more, loses } = drawn.copies[index] ?? {
            first: undefined,
            more: [],
            loses: "none",
          }
          if (!first || loses === "all") {
            lost = true
            return []
          }
          const came = loses === "first" ? more : [first, ...more]
          if (came.length === 0) lost = true
          if (came.length > 0 && came.every(({ shift }) => shift > 0)) unknowable = true
          return came.map(({ delay, shift }) => ({
            at: step.at + shift + delay,
            kind: "delivery",
            step,
            occurredAt: step.at + shift,
          }))
        })
        const listings = drawn.listings.map(
          ({ at, read }): Happening => ({ at: 10 * HOUR + at, kind: "listing", read }),
        )
        const happenings = [...deliveries, ...listings].sort((a, b) => a.at - b.at)
        return { steps: made, happenings, unknowable, lost }
      }),
  )

/** The last thing that the service did until a moment. */
const lastBefore = (steps: Step[], at: number): Step | undefined =>
  steps.filter((step) => step.at <= at).at(-1)

/** The service's own state of the record at a moment; null: it does not exist, or not any more. */
function truthAt(steps: Step[], at: number): State | null {
  const last = lastBefore(steps, at)
  return last && last.change !== "deleted" ? last.state : null
}

/** A second event, which nothing ever happens to: a listing without the first one is not empty. */
const OTHERS: State[] = ["x", "y", "z"].map((id) => ({
  id,
  name: "other",
  status: "planned",
  family: "live",
}))

function listingAt(steps: Step[], at: number, family: Family, read: Read) {
  // A cache that is older than the last change.
  const last = lastBefore(steps, at)
  const truth = read.startsWith("stale") && last ? truthAt(steps, last.at - 1) : truthAt(steps, at)
  const all = [...(family === "live" ? OTHERS : []), ...(truth?.family === family ? [truth] : [])]
  const listed =
    read === "empty" ? [] : read === "partial" ? all.filter(({ id }) => id !== "e1") : all
  const size = read === "capped" ? 2 : 100
  const count = read === "uncounted" ? null : read === "capped" ? null : listed.length
  const pages: ListingPage[] = []
  for (;;) {
    const next = nextPage(pages)
    if (next.kind === "read") {
      const ids = listed.slice(next.offset, next.offset + size).map(({ id }) => id)
      pages.push({ ids, count, more: null })
    } else {
      const whole = next.kind === "whole" ? { counted: next.counted } : null
      return { listed: listed.map((state) => withFields(state, read)), whole }
    }
  }
}

function withFields(state: State, read: Read): Entry {
  const { id, family, name, status } = state
  if (read.endsWith("names")) return { id, family, name }
  return read === "statuses" ? { id, family, status } : state
}

function play(history: History): Copy {
  const copy = new Copy()
  copy.list("live", OTHERS, { counted: true }, 9 * HOUR)
  for (const happening of history.happenings) {
    if (happening.kind === "delivery") {
      copy.deliver(happening.step, happening.occurredAt, happening.at)
    } else {
      for (const family of FAMILIES) {
        const { listed, whole } = listingAt(history.steps, happening.at, family, happening.read)
        copy.list(family, listed, whole, happening.at)
      }
    }
  }
  return copy
}

const judged = (copy: Copy, history: History) => {
  const truth = truthAt(history.steps, Number.POSITIVE_INFINITY)
  const shown = copy.shown("e1")
  const seen = shown === null || shown.gone ? null : hashOf(shown.row.content)
  return {
    isRight: seen === (truth && hashOf(truth)),
    isFlagged: shown?.doubtful ?? false,
    shown,
    truth,
  }
}

const allOptions = (changes: Partial<Options>): fc.Arbitrary<Options> =>
  fc
    .record({
      perRecord: fc.boolean(),
      unstable: fc.boolean(),
      ties: fc.boolean(),
      moves: fc.boolean(),
      loss: fc.boolean(),
      listings: fc.boolean(),
    })
    .map((drawn) => ({ ...drawn, ...changes }))

describe("a history of deliveries alone", () => {
  it("ends right, or flagged where deliveries contradict each other", () => {
    let [right, flagged] = [0, 0]
    const drawn = allOptions({ loss: false, listings: false, moves: false })
    fc.assert(
      fc.property(drawn.chain(histories), (history) => {
        const { isRight, isFlagged } = judged(play(history), history)
        if (isFlagged) flagged += 1
        else if (isRight) right += 1
        expect(isRight || isFlagged || history.unknowable).toBe(true)
      }),
      runs(HISTORIES),
    )
    expect(right).toBeGreaterThan(HISTORIES / 4)
    expect(flagged).toBeLessThan(HISTORIES / 2)
  })

  it("ends right wherever each change has a time of its own and keeps it, under both readings of eventUid", () => {
    let flagged = 0
    // An event that goes back to a family unchanged, under the record's own id, looks like a re-send of what it was
    // there before: only the listings tell (see below).
    const drawn = allOptions({ loss: false, listings: false, ties: false, unstable: false }).map(
      (options) => ({ ...options, moves: options.moves && !options.perRecord }),
    )
    fc.assert(
      fc.property(drawn.chain(histories), (history) => {
        const { isRight, isFlagged } = judged(play(history), history)
        if (isFlagged) flagged += 1
        expect(isRight).toBe(true)
      }),
      runs(HISTORIES),
    )
    // A state that comes back under the record's own id: right, and read again all the same (gap 2).
    expect(flagged).toBeLessThan(HISTORIES / 4)
  })
})

describe("a history with listings in between", () => {
  /**
   * What listings say that were read after the latest change that a delivery told: how many of them agree with what is shown.
   * Where two do, the same would have been read of a service that did just that, and whose delivery was lost, with old
   * listings for the others: nothing that we know tells which of the two services it is.
   */
  const listingsThatAgree = ({ steps, happenings }: History, shown: Shown): number => {
    const told = happenings.map((one) => (one.kind === "delivery" ? one.occurredAt : 0))
    const since = Math.max(0, ...told)
    return happenings.filter((one) => {
      if (one.kind !== "listing" || one.at <= since) return false
      const entries = FAMILIES.flatMap((family) =>
        listingAt(steps, one.at, family, one.read).listed.filter(({ id }) => id === "e1"),
      )
      if (shown.gone) return entries.length === 0
      const { kind, content } = shown.row
      return entries.some(
        ({ family, name = content.name, status = content.status }) =>
          family === kind && name === content.name && status === content.status,
      )
    }).length
  }

  it("is only talked out of what deliveries told by two listings that say the same after them, or flagged", () => {
    const drawn = allOptions({
      loss: false,
      ties: false,
      unstable: false,
      listings: true,
    })
    let talkedOut = 0
    fc.assert(
      fc.property(drawn.chain(histories), (history) => {
        const copy = play(history)
        const { isRight, isFlagged, shown } = judged(copy, history)
        const hidden = [...copy.rows.values()].filter(({ absentAt }) => absentAt !== null)
        for (const row of hidden) expect(isDeleted(row)).toBe(false)
        if (isRight || isFlagged) return
        talkedOut += 1
        expect(shown && listingsThatAgree(history, shown)).toBeGreaterThanOrEqual(2)
      }),
      runs(HISTORIES),
    )
    // In these histories no delivery is lost, which nobody can know: 4.6 % of them are as said above. Most have a show that
    // several partial listings lack, the others a state that several old listings repeat. More of them than that, by more
    // than chance, and listings are believed too easily.
    expect(talkedOut).toBeLessThan(0.046 * HISTORIES + 4 * Math.sqrt(0.046 * HISTORIES) + 1)
  })

  it("ends as the service has it, whatever was lost, once the listings were read in peace", () => {
    fc.assert(
      fc.property(allOptions({}).chain(histories), (history) => {
        const copy = play(history)
        const end = Math.max(
          10 * HOUR,
          ...history.happenings.map(({ at }) => at),
          ...history.steps.map(({ at }) => at),
        )
        // Hours after the last delivery; the second and third look are for what has to be seen again.
        for (const later of [2 * HOUR, 2 * HOUR + MINUTE, 4 * HOUR]) {
          for (const family of FAMILIES) {
            const { listed, whole } = listingAt(history.steps, end + later, family, "whole")
            copy.list(family, listed, whole, end + later)
          }
        }
        const { isRight, truth, shown } = judged(copy, history)
        expect({ isRight, truth, shown: isRight ? null : shown }).toMatchObject({ isRight: true })
        // What is in the listings is not open any more.
        if (truth) expect(copy.rows.get(recordOf(writeOf(truth)))?.doubtful).toBe(false)
      }),
      runs(HISTORIES),
    )
  })
})
