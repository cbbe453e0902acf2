/** Names of the service's endpoints, as fault rules and journal entries use them. */

export const ENDPOINTS = [
  "products",
  "price",
  "process_orders",
  "live_events",
  "shoppables",
  "webhooks",
] as const
export type Endpoint = (typeof ENDPOINTS)[number]
