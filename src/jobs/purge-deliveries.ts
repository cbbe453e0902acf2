import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { alone } from "../workflows/shared"

const BATCH = 5_000
/** What all kept deliveries may take, in MiB of their bodies; the oldest go first. */
const MEGABYTES = 1_024

/** Each hour: deletes deliveries, refusals and payloads of deleted shows that are older or larger than what is kept. */
export default async function purgeDeliveries(container: MedusaContainer): Promise<void> {
  const { options, webhooks, shows } = container.resolve(SVC_MODULE)
  const days = options.webhookRetentionDays
  const kept = { days, megabytes: MEGABYTES, batch: BATCH }
  await alone(container, "the deletion of deliveries", () => webhooks.inbox.trim(kept))
  await alone(container, "the deletion of refusals", () => webhooks.refusals.trim())
  await alone(container, "the deletion of payloads", () => shows.projection.trim(days))
}

export const config = { name: "svc-purge-deliveries", schedule: "17 * * * *" }
