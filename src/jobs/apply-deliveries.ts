import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { alone } from "../workflows/shared"
import { wakeInbox } from "../workflows/webhooks"

/** Each minute: applies deliveries whose wake-up was lost, or whose worker died; and notes that jobs run. */
export default async function applyDeliveries(container: MedusaContainer): Promise<void> {
  // Not waited for: with Redis a worker runs one scheduled job at a time.
  wakeInbox(container)
  const { jobs } = container.resolve(SVC_MODULE).work
  await alone(container, "the note that jobs run", () => jobs.ran())
}

export const config = { name: "svc-apply-deliveries", schedule: "* * * * *" }
