import { MathBN } from "@medusajs/framework/utils"
import type { CartReason } from "./codes"
import { CAMPAIGN_KEY, clearable, type LineColumns } from "./line-columns"
import type { CatalogPrice, OfferedPrice, ProvenPrice } from "./price-policy"
import type { Line, StoreVariant } from "./situation"

/** Who a campaign price comes from. */
export type PricedBy = { connectionId: string; campaignUid: string; orderNo: string }

/**
 * A line as the plan leaves it. The plan changes these copies, one request after the other, and the differences to the
 * lines as they were read become statements.
 */
export type WorkLine = {
  /** Null for a line that is to be created. */
  readonly original: Line | null
  readonly variantId: string | null
  readonly productId: string | null
  quantity: number
  unitPrice: number
  compareAt: number | null
  isTaxInclusive: boolean
  /** Whether promotions apply to it. */
  isDiscountable: boolean
  /** Campaign whose price it carries; null for a catalog price, "" for a custom price that other code set. */
  campaignUid: string | null
  /** Who the price comes from, and the order number that the line counts for; null where our record says nothing. */
  by: PricedBy | null
  removed: boolean
  /** A price that was proven now; its record has to be written. */
  proven: ProvenPrice | null
  /** Why it is not what the shopper saw, where it was not the shopper who changed it. */
  reason: CartReason | null
}

const FRESH = {
  original: null,
  quantity: 0,
  unitPrice: 0,
  compareAt: null,
  isTaxInclusive: false,
  isDiscountable: true,
  campaignUid: null,
  removed: false,
  by: null,
  proven: null,
  reason: null,
}

export const newLine = ({ variantId, productId }: StoreVariant): WorkLine => ({
  ...FRESH,
  variantId,
  productId,
})

export const workLine = (line: Line): WorkLine => ({
  ...FRESH,
  original: line,
  variantId: line.variantId,
  productId: line.productId,
  quantity: line.quantity,
  unitPrice: line.unitPrice,
  compareAt: line.compareAt,
  isTaxInclusive: line.isTaxInclusive,
  isDiscountable: line.isDiscountable,
  campaignUid: line.isCustomPrice ? (line.proof?.campaignUid ?? "") : null,
  by: line.proof,
  // Comes back only if the plan says so.
  removed: line.dropped,
})

export function sellAtCampaignPrice(line: WorkLine, price: OfferedPrice, by: PricedBy): void {
  line.unitPrice = price.amount
  line.compareAt = price.compareAt
  line.isTaxInclusive = price.isTaxInclusive
  line.isDiscountable = price.isDiscountable && isProductDiscountable(line)
  line.campaignUid = by.campaignUid
  line.by = by
  line.proven = price
}

const isProductDiscountable = ({ original }: WorkLine): boolean =>
  original?.isProductDiscountable ?? true

/** @param price null: the store has none, and the line cannot stay */
export function sellAtCatalogPrice(line: WorkLine, price: CatalogPrice | null): void {
  if (line.campaignUid !== null) line.isDiscountable = isProductDiscountable(line)
  line.campaignUid = null
  line.proven = null
  if (price === null) line.removed = true
  else {
    line.unitPrice = price.amount
    line.compareAt = price.compareAt
    line.isTaxInclusive = price.isTaxInclusive
  }
}

const PRICE_FIELDS = [
  "unitPrice",
  "compareAt",
  "isTaxInclusive",
  "isDiscountable",
  "campaignUid",
] as const

/** Columns of a line that has to be written; null where core's own are right already. */
export function changedColumns(line: WorkLine): LineColumns | null {
  const { original } = line
  if (!original) return null
  const before = workLine(original)
  const same =
    PRICE_FIELDS.every((field) => line[field] === before[field]) &&
    (line.campaignUid === null || marksCampaign(original, line.campaignUid))
  // More pieces are put in by core's own workflow, so that its checks and the merchant's run.
  const fewer = line.quantity < original.quantity
  if (same && !fewer) return null
  const quantity = fewer ? { quantity: line.quantity } : {}
  if (same) return quantity
  const { campaignUid, isDiscountable } = line
  return {
    ...quantity,
    unit_price: line.unitPrice,
    compare_at_unit_price: clearable(line.compareAt),
    is_tax_inclusive: line.isTaxInclusive,
    is_custom_price: campaignUid !== null,
    ...(isDiscountable === before.isDiscountable ? {} : { is_discountable: isDiscountable }),
    // Metadata merges in core, so the key is emptied. A custom price that is not ours keeps its own.
    ...(campaignUid === "" ? {} : { metadata: { [CAMPAIGN_KEY]: campaignUid ?? "" } }),
  }
}

const marksCampaign = (line: Line, campaignUid: string): boolean =>
  campaignUid === "" || line.metadata?.[CAMPAIGN_KEY] === campaignUid

/** Sum of pieces; quantities may be fractions where other code sold by weight. */
export const pieces = (lines: { quantity: number }[]): number =>
  lines.length === 0 ? 0 : MathBN.sum(...lines.map(({ quantity }) => quantity)).toNumber()
