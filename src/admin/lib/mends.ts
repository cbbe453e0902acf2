import type { TextKey } from "../hooks/use-text"

/** What a person presses where a problem stands: a button of its own, or a link. */
export type Mend =
  | "check"
  | "enterToken"
  | "pasteKey"
  | "register"
  | "rotate"
  | "settings"
  | "startImport"
  | "takeOver"
  | { to: string; label: TextKey }

const rowsOf = (list: string, column: string, value: string, label: TextKey): Mend => ({
  to: `/svc/${list}?${new URLSearchParams({ [column]: JSON.stringify([value]) })}`,
  label,
})

const MENDS: Readonly<Record<string, Mend>> = {
  // What has failed, or waits for the store itself, over all connections: each row has its reason and its own button.
  orders_failed: rowsOf("orders", "state", "failed", "problems.showOrders"),
  orders_delayed: rowsOf("orders", "state", "waiting", "problems.showOrders"),
  products_failed: rowsOf("products", "state", "failed", "problems.showProducts"),
  deliveries_failed: rowsOf("deliveries", "outcome", "failed", "problems.showDeliveries"),
  deliveries_quarantined: rowsOf("deliveries", "outcome", "quarantined", "problems.showDeliveries"),
  deliveries_unknown: rowsOf("deliveries", "outcome", "unknown", "problems.showDeliveries"),
  copy_of_another_store: "takeOver",
  webhook_other_address: "takeOver",
  svc_unauthorized: "enterToken",
  secret_unreadable: "enterToken",
  undeclared: "enterToken",
  webhook_not_registered: "register",
  webhook_missing: "register",
  webhook_disabled: "register",
  topics_missing: "register",
  webhook_key_unknown: "pasteKey",
  webhook_key_unsure: "rotate",
  // There a test is waited for, and the cause is found.
  webhook_silent: "settings",
  webhook_never_heard: "settings",
  webhook_warning: "settings",
  deliveries_refused: "settings",
  setting_unreadable: "settings",
  catalog_not_imported: "startImport",
  lookups_failing: "check",
}

/** Null where there is nothing in the admin to press. */
export const mendOf = (code: string): Mend | null =>
  MENDS[code] ?? (code.startsWith("svc_") ? "check" : null)
