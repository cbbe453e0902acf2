import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import type SvcModuleService from "../modules/svc/service"
import { SubscriberRows } from "../modules/svc/sql/subscriber"
import { refreshWebhooks, workPulls } from "../workflows/webhooks"

/** Each minute: notices a subscriber that went silent or was switched off, and reads what it missed. */
export default async function keepListening(container: MedusaContainer): Promise<void> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  await refreshWebhooks(container)
  await new SubscriberRows(svc.database()).wantPullWhereSilent()
  await workPulls(container)
}

export const config = { name: "svc-keep-listening", schedule: "* * * * *" }
