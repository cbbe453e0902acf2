import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { brokenLimit, sentenceOf } from "../../modules/svc/cart"

/**
 * Refuses a quantity that the campaign of a line does not sell (gap 45), by whichever route it is asked for.
 *
 * @returns whether core's own update would turn the line's tax basis round, so that it has to be set right after
 * @throws SvcRefusal `quantity_limited`, `not_available`, `campaign_ended`
 */
export async function checkQuantity(
  container: MedusaContainer,
  asked: { cartId: string; lineId: string; quantity: number },
): Promise<{ turnsTaxBasis: boolean }> {
  const { situations } = container.resolve(SVC_MODULE).cart
  const untouched = { turnsTaxBasis: false }
  if (!(await situations.glance(asked.cartId))?.concerns) return untouched
  const situation = await situations.read({ cartId: asked.cartId })
  const line = situation?.lines.find(({ id }) => id === asked.lineId)
  if (!situation || !line) return untouched
  const broken = brokenLimit(situation, line.id, asked.quantity)
  if (broken) {
    const refusal = new SvcRefusal(broken.code, sentenceOf(broken, "en"), broken.params)
    throw Object.assign(refusal, { locale: situation.cart.locale })
  }
  return { turnsTaxBasis: line.proof?.isTaxInclusive === false }
}
