import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../../modules/svc"
import type SvcModuleService from "../../modules/svc/service"
import { CartRows, type PriceChangeReason } from "../../modules/svc/sql/cart"
import { readBasket } from "./basket"

/** A line whose price changed under the shopper; amounts in major units of `currency_code`. */
export type ChangedLine = {
  line_item_id: string
  variant_id: string | null
  title: string
  old_unit_price: number
  /** `null`: the store has no price for it any more, and the line was removed. */
  new_unit_price: number | null
  currency_code: string
  reason: PriceChangeReason
}

/**
 * What a shopper must be told before they may order: every line that was priced again since they last were, by whichever
 * process. Each change is told once; one that was undone meanwhile is not told at all.
 *
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function tellPriceChanges(
  container: MedusaContainer,
  cartId: string,
): Promise<ChangedLine[]> {
  const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
  const untold = await rows.untoldPriceChanges(cartId)
  if (untold.length === 0) return []
  const basket = await readBasket(container, cartId)
  const lines = untold.flatMap((change): ChangedLine[] => {
    const item = basket.items.find((candidate) => candidate.id === change.line_item_id)
    // A line that is gone and that we did not take out, the shopper did.
    if (!item && !change.removed) return []
    const { line_item_id, variant_id, title, old_unit_price, currency_code, reason } = change
    const new_unit_price = item?.unit_price ?? null
    if (new_unit_price === old_unit_price) return []
    return [
      { line_item_id, variant_id, title, old_unit_price, new_unit_price, currency_code, reason },
    ]
  })
  await rows.markPriceChangesTold(untold.map(({ id }) => id))
  return lines
}
