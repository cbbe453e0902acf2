export * from "./check-connection"
export * from "./create-connection"
export * from "./delete-connection"
export { type Health, readHealth } from "./read-health"
export { readMetrics } from "./read-metrics"
export {
  type KeyRotation,
  readKeysInUse,
  rotateKeys,
  rotateKeysInput,
} from "./rotate-keys"
export {
  type CreateConnectionInput,
  createConnectionInput,
  type UpdateConnectionInput,
  updateConnectionInput,
} from "./settings"
export * from "./update-connection"
