import type { Connection } from "../models"

/**
 * Which page a connection has: one page of one service. What it gives, as an order number, is its own: another page has
 * never heard of it, or has given the same number to somebody else. `cart-situations.ts` says it in SQL.
 */
export const pageOf = ({ base_url, page_uid }: Pick<Connection, "base_url" | "page_uid">): string =>
  `${base_url} ${page_uid}`
