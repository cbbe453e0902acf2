import { priceCurrencyOf, type ShowOfProduct } from "../../../../../workflows/shows"

/** A show that has a product, and the product's price in it. */
export const showOfProductView = ({ event, product }: ShowOfProduct) => ({
  id: event.id,
  name: event.name,
  status: event.status,
  deleted_at: event.deleted_at,
  connection_id: event.connection_id,
  starts_at: event.starts_at,
  live_started_at: event.live_started_at,
  currency_code: priceCurrencyOf(event),
  price: product.price,
  suggested_retail_price: product.suggested_retail_price,
  variants: product.variants,
  /** Why it cannot be bought there; empty where it can. */
  problems: product.readiness.ready ? [] : product.readiness.problems,
})
