/** What a shopper has seen of a basket, in two tabs of the browser, and what they have agreed to. */
import type { CartAnswer, Line } from "../../setup/shopper"

/** A line as a shopper sees it: what it is, how many, and what it costs. */
export const asSeen = (line: Line, currency: string): string =>
  [line.variant_id, line.quantity, line.unit_price, line.is_tax_inclusive, currency].join(" ")

/** A line that is not there any more. */
const GONE = "gone"

let moment = 0
const next = (): number => ++moment

/** A change that an answer has told: of which line, and what was there then. */
type Told = { lineId: string; state: string; at: number }

/** A change that nobody was told of yet, by the store's own record. */
export type OpenChange = {
  line_item_id: string
  old_unit_price: number
  old_is_tax_inclusive: boolean | null
  old_quantity: number | null
  currency_code: string
  reason: string
  /** The store took the line out. */
  removed: boolean
  created_at: Date
  /** Of the latest of several that nobody was told of. */
  updated_at: Date
}

/** One tab: it knows of the basket what it last showed, and nothing of what the other tab was told. */
export class Tab {
  /** Lines as this tab last showed them, by id. */
  seen = new Map<string, string>()
  lookedAt = 0
  /** Changes that an answer to this tab has told, by their ids. */
  readonly told = new Map<string, Told>()

  /** @param acknowledges its storefront says which changes it has shown; else the store has to infer it */
  constructor(readonly acknowledges: boolean) {}

  look({ items, currency_code }: CartAnswer): void {
    this.seen = new Map(items.map((line) => [line.id, asSeen(line, currency_code)]))
    this.lookedAt = next()
  }

  /** An answer said that these lines are not what the shopper saw; the tab shows the basket anew. */
  tell(lines: { id: string; line_item_id: string }[], cart: CartAnswer): void {
    this.look(cart)
    for (const { id, line_item_id: lineId } of lines) {
      this.told.set(id, { lineId, state: this.seen.get(lineId) ?? GONE, at: this.lookedAt })
    }
  }

  get headers(): Record<string, string> {
    if (!this.acknowledges) return {}
    return { "x-svc-acknowledged-changes": [...this.told.keys()].join(", ") }
  }
}

/**
 * What the shopper has agreed to, line by line: their own doing, what a tab has acknowledged, and what a payment was begun
 * for. A tab that was told nothing has agreed to nothing, whatever another one was told; and a tab that has shown something
 * else since counts for what it shows.
 */
export class Agreed {
  /** When a line was last agreed to be so. */
  readonly #states = new Map<string, Map<string, number>>()

  #add(lineId: string, state: string, at = next()): void {
    const states = this.#states.get(lineId) ?? new Map<string, number>()
    this.#states.set(lineId, states.set(state, Math.max(at, states.get(state) ?? 0)))
  }

  /** The shopper changed the basket in a tab: what it is now is their doing, but for lines that the store has changed. */
  did(tabs: Tab[], { items, currency_code }: CartAnswer, open: OpenChange[]): void {
    for (const line of items) {
      const isChanged = open.some(
        (change) => change.line_item_id === line.id && !isUndone(change, line, currency_code),
      )
      if (!isChanged) this.#add(line.id, asSeen(line, currency_code))
    }
    for (const lineId of new Set(tabs.flatMap(({ seen }) => [...seen.keys()]))) {
      if (items.some(({ id }) => id === lineId)) continue
      // Whatever price it had been given: unless the store took it out, the shopper did.
      const isTakenOut = open.some((change) => change.line_item_id === lineId && change.removed)
      if (!isTakenOut) this.#add(lineId, GONE)
    }
  }

  /** A tab asks to pay or to order, and says what it has shown. */
  asks(tab: Tab, others: Tab[]): void {
    for (const { lineId, state, at } of tab.acknowledges ? tab.told.values() : []) {
      this.#add(lineId, state, at)
    }
    // The store cannot tell such tabs apart: what one was told counts for all.
    const newer = others.filter(({ lookedAt }) => lookedAt > tab.lookedAt)
    for (const { seen } of tab.acknowledges ? [] : newer) {
      for (const [lineId, state] of seen) this.#add(lineId, state)
    }
  }

  /** What of the basket neither this tab shows nor anybody has agreed to since it looked; by right nothing, where the tab was not asked. */
  unseen(tab: Tab, cart: CartAnswer): string[] {
    const now = new Map(cart.items.map((line) => [line.id, asSeen(line, cart.currency_code)]))
    for (const lineId of tab.seen.keys()) if (!now.has(lineId)) now.set(lineId, GONE)
    return [...now].flatMap(([lineId, state]) =>
      tab.seen.get(lineId) === state || (this.#states.get(lineId)?.get(state) ?? 0) > tab.lookedAt
        ? []
        : [`${lineId}: ${state} instead of ${tab.seen.get(lineId)}`],
    )
  }

  /** A payment was begun for the basket as it is, or it was ordered. */
  agree({ items, currency_code }: CartAnswer): void {
    for (const line of items) this.#add(line.id, asSeen(line, currency_code))
  }
}

/** The line costs again what it did before: nobody has to be told. */
const isUndone = (change: OpenChange, line: Line, currency: string): boolean =>
  change.updated_at.getTime() === change.created_at.getTime() &&
  change.reason !== "region_changed" &&
  change.old_unit_price === line.unit_price &&
  change.currency_code === currency &&
  (change.old_is_tax_inclusive ?? line.is_tax_inclusive) === line.is_tax_inclusive &&
  (change.reason !== "quantity_limited" || change.old_quantity === line.quantity)
