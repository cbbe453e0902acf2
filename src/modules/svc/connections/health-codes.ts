/** The problems that only the health document tells; its others are reasons of connections, the catalog and the webhook. */
export const HEALTH_CODES = [
  "catalog_not_imported",
  "encryption_key_missing",
  "encryption_key_removed",
  "encryption_key_old",
  "worker_stuck",
  "orders_failed",
  "orders_delayed",
  "products_failed",
] as const

export type HealthCode = (typeof HEALTH_CODES)[number]
