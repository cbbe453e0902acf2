import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { checkUnheard, leavePages, tellProblems } from "../workflows/connections"
import { alone } from "../workflows/shared"
import { wakePulls } from "../workflows/shows"
import { refreshWebhooks } from "../workflows/webhooks"

/**
 * Each minute: notices that a subscriber went silent or was disabled, and that deliveries contradict each other; what was
 * missed is read from the listings. Leaves pages that a killed process has not left, and looks at connections that nothing
 * else hears of. Then people are told what is wrong. Goes on behind what fails, so that they are told all the same.
 */
export default async function reconcileWebhooks(container: MedusaContainer): Promise<void> {
  const { pulls } = container.resolve(SVC_MODULE).shows
  await alone(container, "the leaving of pages", () => leavePages(container))
  await refreshWebhooks(container)
  await alone(container, "the look for silence", () => pulls.requestWhereSilent())
  // Not waited for: with Redis a worker runs one scheduled job at a time.
  wakePulls(container)
  await alone(container, "the check of the connections", () => checkUnheard(container))
  await alone(container, "the telling of problems", () => tellProblems(container))
}

export const config = { name: "svc-reconcile-webhooks", schedule: "* * * * *" }
