import { createWorker } from "../shared"
import { nextPush, pushDueProducts } from "./push-worker"

/** Makes the service equal to every due row. 200 ms: the events of one change arrive together, and nobody notices. */
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
