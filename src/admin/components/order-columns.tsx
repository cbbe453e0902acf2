import { numberOf } from "../lib/order"
import type { AttributedOrder } from "../lib/types"
import { type Column, stateColumn, whenColumn } from "./columns"
import { SoldAmount } from "./sold-amount"

/** What is seen of an order wherever orders are listed: its number, whether it was reported, what it bought in the show. */
export const NUMBER: Column<AttributedOrder> = {
  id: "display_id",
  label: "orders.columns.order",
  sort: true,
  size: 110,
  phone: true,
  cell: numberOf,
}
export const STATE: Column<AttributedOrder> = {
  ...stateColumn("state", "orders.columns.state", "order", 170),
  sort: true,
}
export const AMOUNT: Column<AttributedOrder> = {
  id: "gross",
  label: "orders.columns.amount",
  right: true,
  phone: true,
  cell: (order) => <SoldAmount order={order} />,
}
export const PLACED: Column<AttributedOrder> = whenColumn("placed_at", "orders.columns.placed", 130)
