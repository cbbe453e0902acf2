import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
// The workers that may be named.
import "../workflows"
import { WAKE_WORKER, wakeHere } from "../workflows/shared"

/** Wakes a worker for a process that serves requests only. Does not wait: the queue of the store's events goes on. */
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
