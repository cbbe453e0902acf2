/**
 * Whether a product of a show can be bought, as far as the shop's catalog says (interface §2.1): it
 * is switched off, or sold out. What the host took off the show is another matter and stays off.
 */

import type { Context } from "../store/context"
import type { EventProduct } from "../store/tables"
import { announceProduct } from "./announcements"
import type { PushedProduct, PushedVariant } from "./pushed-product"

/** A push reaches every show that sells the product; what changes there is announced (§6.2). */
export function followCatalog(
  context: Context,
  pageUid: string,
  externalId: string,
  pushed: PushedProduct,
): void {
  for (const product of context.tables.event_products.values()) {
    if (product.page_uid !== pageUid || product.external_id !== externalId) continue
    if (product.deleted_at !== null) continue
    if (holdBack(product, pushed)) announceProduct(context, product, "updated")
  }
}

/** @returns whether that changed anything */
export function holdBack(product: EventProduct, pushed: PushedProduct): boolean {
  const sellable = isSellable(pushed, product.variant_external_id)
  const held = product.held_by_catalog === true
  if (sellable === !held || (!sellable && !product.data.available)) return false
  product.held_by_catalog = !sellable
  product.data.available = sellable
  return true
}

/**
 * Any status but `disabled` is for sale: `enabled` is the one known value. Stock is reserved at variant
 * level (interface §2.1): a variant's own numbers count, and the product's where it has none.
 *
 * @param variantId  null = any of its variants
 */
export function isSellable(pushed: PushedProduct, variantId: string | null): boolean {
  if (pushed.status === "disabled") return false
  const variants = pushed.variants.filter(
    ({ externalId }) => variantId === null || externalId === variantId,
  )
  if (variants.length === 0) return hasStock(pushed)
  return variants.some(({ status, inventory, manageStock }) =>
    hasStock({
      status,
      inventory: inventory ?? pushed.inventory,
      manageStock: manageStock ?? pushed.manageStock,
    }),
  )
}

/** Without a number, or where the service does not track stock, nothing runs out. */
function hasStock({
  status,
  inventory,
  manageStock,
}: Pick<PushedVariant, "status" | "inventory" | "manageStock">): boolean {
  if (status === "disabled") return false
  return manageStock === false || inventory === null || inventory > 0
}
