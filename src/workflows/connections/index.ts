export * from "./check-connection"
export * from "./check-storefront"
export * from "./create-connection"
export * from "./delete-connection"
export { type Health, readHealth } from "./read-health"
export { readMetrics } from "./read-metrics"
export { readSetup } from "./read-setup"
export { type KeyRotation, rotateKeys, rotateKeysInput } from "./rotate-keys"
export {
  type CreateConnectionInput,
  createConnectionInput,
  updateConnectionInput,
} from "./settings"
export { tellProblems } from "./tell-problems"
export * from "./try-service"
export { type Uninstall, uninstall, uninstallInput } from "./uninstall"
export * from "./update-connection"
