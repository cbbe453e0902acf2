import { MathBN } from "@medusajs/framework/utils"
import { GROSS_KINDS, type LedgerEntry, type LedgerKind } from "./entries"
import { type Num, ZERO } from "./standing"

/** What shows sold within a quarter of an hour: sums of ledger entries, kept so that results need not read them all. */
type SalesKey = {
  connectionId: string
  campaignUid: string
  currencyCode: string
  /** A product; "" for the campaign as a whole. */
  productId: string
  /** Beginning of the quarter, in ms since the epoch. */
  quarter: number
}
export type Sales = {
  orders: number
  cancelledOrders: number
  units: Num
  gross: Num
  discounts: Num
  refunded: Num
  tax: Num
  net: Num
}
export type SalesMap = Map<string, { key: SalesKey; sales: Sales }>

const QUARTER_MS = 15 * 60_000
const NO_SALES: Sales = {
  orders: 0,
  cancelledOrders: 0,
  units: ZERO,
  gross: ZERO,
  discounts: ZERO,
  refunded: ZERO,
  tax: ZERO,
  net: ZERO,
}
const GROSS: ReadonlySet<LedgerKind> = new Set(GROSS_KINDS)

/**
 * Adds the entries of one order to what shows sold, or takes them away again. Money counts when it moved; an order counts
 * when it was placed, and so does its cancellation, so that the conversion of an evening is that evening's.
 *
 * Gross is what was sold, before discounts, as edits and exchanges have left it. Refunded is what was taken back, after
 * discounts. Net is gross less both.
 *
 * @param sign 1 to add, -1 to take away
 */
export function addSales(
  all: SalesMap,
  entries: LedgerEntry[],
  currencyCode: string,
  sign: 1 | -1,
): void {
  const counted = new Set<string>()
  for (const entry of entries) {
    const { soldBy, productId, kind } = entry
    if (!soldBy) continue
    const at = (product: string, moment: Date): SalesKey => ({
      ...soldBy,
      currencyCode,
      productId: product,
      quarter: Math.floor(moment.getTime() / QUARTER_MS) * QUARTER_MS,
    })
    const cancelledOrders = entries.some((other) => other.kind === "cancel") ? 1 : 0
    for (const part of [AS_A_WHOLE, productId ?? UNKNOWN_PRODUCT]) {
      const key = at(part, entry.occurredAt)
      add(all, key, moneyOf(entry), sign)
      const name = keyOf(key)
      if (kind !== "sale" || counted.has(name)) continue
      counted.add(name)
      add(all, key, { ...NO_SALES, orders: 1, cancelledOrders }, sign)
    }
  }
}

/** Stands for all products of a campaign. */
const AS_A_WHOLE = ""
/** A line without a product, as other code may make it. */
const UNKNOWN_PRODUCT = "-"

function moneyOf({ kind, quantity, amount, discount, tax }: LedgerEntry): Sales {
  const money = { ...NO_SALES, tax: MathBN.convert(tax), net: MathBN.convert(amount) }
  return GROSS.has(kind)
    ? {
        ...money,
        units: MathBN.convert(quantity),
        gross: MathBN.add(amount, discount),
        discounts: MathBN.convert(discount),
      }
    : { ...money, refunded: MathBN.mult(amount, -1) }
}

const keyOf = (key: SalesKey): string =>
  [key.connectionId, key.campaignUid, key.currencyCode, key.productId, key.quarter].join("\n")

function add(all: SalesMap, key: SalesKey, by: Sales, sign: 1 | -1): void {
  const name = keyOf(key)
  const known = all.get(name)?.sales ?? NO_SALES
  const sum = (a: Num, b: Num) => MathBN.add(a, MathBN.mult(b, sign))
  all.set(name, {
    key,
    sales: {
      orders: known.orders + by.orders * sign,
      cancelledOrders: known.cancelledOrders + by.cancelledOrders * sign,
      units: sum(known.units, by.units),
      gross: sum(known.gross, by.gross),
      discounts: sum(known.discounts, by.discounts),
      refunded: sum(known.refunded, by.refunded),
      tax: sum(known.tax, by.tax),
      net: sum(known.net, by.net),
    },
  })
}

export const isNoSale = ({ orders, cancelledOrders, ...money }: Sales): boolean =>
  orders === 0 && cancelledOrders === 0 && Object.values(money).every((sum) => MathBN.eq(sum, 0))
