export { type ConnectionWorker, createConnectionWorker } from "./connection-worker"
export { createTurns, type Turn } from "./turns"
export { WAKE_WORKER, wakeHere } from "./wake-up"
export { createWorker } from "./worker"
