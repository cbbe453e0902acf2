export * from "./attribute-order"
export * from "./campaign-revenue"
export * from "./report-orders"
export * from "./wake"
