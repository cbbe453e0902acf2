import type { CampaignProduct } from "./situation"

/**
 * SQL: a row with the columns `status`, `deleted_at` and `deadline` of a merged event may sell at its price, if the lookup
 * answers one. The one rule about a campaign (gap 21): for first pricing, re-pricing, limits, readiness, the storefront's
 * list and what is over. A campaign that nobody told us of sells, and so does one that is planned, unpublished or over but
 * not closed: there the service decides.
 */
export const SELLS =
  "(deleted_at IS NULL AND status <> 'cancelled' AND (deadline IS NULL OR deadline > now()))"

/**
 * SQL: such a row, with `is_published`, was told to be sold from at this moment, so that a service which refuses its prices
 * contradicts itself. One that is over without a deadline may be closed, and nobody told.
 */
export const IS_ON_SALE = `(is_published AND ${SELLS} AND (status IN ('live', 'clip') OR status = 'vod' AND deadline IS NOT NULL))`

/** A delivery told that the campaign does not sell the product any more: removed from it, or not available. */
export const isToldGone = (product: Pick<CampaignProduct, "deleted" | "available">): boolean =>
  product.deleted || !product.available

/**
 * Whether a campaign may sell a product, if the lookup answers a price. What was told of a doubtful one proves nothing:
 * that it is back may have been missed, or deliveries contradict each other, and the service decides.
 */
export const productSells = (
  product: Pick<CampaignProduct, "deleted" | "available" | "doubtful"> | null,
): boolean => product === null || product.doubtful || !isToldGone(product)
