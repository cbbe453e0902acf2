import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
// Loads the workers, so that they can be found by their names.
import "../workflows"
import { WAKE_WORKER, wakeHere } from "../workflows/shared"

/**
 * Wakes a worker for a process that serves requests only. It does not wait for the worker, because the store's events
 * behind this one would wait too.
 */
export default async function wakeWorker({
  event,
  container,
}: SubscriberArgs<{ worker: string; connections?: string[] }>): Promise<void> {
  wakeHere(container, event.data.worker, event.data.connections)
}

export const config: SubscriberConfig = {
  event: WAKE_WORKER,
  context: { subscriberId: "svc-wake-worker" },
}
