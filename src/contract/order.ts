/**
 * Body of `POST /processOrders` (interface §4.3). Only the order number leaves the store, unless the merchant's own code
 * adds fields (gap 47).
 */
export type ProcessOrdersRequest = { svcOrderNumber: string } & Record<string, unknown>
