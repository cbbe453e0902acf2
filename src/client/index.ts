/** The HTTP client of the service. */
export * from "./client"
export * from "./errors"
export * from "./url"
