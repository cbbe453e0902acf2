import { svcPlaceOrder, svcStartOrder, svcStartPayment, svcUpdateLineItem } from "@lib/data/svc"
import type { HttpTypes } from "@medusajs/types"
import { describeChange, type PriceChange } from "svc-storefront"

/** The sentence that the shopper reads beside the button. A second press is the yes to what it says. */
function explain(changes: PriceChange[]): string {
  const lines = changes.map((change) => describeChange(change).replace(/[^.!?…]$/, "$&."))
  return [
    "Your basket has changed. Nothing has been ordered yet.",
    ...lines,
    "Press again if you agree.",
  ].join(" ")
}

type Begun = Awaited<ReturnType<typeof svcStartOrder>>

function sessionOf(answer: Begun) {
  if ("message" in answer) throw new Error(answer.message)
  if ("changes" in answer) throw new Error(explain(answer.changes))
  return answer.session
}

/** For the step where the shopper chooses how to pay. It places no order. Null: a payment is under way, go on to the review. */
export async function initiatePaymentSession(
  cart: HttpTypes.StoreCart,
  { provider_id }: { provider_id: string },
) {
  const answer = await svcStartPayment({ total: cart.total, provider_id })
  return "session" in answer ? answer.session : sessionOf(answer)
}

/** For the button that orders. Where the basket was paid already, it leads to the page of the order. */
export async function renewPaymentSession(
  cart: HttpTypes.StoreCart,
  { provider_id }: { provider_id: string },
) {
  return sessionOf(await svcStartOrder({ total: cart.total, provider_id }))
}

/** Leads to the page of the order. */
export async function placeOrder(cart: HttpTypes.StoreCart) {
  const provider_id = cart.payment_collection?.payment_sessions?.[0]?.provider_id ?? ""
  const answer = await svcPlaceOrder({ total: cart.total, provider_id })
  throw new Error("message" in answer ? answer.message : explain(answer.changes))
}

export async function updateLineItem({ lineId, quantity }: { lineId: string; quantity: number }) {
  const refused = await svcUpdateLineItem(lineId, quantity)
  if (refused) throw new Error(refused)
}
