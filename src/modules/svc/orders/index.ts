import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import { AttributionRows } from "./attribution-rows"
import { LedgerList } from "./ledger-list"
import { LedgerWriter, type ReadsOrders } from "./ledger-writer"
import { ReportAttempts } from "./report-attempts"

/**
 * Orders: the store's own, which of them came from a show, each call that reports one, and what they earned.
 *
 * @param parts.pool of background work; `knex` is for what the admin lists
 * @param parts.store statements on Medusa's own tables
 */
export function createOrders<Store extends { placedOrders: ReadsOrders }>(parts: {
  knex: Knex
  pool: Knex
  leases: ProcessLeases
  store: Store
}) {
  const { knex, pool, leases, store } = parts
  return {
    ...store,
    attributions: new AttributionRows(pool, leases),
    reportAttempts: new ReportAttempts(pool),
    ledger: new LedgerWriter(pool, leases, store.placedOrders),
    ledgerList: new LedgerList(knex),
  }
}

// What workflows use of this room beside its face: pure decisions and the types of its rows.
export { attributeOrder, linesAsPlaced } from "./attributed-order"
export type { AttributionRow } from "./attribution-rows"
export { entriesOf, soldBy } from "./entries"
export { judgeReport, ruleThatLeavesOut, WAIT_DAYS } from "./judge-report"
export { LEDGER_FILTERS, type LedgerRow } from "./ledger-list"
export {
  type ListedAttribution,
  type ListedLine,
  ORDER_COLUMNS,
  ORDER_FILTERS,
  type OrderedCampaign,
  type OrderQuery,
} from "./order-query"
export type { PlacedOrder } from "./placed-order"
export { EXCLUDED, FAILED } from "./reasons"
export { fieldsOf, type ReportFields } from "./report-fields"
export {
  type ReportSettings,
  readReportSettings,
  reportSettings,
} from "./report-settings"
export { RESULT_COLUMNS, RESULT_GROUPS, type ResultQuery, type ResultRow } from "./result-query"
