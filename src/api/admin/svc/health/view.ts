import type { Health } from "../../../../workflows/connections"

/** The health document, for the admin's first page and for a monitor. */
export const healthView = (health: Health) => ({
  status: health.status,
  problems: health.problems,
  connections: health.connections,
  products: health.products,
  orders: health.orders,
  deliveries: health.deliveries,
  /** Which keys of `SVC_ENCRYPTION_KEYS` are in use, by id: `{id, active, configured, secrets}`. */
  encryption_keys: health.encryption_keys,
})
