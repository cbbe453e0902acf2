import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"

const BATCH = 5_000
/** What all kept deliveries may take, in MiB of their bodies; the oldest go first. */
const MEGABYTES = 1_024

/** Each hour: deletes deliveries, refusals and payloads of deleted shows that are older or larger than what is kept. */
export default async function purgeDeliveries(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const days = svc.options.webhookRetentionDays
  await svc.webhooks.inbox.trim({ days, megabytes: MEGABYTES, batch: BATCH })
  await svc.webhooks.refusals.trim()
  await svc.shows.projection.trim(days)
}

export const config = { name: "svc-purge-deliveries", schedule: "17 * * * *" }
