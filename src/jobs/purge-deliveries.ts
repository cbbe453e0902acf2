import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"

const BATCH = 5_000

/** Each hour: deletes deliveries, refusals and reports of readings that are older or larger than what is kept. */
export default async function purgeDeliveries(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const { webhookRetentionDays: days, webhookRetentionMegabytes: megabytes } = svc.options
  await svc.inbox.trim({ days, megabytes, batch: BATCH })
  await svc.refusals.trim()
  await svc.reconciliations.trim()
}

export const config = { name: "svc-purge-deliveries", schedule: "17 * * * *" }
