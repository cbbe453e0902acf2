import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { workPulls } from "../workflows/shows"
import { refreshWebhooks } from "../workflows/webhooks"

/** Each minute: notices a subscriber that went silent or was disabled, and reads from the listings what it missed. */
export default async function reconcileWebhooks(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await refreshWebhooks(container)
  await svc.subscribers.requestResyncWhereSilent()
  await workPulls(container)
}

export const config = { name: "svc-reconcile-webhooks", schedule: "* * * * *" }
