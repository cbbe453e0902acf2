/**
 * Sends deliveries, as far as the rest of the sandbox knows: `webhooks/dispatcher.ts` is what does
 * it. Rules that announce a change need no more than this, so they need not import the sender.
 */

import type { Delivery, Subscriber } from "./tables"

export type DeliveryQueue = {
  /** Keeps the delivery and makes its first attempt (interface §6.6). */
  enqueue(delivery: Delivery): void
  /**
   * One more attempt with the same payload, on the merchant's request (interface §7 rule 1).
   *
   * @throws SandboxError 409 where the subscriber is disabled or gone
   */
  resend(delivery: Delivery): Promise<void>
  /** A single attempt of `svc.test`, whatever topics the subscriber chose (interface §6.2). */
  test(subscriber: Subscriber): Promise<Delivery>
  /** Cuts what is on its way, because the state that it belongs to is about to be replaced. */
  abandon(): void
  /** Schedules again what was pending in a state that was loaded or restored. */
  resume(): void
  /** Sends nothing more. */
  close(): void
}
