/**
 * Body of `POST /processOrders` (interface §4.3). Only the order number leaves the store; other fields are not shown
 * (gap 47).
 */
export type ProcessOrdersRequest = { svcOrderNumber: string }
