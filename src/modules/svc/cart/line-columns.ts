import type { UpdateLineItemWithoutSelectorDTO } from "@medusajs/framework/types"
import type { ProvenPrice } from "./price-policy"

/** The only thing of ours in a line's metadata: lines merge only where metadata is equal. */
export const CAMPAIGN_KEY = "svc_campaign_uid"
/** In the cart's metadata: mirror of the order number, for people and for the order; our table is what counts. */
export const ORDER_NO_KEY = "svc_order_no"

/** Columns of core's line item that a change of price writes. */
export type LinePriceUpdate = Omit<UpdateLineItemWithoutSelectorDTO, "id" | "unit_price"> & {
  unit_price: number
}

/** Core writes null to clear a struck-through price, which its input type does not name. */
const clearable = (amount: number | null): number | undefined => amount as number | undefined

/** The columns of a line that is sold at a campaign's price. */
export const campaignPriced = (price: ProvenPrice, campaignUid: string): LinePriceUpdate => ({
  unit_price: price.amount,
  compare_at_unit_price: clearable(price.compareAt),
  is_tax_inclusive: price.isTaxInclusive,
  is_custom_price: true,
  metadata: { [CAMPAIGN_KEY]: campaignUid },
})

/** The columns of a line that goes back to the catalog price. Metadata merges in core, so the key is emptied. */
export const catalogPriced = (catalog: {
  amount: number
  isTaxInclusive: boolean
}): LinePriceUpdate => ({
  unit_price: catalog.amount,
  compare_at_unit_price: clearable(null),
  is_tax_inclusive: catalog.isTaxInclusive,
  is_custom_price: false,
  metadata: { [CAMPAIGN_KEY]: "" },
})
