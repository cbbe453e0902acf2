import type { Connection } from "../models"

/**
 * Which page a connection has: one page of one service. What it gives, as an order number, is its own: another page has
 * never heard of it, or has given the same number to somebody else.
 */
export const pageOf = ({ base_url, page_uid }: Pick<Connection, "base_url" | "page_uid">): string =>
  `${base_url} ${page_uid}`

/** SQL: the same, of a row of `svc_connection` that has this name. */
export const pageSql = (connection: string): string =>
  `concat_ws(' ', ${connection}.base_url, ${connection}.page_uid)`
