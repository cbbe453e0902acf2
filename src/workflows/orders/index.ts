export {
  LEDGER_FILTERS,
  type LedgerRow,
  type ListedAttribution,
  type ListedLine,
  ORDER_COLUMNS,
  ORDER_FILTERS,
  type OrderedCampaign,
  RESULT_COLUMNS,
  RESULT_GROUPS,
  type ResultQuery,
  type ResultRow,
  readReportSettings,
  reportSettings,
} from "../../modules/svc/orders"
export * from "./attribute-order"
export { rebuildLedger, wakeLedger, workLedger } from "./keep-ledger"
export * from "./order-changed"
export * from "./order-events"
export { reportNow } from "./report-orders"
export * from "./report-worker"
export * from "./sweep-orders"
