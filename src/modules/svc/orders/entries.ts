import type { BigNumberInput } from "@medusajs/framework/types"
import { decorateCartTotals, MathBN } from "@medusajs/framework/utils"
import { currencyDigits } from "../shared/currency-digits"
import { type SoldBy, withReplacements } from "./inherit-show"
import {
  isNothing,
  lineTotals,
  minus,
  NOTHING,
  type Num,
  plus,
  shippingTotals,
  type Totals,
  ZERO,
} from "./line-totals"
import type { OrderSnapshot, SnapshotChange, SnapshotCredit } from "./order-snapshot"
import { rounded, roundParts } from "./round-parts"
import { NO_TARGET, type Share, spreadRefund } from "./spread-refund"

/** Of a show's lines: what it sold, as edits and exchanges have left it. */
export const GROSS_KINDS = ["sale", "edit", "exchange_in", "exchange_out"] as const
export type LedgerKind =
  | (typeof GROSS_KINDS)[number]
  /** Of a show's lines: what was taken back. */
  | ("claim" | "return" | "refund" | "cancel")
  /** Of the order, never of a show. */
  | ("shipping" | "credit")

/** One change of one line. Amounts are decimal texts in major units, to the currency's smallest unit. */
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
 * The totals of each version are computed by Medusa's own functions and rounded to the currency's smallest unit, and an
 * entry is the difference from the version before. So all entries of an order add up to the order's total as Medusa shows
 * it, those of a line to Medusa's total of it, rounded up or down, and whatever is added up of entries is exact. Medusa books
 * a refund on the order alone; its entries take it from the lines. A cancelled order adds up to nothing.
 *
 * @param soldBy the show of each line, as it was when the order was placed
 */
export function entriesOf(
  order: OrderSnapshot,
  soldBy: ReadonlyMap<string, SoldBy>,
): LedgerEntry[] {
  return new Books(order, withReplacements(order, soldBy)).close()
}

/** What a target comes to at a version: exactly, and as it is booked. */
type Booked = { exact: Totals; posted: Totals }
const UNTOUCHED: Booked = { exact: NOTHING, posted: NOTHING }
/** What is money in totals: pieces are never rounded. */
const AMOUNTS = ["amount", "tax", "discount"] as const

/** Entries are written for a target: a line, a shipping method, or the order itself (`NO_TARGET`). */
class Books {
  readonly #digits: number
  readonly #written: { target: string; entry: LedgerEntry }[] = []
  readonly #booked = new Map<string, Booked>()
  /** Of each target, what refunds took and the tax in it. */
  readonly #refunded = new Map<string, { amount: Num; tax: Num }>()
  #paidBack: Num = ZERO

  constructor(
    private readonly order: OrderSnapshot,
    private readonly soldBy: ReadonlyMap<string, SoldBy>,
  ) {
    this.#digits = currencyDigits(order.currencyCode)
  }

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
    const at = placed ? this.order.placedAt : (change?.confirmedAt ?? this.#writtenAt(version))
    const refunds = placed ? [] : this.#refundsAt(version)
    this.#paidBack = MathBN.sum(this.#paidBack, ...refunds)
    const kindOf = new Map<string, LedgerKind>([[NO_TARGET, "credit"]])
    for (const { id } of this.order.lines) {
      kindOf.set(id, placed ? "sale" : this.#kindOf(id, change))
    }
    for (const { id } of this.order.shipping) kindOf.set(id, "shipping")
    for (const [target, now] of this.#totalsAt(version)) {
      const before = (this.#booked.get(target) ?? UNTOUCHED).posted
      this.#booked.set(target, now)
      const source = target === NO_TARGET ? `v${version}:credit` : `v${version}:${target}`
      this.#write(target, minus(now.posted, before), source, kindOf.get(target) ?? "edit", at)
    }
    for (const [index, amount] of refunds.entries()) {
      const source = `v${version}:${index === 0 ? "refund" : `refund-${index + 1}`}`
      this.#spread(amount, source, at)
    }
    this.#keepRefundsWithinWorth(version, at)
  }

  /**
   * What everything comes to at a version, rounded together: the parts add up to what Medusa shows as the order's total. What
   * refunds took is added to the credit, because their own entries take it.
   */
  #totalsAt(version: number): Map<string, Booked> {
    const { lines, shipping } = this.order
    const credit = this.#creditAt(version)
    const exact = new Map<string, Totals>([
      ...lines.map((line) => [line.id, lineTotals(line, version)] as const),
      ...shipping.map((method) => [method.id, shippingTotals(method, version)] as const),
      [NO_TARGET, { ...NOTHING, amount: MathBN.sub(this.#paidBack, credit) }],
    ])
    const posted = new Map([...exact].map(([target, totals]) => [target, { ...totals }]))
    for (const column of AMOUNTS) {
      const parts = [...exact].map(([target, totals]) => {
        const before = this.#booked.get(target)
        const stays = before && MathBN.eq(before.exact[column], totals[column])
        return { exact: totals[column], kept: stays ? before.posted[column] : null }
      })
      const back = column === "amount" ? this.#paidBack : ZERO
      const sum = MathBN.sum(0, ...parts.map((part) => part.exact))
      const total = MathBN.add(rounded(MathBN.sub(sum, back), this.#digits), back)
      const whole = roundParts(parts, total, this.#digits)
      for (const [index, totals] of [...posted.values()].entries()) {
        totals[column] = whole[index] ?? ZERO
      }
    }
    return new Map(
      [...exact].map(([target, totals]) => [
        target,
        { exact: totals, posted: posted.get(target) ?? NOTHING },
      ]),
    )
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
  #refundsAt(version: number): Num[] {
    return this.order.creditLines
      .filter((credit) => credit.version === version && credit.createdInVersion === version)
      .filter((credit) => this.#paysMoneyBack(credit))
      .map((credit) => rounded(MathBN.convert(credit.amount), this.#digits))
  }

  /** As Medusa counts it: a credit of no more than the smallest coin is none. */
  #creditAt(version: number): Num {
    const rows = this.order.creditLines.filter((credit) => credit.version === version)
    const { total } = decorateCartTotals({
      currency_code: this.order.currencyCode,
      credit_lines: rows.map(({ amount }) => ({ amount })),
      items: [],
      shipping_methods: [],
    })
    return MathBN.mult(total, -1)
  }

  /**
   * Medusa books the money at the version that is there, then a credit line for as much of it as nobody was owed, in a version
   * of its own. It does not say of which refund, and may book one at the amount of another. But credit lines of refunds that
   * began at one version follow it directly, and are no more than those; what is waived comes after a change that asks for more.
   */
  #paysMoneyBack(credit: SnapshotCredit): boolean {
    // The one of a cancellation pays back what was captured: the cancellation books all of it.
    const cancels = this.order.canceledAt !== null && credit.version === this.order.version
    if (cancels || MathBN.lte(credit.amount, 0)) return false
    const refunds = this.order.transactions.filter(({ reference }) => reference === "refund")
    const credited = new Set(this.order.creditLines.map((row) => row.createdInVersion))
    let begun = credit.version
    do {
      begun -= 1
      const begunThen = refunds.filter(({ version }) => version === begun).length
      if (begun + begunThen >= credit.version) return true
    } while (credited.has(begun))
    return false
  }

  /**
   * A piece that comes back is paid back in full, with what was refunded of it before: so no line is ever worth less than
   * nothing. What its refund was too much is taken from the rest of the order.
   */
  #keepRefundsWithinWorth(version: number, at: Date): void {
    let tooMuch: Num = ZERO
    for (const target of this.#refunded.keys()) {
      const over = MathBN.sub(this.#takenFrom(target).amount, this.#worth(target))
      if (target === NO_TARGET || MathBN.lte(over, 0)) continue
      tooMuch = MathBN.add(tooMuch, over)
      this.#takeFrom(target, MathBN.mult(over, -1), `v${version}:refund-less:${target}`, at)
    }
    if (MathBN.gt(tooMuch, 0)) this.#spread(tooMuch, `v${version}:refund-more`, at)
  }

  #spread(amount: Num, source: string, at: Date): void {
    for (const [target, part] of spreadRefund(amount, this.#shares(), this.#digits)) {
      this.#takeFrom(target, part, `${source}:${target}`, at)
    }
  }

  #worth(target: string): Num {
    return MathBN.max((this.#booked.get(target) ?? UNTOUCHED).posted.amount, 0)
  }

  #takenFrom(target: string): { amount: Num; tax: Num } {
    return this.#refunded.get(target) ?? { amount: ZERO, tax: ZERO }
  }

  /** What is not there at this version is worth nothing. */
  #shares(): Share[] {
    const { lines, shipping } = this.order
    return [...lines, ...shipping].map(({ id }) => ({
      target: id,
      left: MathBN.max(MathBN.sub(this.#worth(id), this.#takenFrom(id).amount), 0),
    }))
  }

  /** The tax in a refund is the part of the line's that all its refunds together are of the line. */
  #takeFrom(target: string, amount: Num, source: string, at: Date): void {
    const before = this.#takenFrom(target)
    const { posted } = this.#booked.get(target) ?? UNTOUCHED
    const all = MathBN.add(before.amount, amount)
    const tax = MathBN.eq(posted.amount, 0)
      ? ZERO
      : rounded(MathBN.div(MathBN.mult(posted.tax, all), posted.amount), this.#digits)
    this.#refunded.set(target, { amount: all, tax })
    const taken = { ...NOTHING, amount, tax: MathBN.sub(tax, before.tax) }
    this.#write(target, minus(NOTHING, taken), source, "refund", at)
  }

  /** Nothing stays of a cancelled order, whatever had become of it before. */
  #cancel(at: Date): void {
    const sums = new Map<string, Totals>()
    for (const { target, entry } of this.#written) {
      sums.set(target, plus(sums.get(target) ?? NOTHING, entry))
    }
    for (const [target, sum] of sums) {
      this.#write(target, minus(NOTHING, sum), `cancel:${target}`, "cancel", at)
    }
  }

  #write(target: string, by: Totals, source: string, kind: LedgerKind, occurredAt: Date): void {
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
    const { lines, shipping, creditLines, placedAt } = this.order
    const rows = [...[...lines, ...shipping].flatMap((part) => part.versions), ...creditLines]
    return rows.find((row) => row.version === version)?.createdAt ?? placedAt
  }
}

/** Changes of an order's properties make no version: they are registered at the one that is there. */
const changeOf = (changes: SnapshotChange[], version: number): SnapshotChange | undefined =>
  changes.find((change) => change.version === version && change.type !== "update_order")

/** Never with an exponent, which Postgres reads and people do not. */
const digits = (amount: BigNumberInput): string => MathBN.convert(amount).toFixed()

/** What a show sold by the entries of an order: `gross` before discounts, `net` what is left (gap 51). */
export function soldBy(entries: LedgerEntry[], show: SoldBy) {
  const own = entries.filter(
    (entry) =>
      entry.soldBy?.campaignUid === show.campaignUid &&
      entry.soldBy.connectionId === show.connectionId,
  )
  const sold = own.filter(({ kind }) => (GROSS_KINDS as readonly string[]).includes(kind))
  const sum = (some: LedgerEntry[], ...of: ("quantity" | "amount" | "discount")[]) =>
    MathBN.sum(0, ...some.flatMap((entry) => of.map((name) => entry[name]))).toNumber()
  return {
    units: sum(sold, "quantity"),
    gross: sum(sold, "amount", "discount"),
    discounts: sum(sold, "discount"),
    net: sum(own, "amount"),
  }
}
