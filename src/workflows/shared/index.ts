export { inFlow } from "../../client"
export { createConnectionWorker } from "./connection-worker"
export { perStore, WAKE_WORKER, wakeHere } from "./wake-up"
export { createWorker } from "./worker"
