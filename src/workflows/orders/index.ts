export {
  LEDGER_FILTERS,
  type LedgerQuery,
  type LedgerRow,
} from "../../modules/svc/orders/ledger-list"
export {
  type ListedAttribution,
  type ListedLine,
  ORDER_COLUMNS,
  ORDER_FILTERS,
  type OrderedCampaign,
} from "../../modules/svc/orders/order-query"
export {
  connectionReportSettings,
  readReportSettings,
} from "../../modules/svc/orders/report-settings"
export {
  RESULT_COLUMNS,
  RESULT_GROUPS,
  type ResultQuery,
  type ResultRow,
} from "../../modules/svc/orders/result-query"
export * from "./attribute-order"
export * from "./erase-customer"
export { rebuildLedger, wakeLedger, workLedger } from "./keep-ledger"
export * from "./order-changed"
export * from "./order-events"
export { reportNow } from "./report-orders"
export * from "./report-worker"
export * from "./sweep-orders"
