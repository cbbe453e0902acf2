import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"

const BATCH = 5_000

/** Each night: deletes old deliveries, and has the listings read even where nothing seemed to be missed. */
export default async function purgeDeliveries(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.inbox.trim(BATCH)
  await svc.subscribers.requestResync()
}

export const config = { name: "svc-purge-deliveries", schedule: "17 3 * * *" }
