import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import { createConnectionWorker } from "../shared"

const TIMEOUT_MS = 5_000

const worker = createConnectionWorker({
  name: "asking in which currency shows sell",
  debounceMs: 50,
  pass: async (container, connectionId) => {
    while (await askCurrency(container, connectionId));
  },
  dueInMs: (container, connectionId) =>
    container.resolve(SVC_MODULE).shows.priceCurrencies.dueInMs(connectionId),
})

/** Asks soon for shows that are due. */
export const wakeCurrencies = worker.wake
/** Asks now for shows that are due, or joins whoever does. */
export const workCurrencies = worker.work

/**
 * Asks the service for a price of one show, and keeps in which currency it is (gap 35). Nothing waits for the answer, so a
 * service that fails is left alone, and what it fails at here holds up nothing else: a price that it does not give, or
 * not yet, says nothing about the connection.
 *
 * @returns whether there was a show to ask for, and the service answered
 */
async function askCurrency(container: MedusaContainer, connectionId: string): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const show = await svc.shows.priceCurrencies.claim(connectionId)
  if (!show) return false
  const { campaign_uid, product_id, variant_id } = show
  try {
    const { currency } = await svc.connections.calls.inBackground(
      connectionId,
      "prices",
      (client) =>
        client.getCampaignProductPrice(
          campaign_uid,
          { productId: product_id, ...(variant_id ? { variantId: variant_id } : {}) },
          { timeoutMs: TIMEOUT_MS },
        ),
    )
    await svc.shows.priceCurrencies.record(show, currency)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    // What was answered before stands. It refused this one price only: others may be known.
    if (error.failure === "dead") return true
    await svc.shows.priceCurrencies.putOff(connectionId)
    return false
  }
  return true
}
