import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { checkUnheard, tellProblems } from "../workflows/connections"
import { wakePulls } from "../workflows/shows"
import { refreshWebhooks } from "../workflows/webhooks"

/**
 * Each minute: notices that we were away, that a subscriber went silent or was disabled, and that deliveries contradict
 * each other; what was missed is read from the listings. Looks at connections that nothing else hears of. Then people are
 * told what is wrong.
 */
export default async function reconcileWebhooks(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  await svc.shows.pulls.noticeGap()
  await refreshWebhooks(container)
  await svc.shows.pulls.requestWhereSilent()
  // Not waited for: with Redis a worker runs one scheduled job at a time.
  wakePulls(container)
  await checkUnheard(container)
  await tellProblems(container)
}

export const config = { name: "svc-reconcile-webhooks", schedule: "* * * * *" }
