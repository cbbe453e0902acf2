/**
 * Decides which products go into which call, and what the answers mean: the failure policy at work (`failure-policy.ts`).
 * Pure: it makes no call and knows no clock, so that a test can play any service.
 *
 *   fresh ──take──► call ──accepted──► done
 *                    ├─ 400 422 413 ──► halves, sent again at once ──alone──► refused
 *                    └─ anything else ► suspect ──another call succeeded──► halves ──alone──► failing
 *                                          └────no other call succeeds──► stopped: the connection is held
 */
import type { SvcError } from "../../../client"
import { judgeFailure } from "./failure-policy"

/** A product that waits for its call. */
export type Sendable = {
  /** A lower lane goes first (`lanes.ts`). */
  lane: number
  /** Calls in a row that brought the product and failed: it is sent with fewer others. */
  attempts: number
  /** It failed by itself before, while others passed: it is sent alone, and says nothing about the service. */
  failsAlone: boolean
}

/** Products of one call. */
export type Group<Item> = {
  items: Item[]
  /** Sent as it is, never filled up with others: it is part of a group that failed. */
  narrowed: boolean
  /** Others passed after the whole failed, so it is these products that fail. */
  proven: boolean
  failsAlone: boolean
}

/** Why no further call is begun. `most_refused`: nothing was accepted between many refusals. */
export type Stop = { kind: "slow_down" | "token" | "unclear" | "most_refused"; error: SvcError }

export type Judged<Item> = { item: Item; error: SvcError }

/** Calls that failed one after the other, without one that succeeded: then it is the service. */
const UNCLEAR_IN_A_ROW = 3
/** The same among parts of a batch that is narrowed down: several bad products fail one after the other. */
const PROVEN_IN_A_ROW = 8
/** Halving 100 products down to one takes 8 calls; four bad neighbours take 12. */
const REFUSALS_IN_A_ROW = 16
/** After a hold because most was refused: two products are enough to see that it still is so. */
const REFUSALS_OF_A_PROBE = 2

/**
 * A hold has just ended, so one call finds out whether the service is well before others are begun: whether it answers at
 * all, or, where it refused most of what was sent, whether it takes something.
 */
export type Probe = "service" | "refusals"

export class SendQueue<Item extends Sendable> {
  readonly #fresh: Item[] = []
  /** Parts of groups that failed; the next is the first. */
  readonly #narrowed: Group<Item>[] = []
  /** Groups that failed, until another call tells whose fault it was. */
  #suspects: { group: Group<Item>; error: SvcError }[] = []
  /** Refused alone, while nothing was accepted since: it may be the service that refuses everything. */
  #doubtful: Judged<Item>[] = []
  #refused: Judged<Item>[] = []
  #failing: Judged<Item>[] = []
  #inFlight = 0
  #accepted = 0
  #unclearInARow = 0
  #provenInARow = 0
  #refusalsInARow = 0
  #lastUnclear: SvcError | null = null
  #stop: Stop | null = null
  #left = false

  constructor(private probing: Probe | null = null) {}

  /** Whether no further call is begun. */
  get isOver(): boolean {
    return this.#stop !== null || this.#left
  }

  get isProbing(): boolean {
    return this.probing !== null
  }

  /** Whether somebody waits for one of the products: nobody fills their call up first. */
  isUrgent(lane: number): boolean {
    return this.#fresh.some((item) => item.lane <= lane) || this.#narrowed.length > 0
  }

  /** Whether a call may be begun now. */
  canTake(inFlightAtMost: number): boolean {
    if (this.isOver || this.#inFlight >= inFlightAtMost) return false
    if (this.probing && this.#inFlight > 0) return false
    // What failed is narrowed down when everything else was tried.
    return (
      this.size > 0 || (this.#inFlight === 0 && this.#suspects.length > 0 && this.#accepted > 0)
    )
  }

  /** Products that could go now. */
  get size(): number {
    return this.#fresh.length + this.#narrowed.reduce((sum, { items }) => sum + items.length, 0)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  add(items: Item[], batchSize: number): void {
    const suspected: Item[] = []
    for (const item of items) {
      if (item.failsAlone) this.#narrowed.push(groupOf([item], { failsAlone: true }))
      else if (item.attempts > 0) suspected.push(item)
      else this.#insert(item)
    }
    // Rows come in any order: an edit that failed before goes before an import's products that did.
    suspected.sort((a, b) => a.lane - b.lane)
    const [most = 0] = suspected.map(({ attempts }) => attempts).sort((a, b) => b - a)
    const size = Math.max(1, Math.floor(batchSize / 2 ** Math.min(most, 20)))
    for (let start = 0; start < suspected.length; start += size) {
      this.#narrowed.push(groupOf(suspected.slice(start, start + size)))
    }
  }

  /** A person's edit goes before the products of an import that were read earlier. */
  #insert(item: Item): void {
    let place = this.#fresh.length
    while (place > 0 && (this.#fresh[place - 1]?.lane ?? 0) > item.lane) place -= 1
    this.#fresh.splice(place, 0, item)
  }

  /**
   * Products for the next call; null where there are none, or where the answer of a call under way has to come first.
   *
   * @param batchSize products in a call now
   */
  take(batchSize: number): Group<Item> | null {
    if (this.isOver || (this.probing && this.#inFlight > 0)) return null
    if (this.size === 0 && this.#inFlight === 0) this.#narrowSuspects()
    const group = this.#next(batchSize)
    if (group) this.#inFlight += 1
    return group
  }

  #next(batchSize: number): Group<Item> | null {
    const [part] = this.#narrowed
    const [first] = this.#fresh
    // What was never tried says more about the service than what failed before.
    const partFirst = part && (!first || (!this.probing && first.lane >= laneOf(part)))
    if (!partFirst) {
      const items = this.#fresh.splice(0, batchSize)
      return items.length > 0 ? groupOf(items) : null
    }
    this.#narrowed.shift()
    if (part.items.length <= batchSize) return part
    this.#narrowed.unshift({ ...part, items: part.items.slice(batchSize) })
    return { ...part, items: part.items.slice(0, batchSize) }
  }

  accepted(group: Group<Item>): void {
    this.#inFlight -= 1
    this.probing = null
    this.#accepted += group.items.length
    this.#unclearInARow = 0
    this.#provenInARow = 0
    this.#refusalsInARow = 0
    this.#refused.push(...this.#doubtful.splice(0))
    this.#narrowSuspects()
  }

  /** What was taken is not sent after all: that tells nothing about the service. */
  notSent(): void {
    this.#inFlight -= 1
  }

  /** A call came back that took nothing, and tells nothing about other calls. */
  answered(): void {
    this.#inFlight -= 1
    // It read what it was sent: it is there again.
    if (this.probing === "service") this.probing = null
  }

  failed(group: Group<Item>, error: SvcError): void {
    this.#inFlight -= 1
    const verdict = judgeFailure(error)
    switch (verdict) {
      case "slow_down":
      case "token":
        // Nothing is wrong with the products.
        this.#putBack(group)
        this.#stop ??= { kind: verdict, error }
        return
      case "too_large":
        if (group.items.length > 1) this.#narrowed.unshift(...halves(group))
        else this.#refused.push(...group.items.map((item) => ({ item, error })))
        return
      case "content":
        this.#refusalsInARow += 1
        if (group.items.length > 1) this.#narrowed.unshift(...halves(group))
        else this.#doubtful.push(...group.items.map((item) => ({ item, error })))
        if (this.#refusalsInARow >= this.#refusalsAllowed) {
          this.#stop ??= { kind: "most_refused", error }
        }
        // It read what it was sent: it is there again.
        if (this.probing === "service") this.probing = null
        return
      case "unclear":
        this.#unclear(group, error)
    }
  }

  get #refusalsAllowed(): number {
    return this.probing === "refusals" ? REFUSALS_OF_A_PROBE : REFUSALS_IN_A_ROW
  }

  #unclear(group: Group<Item>, error: SvcError): void {
    this.#lastUnclear = error
    if (group.failsAlone) {
      this.#failing.push(...group.items.map((item) => ({ item, error })))
      return
    }
    if (!group.proven) {
      this.#unclearInARow += 1
      this.#suspects.push({ group, error })
      if (this.probing || this.#unclearInARow >= UNCLEAR_IN_A_ROW) {
        this.#stop ??= { kind: "unclear", error }
      }
      return
    }
    this.#provenInARow += 1
    if (group.items.length === 1)
      this.#failing.push(...group.items.map((item) => ({ item, error })))
    // At the end: its neighbours' answers come first, and show that the service is still well.
    else this.#narrowed.push(...halves(group))
    if (this.#provenInARow >= PROVEN_IN_A_ROW) this.#stop ??= { kind: "unclear", error }
  }

  /** Another call succeeded, or succeeded earlier and nothing else is left to try: it is the products' fault. */
  #narrowSuspects(): void {
    if (this.#accepted === 0) return
    for (const { group, error } of this.#suspects.splice(0)) {
      if (group.items.length === 1) {
        this.#failing.push(...group.items.map((item) => ({ item, error })))
      } else {
        this.#narrowed.push(...halves({ ...group, proven: true }))
      }
    }
  }

  #putBack(group: Group<Item>): void {
    if (group.narrowed) this.#narrowed.unshift(group)
    else for (const item of [...group.items].reverse()) this.#fresh.unshift(item)
  }

  /** Begins no further call, because somebody else was told to wait. */
  leave(): void {
    this.#left = true
  }

  /** Begins no further call. */
  halt(stop: Stop): void {
    this.#stop ??= stop
  }

  /** Products that were judged since the last call: refused for good, or failing while others pass. */
  takeJudged(): { refused: Judged<Item>[]; failing: Judged<Item>[] } {
    return { refused: this.#refused.splice(0), failing: this.#failing.splice(0) }
  }

  /**
   * Ends the run when nothing is left to take and nothing is under way.
   *
   * @returns `untried` were in no call that failed; `tried` were, and nobody knows whose fault it was
   */
  end(): { untried: Item[]; tried: Judged<Item>[]; stop: Stop | null } {
    const [suspect] = this.#suspects
    if (!this.#stop && suspect) this.#stop = { kind: "unclear", error: suspect.error }
    // Few products, all refused, is what a small shop with a mistake looks like.
    if (!this.#stop) this.#refused.push(...this.#doubtful.splice(0))
    const tried: Judged<Item>[] = [
      ...this.#doubtful.splice(0),
      ...this.#suspects
        .splice(0)
        .flatMap(({ group, error }) => group.items.map((item) => ({ item, error }))),
    ]
    const untried = this.#fresh.splice(0)
    for (const part of this.#narrowed.splice(0)) {
      const error = this.#lastUnclear
      if (part.proven && error) tried.push(...part.items.map((item) => ({ item, error })))
      else untried.push(...part.items)
    }
    return { untried, tried, stop: this.#stop }
  }
}

const groupOf = <Item>(items: Item[], more: { failsAlone?: boolean } = {}): Group<Item> => ({
  items,
  narrowed: false,
  proven: false,
  failsAlone: false,
  ...more,
})

const laneOf = (group: Group<Sendable>): number => Math.min(...group.items.map(({ lane }) => lane))

function halves<Item>(group: Group<Item>): Group<Item>[] {
  const half = Math.ceil(group.items.length / 2)
  return [group.items.slice(0, half), group.items.slice(half)].map((items) => ({
    ...group,
    narrowed: true,
    items,
  }))
}
