import { createWorker } from "../shared"
import { nextPush, pushDueProducts } from "./push-worker"

/** The worker of the catalog. 200 ms collect the events of one change into one call, and nobody notices the delay. */
const worker = createWorker({
  name: "sending the catalog",
  debounceMs: 200,
  pass: pushDueProducts,
  nextInMs: nextPush,
})

/** Says that there may be products to send. Returns at once. */
export const wakeCatalog = worker.wake
/** Sends until nothing is due; joins a pass that is under way. */
export const workCatalog = worker.work
