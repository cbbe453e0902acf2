import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { CursorRows } from "../shared/cursor-rows"
import { FEW_PRODUCTS, LANE } from "../shared/lanes"
import { TITLE_LENGTH } from "../shared/title-length"
import { type ChangeKind, changedProducts } from "./product-changes"

/** What moves without an event. */
export type Moving = "price_list" | "inventory_level"

/** SQL: edits of one product within it go together; the first goes at once. */
export const SPACING = "interval '1 second'"
/** SQL: how long a product that fails waits at most once somebody has edited it. */
export const EDITED_WAIT = "interval '2 seconds'"

/** Marks of one event may be this many in one statement; more are marked page by page. */
const PAGE = 2_000

/** SQL: as much of a title as the row keeps. */
const titleOf = (product: string): string => `left(${product}.title, ${TITLE_LENGTH})`

/**
 * Marks: which products of the store the service has to be told about. A mark raises `wanted` of the product's row in
 * `svc_catalog_item`, or makes the row; `CatalogItemRows` does the rest.
 */
export class CatalogMarks {
  constructor(private readonly knex: Knex) {}

  /**
   * Marks the products that show what changed, for every connection concerned: those whose sales channel has the
   * product, and those that know it already (it may have left the channel or the store).
   *
   * @returns connections with new marks; `unexplained` where a thing changed that is not there any more, so that nobody
   *   can tell which products showed it
   */
  async markChanged(
    changes: ReadonlyMap<ChangeKind, ReadonlySet<string>>,
  ): Promise<{ connectionIds: string[]; unexplained: boolean }> {
    const changed = changedProducts(changes)
    if (!changed) return { connectionIds: [], unexplained: false }
    const { rows } = await this.knex.raw<{ rows: { ids: string[]; unexplained: boolean }[] }>(
      `SELECT ARRAY(${changed.products}) AS ids, ${changed.unexplained} AS unexplained`,
      changed.bindings,
    )
    const { ids = [], unexplained = false } = rows[0] ?? {}
    return { connectionIds: await this.#markMany(ids), unexplained }
  }

  /**
   * Marks products for every connection concerned.
   *
   * @param walk for its connection alone, and for its import, where it is one: that waits until they are settled
   * @returns connections with new marks
   */
  async mark(
    productIds: string[],
    lane: number = LANE.edit,
    walk: { connectionId: string; importId: string | null } | null = null,
  ): Promise<string[]> {
    const connectionIds = new Set<string>()
    // In the order in which rows are locked everywhere, so that pages of two changes do not cross.
    const sorted = [...new Set(productIds)].sort()
    for (let start = 0; start < sorted.length; start += PAGE) {
      const { rows } = await this.knex.raw<{ rows: { connection_id: string }[] }>(MARK, {
        ids: sorted.slice(start, start + PAGE),
        lane,
        only: walk?.connectionId ?? null,
        importId: walk?.importId ?? null,
      })
      for (const row of rows) connectionIds.add(row.connection_id)
    }
    return [...connectionIds]
  }

  /**
   * Marks the products that show what moved since the last look, as far as they were read before it moved. How far was looked
   * is stored with the marks, so that hours without a worker are made up for, and nothing is looked at for longer than it
   * takes to be sure.
   */
  async markMoved(kind: Moving): Promise<string[]> {
    const moved = await this.moved(kind)
    const stale = new Set<string>()
    let failure: unknown
    for (let start = 0, end = 0; start < moved.length; start = end) {
      end = endOfGroup(moved, start, MOVING[kind].together)
      const some = moved.slice(start, end)
      const ids = some.map(({ id }) => id)
      try {
        for (const id of await this.staleSince(kind, ids, some.at(-1)?.at ?? new Date(0)))
          stale.add(id)
      } catch (error) {
        // One that is too large keeps no other from being seen.
        failure ??= error
      }
    }
    const connectionIds = await this.#markMany([...stale])
    if (failure) throw failure
    await new CursorRows(this.knex).moveTo(
      MOVING[kind].cursor,
      moved[0]?.seen ?? this.knex.fn.now(),
    )
    return connectionIds
  }

  /** What moved since the last look, in its order. */
  async moved(kind: Moving): Promise<{ id: string; at: Date; seen: Date }[]> {
    const { cursor, moved } = MOVING[kind]
    const { rows } = await this.knex.raw<{ rows: { id: string; at: Date; seen: Date }[] }>(
      `WITH looked AS (
         SELECT COALESCE(max(position), now()) - ${OVERLAP} AS at FROM svc_cursor WHERE name = :cursor AND deleted_at IS NULL)
       SELECT moved.id, moved.at, now() AS seen FROM looked CROSS JOIN LATERAL (${moved}) AS moved ORDER BY moved.at`,
      { cursor },
    )
    return rows
  }

  /** Products that were read before it moved: the same is looked at again in the next minute, to no effect. */
  async staleSince(kind: Moving, ids: string[], at: Date): Promise<string[]> {
    const shown = changedProducts(new Map([[kind, new Set(ids)]]))
    if (!shown) return []
    const { rows } = await this.knex.raw<{ rows: { id: string }[] }>(
      `SELECT DISTINCT item.product_id AS id
       FROM svc_catalog_item item
       WHERE item.product_id = ANY(ARRAY(${shown.products})) AND item.deleted_at IS NULL
         -- A worker that has the row may have read it before it moved, and settle it after our last look.
         AND (${IS_AT_REST} OR item.lease_token IS NOT NULL)
         AND (item.read_at IS NULL OR item.read_at < CAST(:at AS timestamptz) + ${GRACE})`,
      { ...shown.bindings, at },
    )
    return rows.map(({ id }) => id)
  }

  #markMany(ids: string[]): Promise<string[]> {
    return this.mark(ids, ids.length > FEW_PRODUCTS ? LANE.mass : LANE.edit)
  }
}

/**
 * `moved` is SQL for their ids and when they moved; `together` are as many as are looked at in one go, at most.
 *
 * Medusa emits nothing where the window of a price list opens or closes. And the events of a workflow that fails are
 * forgotten: while a payment is declined at last, the order's pieces were reserved, and whoever read the stock then has read
 * too little.
 */
const MOVING: Record<Moving, { cursor: string; moved: string; together: number }> = {
  price_list: {
    cursor: "price_lists",
    moved: `SELECT list.id, max(boundary.at) AS at
      FROM price_list list
      CROSS JOIN LATERAL (VALUES (list.starts_at), (list.ends_at), (list.updated_at)) AS boundary (at)
      WHERE list.deleted_at IS NULL AND boundary.at <= now() AND boundary.at > looked.at
      GROUP BY list.id`,
    together: 1,
  },
  inventory_level: {
    cursor: "inventory_levels",
    moved: `SELECT level.id, level.updated_at AS at
      FROM inventory_level level WHERE level.updated_at <= now() AND level.updated_at > looked.at`,
    together: PAGE,
  },
}

/** Where the next group of what moved begins: those of a group are looked at by the time of its last. */
function endOfGroup(moved: { at: Date }[], start: number, most: number): number {
  const first = moved[start]?.at.getTime() ?? 0
  let end = start + 1
  while (end < start + most && (moved[end]?.at.getTime() ?? Infinity) - first < GROUP_MS) end++
  return end
}
/** What moved within it is looked at together. */
const GROUP_MS = 5_000

/**
 * SQL: nothing sends the row soon: a mark that is an import's alone waits while the import is paused, or goes with it. What
 * the service never got is left to the import.
 */
const IS_AT_REST = `(item.wanted = item.acknowledged OR item.lane = ${LANE.import} AND item.acknowledged_hash IS NOT NULL)`
/** Clocks differ, and `updated_at` is older than its commit: a product that was read this soon after is read again. */
const GRACE = "interval '30 seconds'"
/** A change that was committed late bears a time before the last look. */
const OVERLAP = "interval '2 minutes'"

/**
 * SQL of a WITH: the connections, none of which is deleted until the statement is committed. Whoever deletes one waits, and
 * finds the rows that were made for it; else they would stay for ever. Nothing else waits for this lock.
 */
const LIVING = `living AS MATERIALIZED (
    SELECT id, sales_channel_id FROM svc_connection
    WHERE deleted_at IS NULL AND (CAST(:only AS text) IS NULL OR id = :only) ORDER BY id FOR KEY SHARE)`

/**
 * SQL: `connection_id, product_id, title` of products `changed`, for the connections that sell them or know them. The ids are handed on
 * as an array: joined, Postgres would read whole tables for a few hundred of them.
 */
const CONCERNED = `
  SELECT DISTINCT ON (connection_id, product_id) connection_id, product_id, title
  FROM (
    SELECT connection.id AS connection_id, product.id AS product_id, ${titleOf("product")} AS title, 1 AS choice
    FROM product_sales_channel link
    JOIN product ON product.id = link.product_id AND product.deleted_at IS NULL
    JOIN living connection ON connection.sales_channel_id = link.sales_channel_id
    WHERE link.product_id = ANY(ARRAY(SELECT id FROM changed)) AND link.deleted_at IS NULL
    UNION ALL
    SELECT item.connection_id, item.product_id, item.title, 2
    FROM svc_catalog_item item
    JOIN living connection ON connection.id = item.connection_id
    WHERE item.product_id = ANY(ARRAY(SELECT id FROM changed)) AND item.deleted_at IS NULL
  ) AS found
  -- Most products are found twice, and the store's title wins. Sorted, not joined: in a young store, whose tables are
  -- empty by their statistics, Postgres would compare every product with every other one.
  ORDER BY connection_id, product_id, choice`

/**
 * SQL that marks products: rows are written in the order of connection and product, as every statement on many rows of this table
 * does, so that two that overlap wait for each other and never deadlock.
 */
const MARK = `
  WITH changed AS (SELECT unnest(CAST(:ids AS text[])) AS id), ${LIVING}, marked AS (
  INSERT INTO svc_catalog_item AS item
    (id, connection_id, product_id, title, state, wanted, lane, import_id, next_attempt_at, created_at, updated_at)
  SELECT 'svcprod_' || replace(gen_random_uuid()::text, '-', ''), source.*, 'pending', 1,
    CAST(:lane AS int), CAST(:importId AS text), now(), now(), now()
  FROM (${CONCERNED}) AS source (connection_id, product_id, title)
  ORDER BY source.connection_id, source.product_id
  ON CONFLICT (connection_id, product_id) WHERE deleted_at IS NULL DO UPDATE SET
    wanted = item.wanted + 1,
    -- A product that is gone for good has no title to give.
    title = COALESCE(NULLIF(EXCLUDED.title, ''), item.title),
    lane = CASE WHEN item.wanted > item.acknowledged THEN LEAST(item.lane, EXCLUDED.lane) ELSE EXCLUDED.lane END,
    import_id = COALESCE(EXCLUDED.import_id, item.import_id),
    next_attempt_at = CASE
      -- An edit may mend what fails; but not every edit of many is a call that fails.
      WHEN item.wanted > item.acknowledged AND item.attempts > 0 AND item.lease_token IS NULL
        THEN LEAST(item.next_attempt_at, now() + ${EDITED_WAIT})
      ELSE GREATEST(now(), item.last_pushed_at + ${SPACING}) END,
    attempts = CASE WHEN item.wanted > item.acknowledged THEN item.attempts ELSE 0 END,
    -- A walk tries again what was refused: it stays refused until it is answered.
    state = CASE WHEN EXCLUDED.lane = ${LANE.import} OR item.state = 'failed' AND CAST(:only AS text) IS NOT NULL
      THEN item.state ELSE 'pending' END,
    updated_at = now()
  RETURNING item.connection_id)
  SELECT DISTINCT connection_id FROM marked`
