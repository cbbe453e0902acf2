import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
// The workers that may be named.
import "../workflows"
import { WORK_WAITS, wakeHere } from "../workflows/worker"

/** Wakes a worker for a process that serves requests only. Does not wait: the queue of the store's events goes on. */
export default async function workWaits({
  event,
  container,
}: SubscriberArgs<{ worker: string }>): Promise<void> {
  wakeHere(container, event.data.worker)
}

export const config: SubscriberConfig = {
  event: WORK_WAITS,
  context: { subscriberId: "svc-work-waits" },
}
