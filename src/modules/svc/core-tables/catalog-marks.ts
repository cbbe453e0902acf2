import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { REASON } from "../catalog/reasons"

/** SQL: whether the product of a row `item` is for sale in the sales channel `:channel`. */
const IS_FOR_SALE = `EXISTS (
  SELECT 1 FROM product
  JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
  WHERE product.id = item.product_id AND link.sales_channel_id = :channel
    AND product.deleted_at IS NULL AND product.status = 'published')`

/**
 * Marks: which products of the store the service has to be told about. A mark raises `wanted` of the product's row in
 * `svc_catalog_item`, or makes the row; `CatalogItemRows` does the rest.
 */
export class CatalogMarks {
  constructor(private readonly knex: Knex) {}

  /**
   * Marks products dirty for every connection concerned, in one upsert: the connections whose sales channel has the
   * product, and those that know it already (it may have left the channel or the store).
   *
   * @returns how many rows were marked
   */
  async mark(productIds: string[]): Promise<number> {
    if (productIds.length === 0) return 0
    return this.#upsert(
      `SELECT connection.id, product.id, product.title
       FROM product
       JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
       JOIN svc_connection connection
         ON connection.sales_channel_id = link.sales_channel_id AND connection.deleted_at IS NULL
       WHERE product.id = ANY(:ids) AND product.deleted_at IS NULL
       UNION
       SELECT item.connection_id, item.product_id, item.title
       FROM svc_catalog_item item
       JOIN svc_connection connection ON connection.id = item.connection_id AND connection.deleted_at IS NULL
       WHERE item.product_id = ANY(:ids) AND item.deleted_at IS NULL
         -- The store's title wins; two rows of one key would break the upsert.
         AND NOT EXISTS (
           SELECT 1 FROM product
           JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
           WHERE product.id = item.product_id AND product.deleted_at IS NULL
             AND link.sales_channel_id = connection.sales_channel_id)`,
      { ids: productIds },
      { prioritised: true, force: false },
    )
  }

  /**
   * Marks products of one connection in bulk: behind every other mark, and without a change of the shown state.
   *
   * @param force whether they are sent even if the service should have an equal payload
   */
  async markInBulk(connectionId: string, productIds: string[], force = false): Promise<number> {
    if (productIds.length === 0) return 0
    return this.#upsert(
      `SELECT :connection, wanted.id, COALESCE(product.title, '')
       FROM unnest(CAST(:ids AS text[])) AS wanted (id) LEFT JOIN product ON product.id = wanted.id`,
      { connection: connectionId, ids: productIds },
      { prioritised: false, force },
    )
  }

  /**
   * Rows are written in the order of connection and product, as every statement on many rows of this table does: two
   * that overlap wait for each other and never deadlock.
   *
   * @param select `connection_id, product_id, title` of the products to mark
   */
  async #upsert(
    select: string,
    bindings: Record<string, string | string[]>,
    { prioritised, force }: { prioritised: boolean; force: boolean },
  ): Promise<number> {
    const { rowCount } = await this.knex.raw<{ rowCount: number }>(
      `INSERT INTO svc_catalog_item AS item
         (id, connection_id, product_id, title, state, wanted, live, force, next_attempt_at, created_at, updated_at)
       SELECT 'svcprod_' || replace(gen_random_uuid()::text, '-', ''), source.*, 'pending', 1, CAST(:prioritised AS boolean), CAST(:force AS boolean), now(), now(), now()
       FROM (${select}) AS source (connection_id, product_id, title)
       ORDER BY source.connection_id, source.product_id
       ON CONFLICT (connection_id, product_id) WHERE deleted_at IS NULL DO UPDATE SET
         wanted = item.wanted + 1,
         -- A product that is gone for good has no title to give.
         title = COALESCE(NULLIF(EXCLUDED.title, ''), item.title),
         live = EXCLUDED.live OR (item.live AND item.wanted > item.acknowledged),
         force = item.force OR EXCLUDED.force,
         next_attempt_at = now(),
         -- A dead letter is tried again, with 24 hours of its own.
         attempts = CASE WHEN item.wanted > item.acknowledged THEN item.attempts ELSE 0 END,
         failing_since = CASE WHEN item.wanted > item.acknowledged THEN item.failing_since END,
         ${prioritised ? `state = 'pending',` : ""}
         updated_at = now()`,
      { ...bindings, prioritised, force },
    )
    return rowCount
  }

  /**
   * Ids of products that are not for sale in the channel any more while their row does not say so yet. This finds what
   * no event told us, such as a product that left its channel by SQL.
   */
  async productsThatLeft(connectionId: string, salesChannelId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { product_id: string }[] }>(
      `SELECT item.product_id FROM svc_catalog_item item
       WHERE item.connection_id = :connection AND item.deleted_at IS NULL
         AND item.wanted = item.acknowledged AND item.state <> 'removed' AND NOT ${IS_FOR_SALE}`,
      { connection: connectionId, channel: salesChannelId },
    )
    return rows.map((row) => row.product_id)
  }

  /** Drafts of the channel are not sent: writes rows that say why, so that a merchant who misses one finds the reason. */
  async explainUnpublished(connectionId: string, salesChannelId: string): Promise<void> {
    await this.knex.raw(
      `INSERT INTO svc_catalog_item
         (id, connection_id, product_id, title, state, wanted, acknowledged, live, reason_code, reason_message, reason_fix)
       SELECT 'svcprod_' || replace(gen_random_uuid()::text, '-', ''), :connection, product.id, product.title,
         'removed', 1, 1, false, :code, :message, :fix
       FROM product JOIN product_sales_channel link ON link.product_id = product.id AND link.deleted_at IS NULL
       WHERE link.sales_channel_id = :channel AND product.deleted_at IS NULL AND product.status <> 'published'
       ORDER BY product.id
       ON CONFLICT (connection_id, product_id) WHERE deleted_at IS NULL DO NOTHING`,
      { connection: connectionId, channel: salesChannelId, ...REASON.not_published() },
    )
  }
}
