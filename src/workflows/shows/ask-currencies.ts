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
    container.resolve(SVC_MODULE).priceCurrencies.dueInMs(connectionId),
})

/** Asks soon for shows that are due. */
export const wakeCurrencies = worker.wake
/** Asks now for shows that are due, or joins whoever does. */
export const workCurrencies = worker.work

/**
 * Asks the service for a price of one show, and keeps in which currency it is (gap 35).
 *
 * @returns whether there was a show to ask for
 */
async function askCurrency(container: MedusaContainer, connectionId: string): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const show = await svc.priceCurrencies.claim(connectionId)
  if (!show) return false
  const { campaign_uid, product_id, variant_id } = show
  try {
    const { currency } = await svc.calls.inBackground(connectionId, (client) =>
      client.getCampaignProductPrice(
        campaign_uid,
        { productId: product_id, ...(variant_id ? { variantId: variant_id } : {}) },
        { timeoutMs: TIMEOUT_MS },
      ),
    )
    await svc.priceCurrencies.record(show.id, currency)
  } catch (error) {
    // What was answered before stands; it is asked again.
    if (!(error instanceof SvcError)) throw error
  }
  return true
}
