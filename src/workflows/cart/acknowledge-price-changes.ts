import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type { PriceChangeReason } from "../../modules/svc/cart/price-change-rows"
import { refreshTotalsWorkflow } from "./lock-cart"
import { readCart } from "./read-cart"

/** A line that is not what the shopper last saw; amounts in major units. */
export type ChangedLine = {
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  /** `null`: it cannot be sold any more, and the line was removed. */
  new_unit_price: number | null
  old_quantity: number
  /** 0 where the line was removed. */
  new_quantity: number
  /** Of the new price. */
  currency_code: string
  /** Of the old price; another one only after the cart changed its region. */
  old_currency_code: string
  reason: PriceChangeReason
}

/**
 * Every line that changed since a shopper was last told, by whichever process; one that was undone meanwhile is left out.
 *
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function untoldPriceChanges(
  container: MedusaContainer,
  cartId: string,
): Promise<ChangedLine[]> {
  return (await readUntold(container, cartId, null)).lines
}

/**
 * What a shopper must be told before they may order. Each change is told once; but of two requests at once (a double
 * click) both are told, because whoever sent the second has not read the answer to the first.
 *
 * @param askedAt when the request came, by the database's clock (`PriceChangeRows.now`)
 * @throws SvcRefusal `not_found`, `cart_completed`, `cart_busy`
 */
export async function acknowledgePriceChanges(
  container: MedusaContainer,
  cartId: string,
  askedAt: Date,
): Promise<ChangedLine[]> {
  const { ids, lines } = await readUntold(container, cartId, askedAt)
  if (lines.length > 0) {
    // A process that died after changing a line has not updated the totals: do it now, or the old amount would be paid.
    await refreshTotalsWorkflow(container).run({ input: cartId })
  }
  await container.resolve(SVC_MODULE).priceChanges.markTold(ids)
  return lines
}

async function readUntold(
  container: MedusaContainer,
  cartId: string,
  since: Date | null,
): Promise<{ ids: string[]; lines: ChangedLine[] }> {
  const svc = container.resolve(SVC_MODULE)
  const untold = await svc.priceChanges.untold(cartId, since)
  if (untold.length === 0) return { ids: [], lines: [] }
  const cart = await readCart(container, cartId)
  const lines = untold.flatMap((change): ChangedLine[] => {
    const item = cart.items.find((candidate) => candidate.id === change.line_item_id)
    // A line that is gone and that we did not remove was removed by the shopper.
    if (!item && !change.removed) return []
    const { line_item_id, variant_id, title, old_unit_price, currency_code, reason } = change
    const new_quantity = item?.quantity ?? 0
    const old_quantity = change.old_quantity ?? new_quantity
    const line: ChangedLine = {
      line_item_id,
      variant_id,
      title,
      old_unit_price,
      new_unit_price: item?.unit_price ?? null,
      old_quantity,
      new_quantity,
      currency_code: cart.currency_code,
      old_currency_code: currency_code,
      reason,
    }
    const undone =
      line.new_unit_price === old_unit_price &&
      line.currency_code === currency_code &&
      reason !== "region_changed" &&
      !(reason === "quantity_limited" && new_quantity !== old_quantity)
    return undone ? [] : [line]
  })
  return { ids: untold.map(({ id }) => id), lines }
}
