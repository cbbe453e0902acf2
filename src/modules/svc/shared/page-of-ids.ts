import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Binding } from "./conditions"

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
 * rows of the page by their ids. A page of the list's second half is read from its end: the last page costs what the
 * first one does.
 */
export async function readPageOfIds(knex: Knex, listed: ListedRows): Promise<PageOfIds> {
  if (listed.readsAll) return readAllOnce(knex, listed)
  const counting = async () => {
    const { rows } = await knex.raw<{ rows: [{ count: number }] }>(
      `SELECT count(*)::int AS count FROM ${listed.from} WHERE ${listed.where}`,
      listed.bindings,
    )
    return rows[0].count
  }
  if (listed.offset === 0) {
    const [ids, count] = await Promise.all([read(knex, listed, listed), counting()])
    return { ids, count }
  }
  const count = await counting()
  const part = nearerEnd({ ...listed, count })
  if (part.limit === 0) return { ids: [], count }
  const ids = await read(knex, listed, part)
  return { ids: part.fromEnd ? ids.reverse() : ids, count }
}

/**
 * Where a page is the fewest rows away: from the list's beginning, or from its end, where it is read in the opposite order.
 * `limit` 0: there is no such page.
 */
export function nearerEnd(page: { offset: number; limit: number; count: number }): {
  fromEnd: boolean
  offset: number
  limit: number
} {
  const limit = Math.max(0, Math.min(page.limit, page.count - page.offset))
  const after = page.count - page.offset - limit
  return after < page.offset
    ? { fromEnd: true, offset: Math.max(0, after), limit }
    : { fromEnd: false, offset: page.offset, limit }
}

async function read(
  knex: Knex,
  { from, row, where, bindings, order }: ListedRows,
  part: { fromEnd?: boolean; offset: number; limit: number },
): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `SELECT ${row}.id FROM ${from} WHERE ${where}
     ORDER BY ${sortBy(`${row}.${order.column}`, `${row}.id`, order, part.fromEnd)} LIMIT ? OFFSET ?`,
    [...bindings, part.limit, part.offset],
  )
  return rows.map(({ id }) => id)
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

function sortBy(
  value: string,
  id: string,
  { direction, nullsLast = false }: ListedRows["order"],
  opposite = false,
): string {
  const written = opposite ? (direction === "ASC" ? "DESC" : "ASC") : direction
  // Postgres' own place of NULL turns with the direction, and an index is read backwards only where none is named.
  const nulls = nullsLast ? `NULLS ${opposite ? "FIRST" : "LAST"}` : ""
  return `${value} ${written} ${nulls}, ${id} ${written}`
}

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

/** Rows in the order of their ids; those that went meanwhile are left out. */
export function inOrder<Row extends { id: string }>(ids: readonly string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * SQL: columns as one text in small letters, to compare with `lower(?)`: all of them are read once, and not again for each
 * column. A line break stands between them, which nobody can type into a search.
 */
export const asOneText = (columns: readonly string[]): string =>
  `lower(${columns.map((column) => `coalesce(${column}, '')`).join(" || E'\\n' || ")})`

/**
 * SQL: each word that a person typed is somewhere in the columns, as Medusa's own lists search.
 *
 * @param q escaped for `LIKE`
 */
export function containsWords(
  columns: readonly string[],
  q: string,
): { where: string; bindings: string[] } {
  const words = q.split(/\s+/).filter(Boolean)
  return {
    where: words.map(() => `${asOneText(columns)} LIKE lower(?)`).join(" AND ") || "true",
    bindings: words.map((word) => `%${word}%`),
  }
}
