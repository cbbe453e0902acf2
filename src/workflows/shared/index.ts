export { createWorker, WAKE_WORKER, wakeHere } from "./worker"
