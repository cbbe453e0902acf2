import type { UpdateLineItemWithoutSelectorDTO } from "@medusajs/framework/types"

/** The only thing of ours in a line's metadata: lines merge only where metadata is equal. */
export const CAMPAIGN_KEY = "svc_campaign_uid"
/** In the cart's metadata: mirror of the order number, for people and for the order; our table is what counts. */
export const ORDER_NO_KEY = "svc_order_no"

/** What changes of a line; a price comes whole. */
export type LineColumns = {
  quantity?: number
} & (
  | {
      unitPrice: number
      compareAt: number | null
      isTaxInclusive: boolean
      campaignUid: string | null
      /** Whether promotions apply to it, where that changes. */
      isDiscountable?: boolean
    }
  | { unitPrice?: undefined }
)

/** Core writes null to clear a struck-through price, which its input type does not name. */
const clearable = (amount: number | null): number | undefined => amount as number | undefined

/** The same as core's cart module takes it. */
export function asCoreColumns(columns: LineColumns): Omit<UpdateLineItemWithoutSelectorDTO, "id"> {
  const quantity = columns.quantity === undefined ? {} : { quantity: columns.quantity }
  if (columns.unitPrice === undefined) return quantity
  const { unitPrice, compareAt, isTaxInclusive, campaignUid } = columns
  return {
    ...quantity,
    unit_price: unitPrice,
    compare_at_unit_price: clearable(compareAt),
    is_tax_inclusive: isTaxInclusive,
    is_custom_price: campaignUid !== null,
    ...(columns.isDiscountable === undefined ? {} : { is_discountable: columns.isDiscountable }),
    // Metadata merges in core, so the key is emptied. A custom price that is not ours keeps its own.
    ...(campaignUid === "" ? {} : { metadata: { [CAMPAIGN_KEY]: campaignUid ?? "" } }),
  }
}
