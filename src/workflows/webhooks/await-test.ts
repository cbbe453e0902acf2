import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { z } from "zod"
import { TEST_TOPIC } from "../../contract"
import { type Delivery, SVC_MODULE } from "../../modules/svc"
import { DELIVERY_REFUSALS, type RefusalReason } from "../../modules/svc/webhooks"

/** Body of `POST /admin/svc/connections/:id/webhook/test`. */
export const awaitTestInput = z.strictObject({
  /** How long to wait, at most a minute. */
  wait_seconds: z.number().min(0).max(60).default(30),
})
type AwaitTestInput = z.infer<typeof awaitTestInput>

const LOOK_EVERY_MS = 300
/** A person presses both buttons one after the other, and may begin with the other one. */
const SINCE_MS = 5_000

/** What was seen of a test delivery. */
export type TestResult =
  | { status: "received"; delivery: Delivery; waitedMs: number }
  /** A request came and was not taken; it may have been the test. */
  | { status: "refused"; reason: RefusalReason; answered: number; at: Date; waitedMs: number }
  | { status: "waiting"; waitedMs: number }

/**
 * Waits for the test delivery that a person fires in the service's dashboard, and tells when it came and how it was
 * answered. The service has no call for firing one (interface §4.4).
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function awaitTest(
  container: MedusaContainer,
  connectionId: string,
  { wait_seconds }: AwaitTestInput,
): Promise<TestResult> {
  const svc = container.resolve(SVC_MODULE)
  await svc.connection(connectionId)
  const began = performance.now()
  const since = new Date((await svc.shows.projection.now()) - SINCE_MS)
  for (;;) {
    const waitedMs = Math.round(performance.now() - began)
    const [delivery] = await svc.listSvcDeliveries(
      { connection_id: connectionId, topic: TEST_TOPIC, received_at: { $gte: since } },
      { take: 1, order: { received_at: "DESC" } },
    )
    if (delivery) return { status: "received", delivery, waitedMs }
    await svc.webhooks.admission.writeNotes()
    const [refusal] = await svc.webhooks.refusals.ofConnection(connectionId)
    if (refusal && refusal.last_at >= since) {
      const { reason, last_at: at } = refusal
      const answered = DELIVERY_REFUSALS[reason].status
      return { status: "refused", reason, answered, at, waitedMs }
    }
    if (waitedMs >= wait_seconds * 1000) return { status: "waiting", waitedMs }
    await sleep(LOOK_EVERY_MS)
  }
}
