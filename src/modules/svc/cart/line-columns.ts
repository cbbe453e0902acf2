/** The only thing of ours in a line's metadata: lines merge only where metadata is equal. */
export const CAMPAIGN_KEY = "svc_campaign_uid"
/** In the cart's metadata: mirror of the order number, for people and for the order; our table is what counts. */
export const ORDER_NO_KEY = "svc_order_no"

/** What changes of a line, as core's cart module takes it; a price comes whole. */
export type LineColumns = {
  quantity?: number
  unit_price?: number
  compare_at_unit_price?: number
  is_tax_inclusive?: boolean
  is_custom_price?: boolean
  is_discountable?: boolean
  metadata?: { [CAMPAIGN_KEY]: string }
}

/** Core writes null to clear a struck-through price, which its input type does not name. */
export const clearable = (amount: number | null): number => amount as number
