/** The HTTP client of the service. */
export * from "./client"
export { endedLate } from "./ended-late"
export * from "./errors"
export { inFlow } from "./flow"
export { agentsFor, readProxy } from "./proxy"
export * from "./url"
export * from "./visit-page"
