import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Binding, Conditions } from "./conditions"

/** Which page of a list is asked for. */
export type AskedPage<Column extends string> = {
  order: { column: Column; direction: "ASC" | "DESC" }
  limit: number
  offset: number
}

/** Which rows a list shows, and in which order. */
export type ListedRows = {
  /** SQL: the table, and the name by which `where` and `column` call its row: `svc_delivery row`. */
  from: string
  row: string
  where: string
  bindings: Binding[]
  /** The id decides between equal values, in the same direction. */
  order: { column: string; direction: "ASC" | "DESC"; nullsLast?: boolean }
  limit: number
  offset: number
  /** No index serves the conditions: every row is read, and so it is done once for the page and the number of all. */
  readsAll: boolean
}

/** A page of a list as ids in the list's order, and how many rows all pages have. */
export type PageOfIds = { ids: string[]; count: number }

/**
 * Finds a page of a list. Ids alone can be read from an index, without the rows that the page skips; whoever asks reads the
 * rows of the page by their ids.
 */
export async function readPageOfIds(knex: Knex, listed: ListedRows): Promise<PageOfIds> {
  if (listed.readsAll) return readAllOnce(knex, listed)
  const { from, row, where, bindings, order, limit, offset } = listed
  const [ids, count] = await Promise.all([
    knex.raw<{ rows: { id: string }[] }>(
      `SELECT ${row}.id FROM ${from} WHERE ${where}
       ORDER BY ${sortBy(`${row}.${order.column}`, `${row}.id`, order)} LIMIT ? OFFSET ?`,
      [...bindings, limit, offset],
    ),
    knex.raw<{ rows: [{ count: number }] }>(
      `SELECT count(*)::int AS count FROM ${from} WHERE ${where}`,
      bindings,
    ),
  ])
  return { ids: ids.rows.map(({ id }) => id), count: count.rows[0].count }
}

async function readAllOnce(knex: Knex, listed: ListedRows): Promise<PageOfIds> {
  const { from, row, where, bindings, order, limit, offset } = listed
  const { rows } = await knex.raw<{ rows: [PageOfIds] }>(
    `WITH found AS MATERIALIZED (SELECT ${row}.id, ${row}.${order.column} AS value FROM ${from} WHERE ${where})
     SELECT (SELECT count(*)::int FROM found) AS count,
       ARRAY(SELECT id FROM found ORDER BY ${sortBy("value", "id", order)} LIMIT ? OFFSET ?) AS ids`,
    [...bindings, limit, offset],
  )
  return rows[0]
}

const sortBy = (
  value: string,
  id: string,
  { direction, nullsLast = false }: ListedRows["order"],
): string =>
  // An index is read backwards only where no place of NULL is named.
  `${value} ${direction} ${nullsLast ? "NULLS LAST" : ""}, ${id} ${direction}`

/**
 * All of a long list, a page at a time from where the page before ended: what it takes of memory does not grow with it.
 *
 * @param read a page after a row; of the first page after null
 */
export async function* pagesAfter<Row>(
  size: number,
  read: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | null | undefined = null
  while (last !== undefined) {
    const rows: Row[] = await read(last)
    if (rows.length > 0) yield rows
    last = rows.length < size ? undefined : rows.at(-1)
  }
}

/**
 * A page of the rows of one table, and how many all pages have.
 *
 * @param list.conditions and the columns call a row of the table `listed`
 */
export async function listRows<Row extends { id: string }>(
  knex: Knex,
  list: Pick<ListedRows, "order" | "limit" | "offset" | "readsAll"> & {
    table: string
    columns: readonly string[]
    conditions: Conditions
  },
): Promise<{ rows: Row[]; count: number }> {
  const { table, columns, conditions, ...page } = list
  const { where, bindings } = conditions
  const { ids, count } = await readPageOfIds(knex, {
    from: `${table} listed`,
    row: "listed",
    where,
    bindings,
    ...page,
  })
  const rows: Row[] = await knex(table).select(columns).whereIn("id", ids)
  return { rows: inOrder(ids, rows), count }
}

/** Rows in the order of their ids; those that went meanwhile are left out. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
