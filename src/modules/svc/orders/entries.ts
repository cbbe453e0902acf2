import type { BigNumberInput } from "@medusajs/framework/types"
import { decorateCartTotals, MathBN } from "@medusajs/framework/utils"
import { type SoldBy, withReplacements } from "./inherit-show"
import type { OrderSnapshot, SnapshotChange, SnapshotCredit } from "./order-snapshot"
import { NO_TARGET, type Share, spreadRefund } from "./spread-refund"
import {
  isNothing,
  lineStanding,
  minus,
  NOTHING,
  type Num,
  plus,
  type Standing,
  shippingStanding,
  ZERO,
} from "./standing"

/** Of a show's lines: what it sold, as edits and exchanges have left it. */
export const GROSS_KINDS = ["sale", "edit", "exchange_in", "exchange_out"] as const
/** Of a show's lines: what was taken back. */
const TAKEN_BACK_KINDS = ["claim", "return", "refund", "cancel"] as const
/** Of the order, never of a show. */
const ORDER_KINDS = ["shipping", "credit"] as const
const LEDGER_KINDS = [...GROSS_KINDS, ...TAKEN_BACK_KINDS, ...ORDER_KINDS] as const
export type LedgerKind = (typeof LEDGER_KINDS)[number]

/** One change of one line. Amounts are decimal texts in major units. */
export type LedgerEntry = {
  /** The version or cancellation that it comes from, and what it changed: `v3:refund:ordli_1`. Unique in the order. */
  source: string
  kind: LedgerKind
  /** Null for shipping and for what concerns the whole order. */
  lineId: string | null
  variantId: string | null
  productId: string | null
  soldBy: SoldBy | null
  quantity: string
  /** With tax, after discounts; negative for what was taken back. */
  amount: string
  /** The tax in `amount`. */
  tax: string
  /** What discounts took off, with tax: `amount` + `discount` is before discounts. */
  discount: string
  occurredAt: Date
}

/**
 * The ledger of one order, from its rows in Medusa: what each version changed of each line. Pure and total: the same
 * rows always give the same entries, so filling the ledger and rebuilding it are one thing.
 *
 * The totals of each version are computed by Medusa's own functions, and an entry is the difference from the version
 * before. So the entries of a line add up to Medusa's total of it, and all entries of an order to the order's total.
 * Medusa books a refund on the order alone; its entries take it from the lines. A cancelled order adds up to nothing.
 *
 * @param soldBy the show of each line, as it was when the order was placed
 */
export function entriesOf(
  order: OrderSnapshot,
  soldBy: ReadonlyMap<string, SoldBy>,
): LedgerEntry[] {
  return new Books(order, withReplacements(order, soldBy)).close()
}

/** Entries are written for a target: a line, a shipping method, or the order itself (`NO_TARGET`). */
class Books {
  readonly #written: { target: string; entry: LedgerEntry }[] = []
  readonly #standing = new Map<string, Standing>()
  readonly #refunded = new Map<string, Num>()
  #credit: Num = ZERO

  constructor(
    private readonly order: OrderSnapshot,
    private readonly soldBy: ReadonlyMap<string, SoldBy>,
  ) {}

  close(): LedgerEntry[] {
    for (const [index, version] of this.#versions().entries()) this.#book(version, index === 0)
    if (this.order.canceledAt) this.#cancel(this.order.canceledAt)
    return this.#written.map(({ entry }) => entry)
  }

  /**
   * Every version from the first at which something was written; an order that other code made may begin with another one
   * than 1. Medusa writes nothing at a version at which nothing is left of the order, and it counts all the same.
   */
  #versions(): number[] {
    const { lines, shipping, creditLines, version } = this.order
    const parts = [...lines, ...shipping].flatMap((part) => part.versions)
    const written = [...parts, ...creditLines].map((row) => row.version)
    const first = Math.min(...written)
    return Array.from({ length: Math.max(version - first + 1, 0) }, (_, index) => first + index)
  }

  #book(version: number, placed: boolean): void {
    const change = changeOf(this.order.changes, version)
    const at = placed ? this.order.createdAt : (change?.confirmedAt ?? this.#writtenAt(version))
    for (const line of this.order.lines) {
      const kind = placed ? "sale" : this.#kindOf(line.id, change)
      this.#move(line.id, lineStanding(line, version), version, kind, at)
    }
    for (const method of this.order.shipping) {
      this.#move(method.id, shippingStanding(method, version), version, "shipping", at)
    }
    this.#bookCredit(version, placed, at)
    this.#keepRefundsWithinWorth(version, at)
  }

  #move(target: string, now: Standing, version: number, kind: LedgerKind, at: Date): void {
    const before = this.#standing.get(target) ?? NOTHING
    this.#standing.set(target, now)
    this.#write(target, minus(now, before), `v${version}:${target}`, kind, at)
  }

  #kindOf(lineId: string, change: SnapshotChange | undefined): LedgerKind {
    if (change?.exchangeId) {
      const sentOut = this.order.swaps.some(
        (swap) =>
          swap.id === change.exchangeId && swap.direction === "out" && swap.lineId === lineId,
      )
      return sentOut ? "exchange_in" : "exchange_out"
    }
    if (change?.claimId) return "claim"
    return change?.returnId ? "return" : "edit"
  }

  /**
   * A credit line that the order was placed with (a gift card) and one that waives a balance are the order's own affair.
   * One that goes with a refund of money is goodwill: it takes from what was sold.
   */
  #bookCredit(version: number, placed: boolean, at: Date): void {
    const rows = this.order.creditLines.filter((credit) => credit.version === version)
    const before = this.#credit
    this.#credit = this.#creditTotal(rows)
    let rest: Num = MathBN.sub(this.#credit, before)
    const created = rows.filter((credit) => !placed && credit.createdInVersion === version)
    for (const [index, credit] of created.entries()) {
      if (!this.#paysMoneyBack(credit)) continue
      rest = MathBN.sub(rest, credit.amount)
      const refund = index === 0 ? "refund" : `refund-${index + 1}`
      for (const [target, amount] of spreadRefund(credit.amount, this.#shares(version), credit)) {
        this.#takeFrom(target, amount, `v${version}:${refund}:${target}`, at)
      }
    }
    const credited = { ...NOTHING, amount: MathBN.mult(rest, -1) }
    this.#write(NO_TARGET, credited, `v${version}:credit`, "credit", at)
  }

  /** As Medusa counts it: a credit of no more than the smallest coin is none. */
  #creditTotal(rows: SnapshotCredit[]): Num {
    const { total } = decorateCartTotals({
      currency_code: this.order.currencyCode,
      credit_lines: rows.map(({ amount }) => ({ amount })),
      items: [],
      shipping_methods: [],
    })
    return MathBN.mult(total, -1)
  }

  /**
   * Medusa books the money at the version before, then a credit line for as much of it as nobody was owed. Which refund it
   * was cannot be told: at each refund Medusa books the earlier ones of that payment once more, under their own ids.
   */
  #paysMoneyBack(credit: SnapshotCredit): boolean {
    // The one of a cancellation pays back what was captured: the cancellation books all of it.
    const cancels = this.order.canceledAt !== null && credit.version === this.order.version
    if (cancels || MathBN.lte(credit.amount, 0)) return false
    return this.order.transactions.some(
      (money) =>
        money.reference === "refund" &&
        money.version === credit.version - 1 &&
        MathBN.gte(MathBN.abs(money.amount), credit.amount),
    )
  }

  /**
   * A piece that comes back is paid back in full, with what was refunded of it before: so no line is ever worth less than
   * nothing. What its refund was too much is taken from the rest of the order.
   */
  #keepRefundsWithinWorth(version: number, at: Date): void {
    let tooMuch: Num = ZERO
    for (const [target, refunded] of this.#refunded) {
      if (target === NO_TARGET) continue
      const over = MathBN.sub(refunded, this.#worth(target))
      if (MathBN.lte(over, 0)) continue
      tooMuch = MathBN.add(tooMuch, over)
      this.#takeFrom(target, MathBN.mult(over, -1), `v${version}:refund-less:${target}`, at)
    }
    if (MathBN.eq(tooMuch, 0)) return
    for (const [target, amount] of spreadRefund(tooMuch, this.#shares(version), null)) {
      this.#takeFrom(target, amount, `v${version}:refund-more:${target}`, at)
    }
  }

  #worth(target: string): Num {
    return MathBN.max(this.#standing.get(target)?.amount ?? ZERO, 0)
  }

  #shares(version: number): Share[] {
    const { lines, shipping } = this.order
    const left = (target: string) =>
      MathBN.max(MathBN.sub(this.#worth(target), this.#refunded.get(target) ?? ZERO), 0)
    const there = shipping.filter((method) =>
      method.versions.some((row) => row.version === version),
    )
    return [
      ...lines.map(({ id }): Share => ({ target: id, of: "goods", left: left(id) })),
      ...there.map(({ id }): Share => ({ target: id, of: "shipping", left: left(id) })),
    ]
  }

  #takeFrom(target: string, amount: Num, source: string, at: Date): void {
    const { amount: worth, tax } = this.#standing.get(target) ?? NOTHING
    const share = MathBN.eq(worth, 0) ? ZERO : MathBN.div(tax, worth)
    this.#refunded.set(target, MathBN.add(this.#refunded.get(target) ?? ZERO, amount))
    const taken = { ...NOTHING, amount, tax: MathBN.mult(amount, share) }
    this.#write(target, minus(NOTHING, taken), source, "refund", at)
  }

  /** Nothing stays of a cancelled order, whatever had become of it before. */
  #cancel(at: Date): void {
    const sums = new Map<string, Standing>()
    for (const { target, entry } of this.#written) {
      sums.set(target, plus(sums.get(target) ?? NOTHING, entry))
    }
    for (const [target, sum] of sums) {
      this.#write(target, minus(NOTHING, sum), `cancel:${target}`, "cancel", at)
    }
  }

  #write(target: string, by: Standing, source: string, kind: LedgerKind, occurredAt: Date): void {
    if (isNothing(by)) return
    const line = this.order.lines.find((each) => each.id === target)
    const entry = {
      source,
      kind,
      lineId: line?.id ?? null,
      variantId: line?.variantId ?? null,
      productId: line?.productId ?? null,
      soldBy: this.soldBy.get(target) ?? null,
      quantity: digits(by.quantity),
      amount: digits(by.amount),
      tax: digits(by.tax),
      discount: digits(by.discount),
      occurredAt,
    }
    this.#written.push({ target, entry })
  }

  #writtenAt(version: number): Date {
    const { lines, shipping, creditLines, createdAt } = this.order
    const rows = [...[...lines, ...shipping].flatMap((part) => part.versions), ...creditLines]
    return rows.find((row) => row.version === version)?.createdAt ?? createdAt
  }
}

/** Changes of an order's properties make no version: they are registered at the one that is there. */
const changeOf = (changes: SnapshotChange[], version: number): SnapshotChange | undefined =>
  changes.find((change) => change.version === version && change.type !== "update_order")

/** Never with an exponent, which Postgres reads and people do not. */
const digits = (amount: BigNumberInput): string => MathBN.convert(amount).toFixed()
