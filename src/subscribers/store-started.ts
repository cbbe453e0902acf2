import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { STORE_STARTED } from "../modules/svc"
import { wakeCatalog } from "../workflows/catalog"
import { checkUnheard, leavePages } from "../workflows/connections"
import { wakeLedger, wakeReports } from "../workflows/orders"
import { wakePulls } from "../workflows/shows"
import { wakeInbox } from "../workflows/webhooks"

/**
 * When a process has started: goes on with deliveries, products, reports and the ledger where the one before it left off, and
 * reads the listings, because the service does not say what it gave up meanwhile (gap 20). And asks whether the tokens are
 * accepted that are new in the configuration.
 */
export default async function storeStarted({ container }: SubscriberArgs<unknown>): Promise<void> {
  wakeInbox(container)
  wakePulls(container)
  wakeCatalog(container)
  wakeReports(container)
  wakeLedger(container)
  await leavePages(container)
  await checkUnheard(container)
}

export const config: SubscriberConfig = {
  event: STORE_STARTED,
  context: { subscriberId: "svc-store-started" },
}
