import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import type SvcModuleService from "../modules/svc/service"
import { InboxRows } from "../modules/svc/sql/inbox"
import { SubscriberRows } from "../modules/svc/sql/subscriber"

const BATCH = 5_000

/** Nightly: removes old deliveries, and has the listings read whatever the day was like. */
export default async function tidyDeliveries(container: MedusaContainer): Promise<void> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  await new InboxRows(svc.database()).trim(BATCH)
  await new SubscriberRows(svc.database()).wantPull()
}

export const config = { name: "svc-tidy-deliveries", schedule: "17 3 * * *" }
