import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Connection } from "../models"
import { HOLDS_NUMBER } from "../shared/holds-number"
import { pageOf } from "../shared/page-of"
import { reasonOfRow } from "../shared/reason"
import type { SetupEvidence, StorefrontCheck } from "./setup-steps"

type Found = {
  has_synced: boolean
  has_imported: boolean
  player_at: Date | null
  order_state: "waiting" | "reported" | "failed" | "excluded" | null
  order_at: Date | null
  reason_code: string | null
  reason_message: string | null
  reason_fix: string | null
  reason_params: unknown
}

/** What our own tables know of a connection's first steps. */
export class SetupRows {
  constructor(private readonly knex: Knex) {}

  /**
   * Of the page that the connection has now (`catalog/target.ts`): what was tried with another one shows nothing of it.
   *
   * Each part stops at the first row that it finds: a store with a hundred thousand rows is answered as fast as a new
   * one. Of the orders one that was reported counts before one that waits, that before one that failed, and that before one
   * that is reported to nobody.
   */
  async read(
    connection: Pick<Connection, "id" | "base_url" | "page_uid">,
  ): Promise<Pick<SetupEvidence, "has_synced" | "has_imported" | "player_at" | "order">> {
    const { rows } = await this.knex.raw<{ rows: Found[] }>(
      `SELECT
         EXISTS (SELECT 1 FROM svc_catalog_item item
           WHERE item.connection_id = :id AND item.state = 'synced' AND item.acknowledged_target IN (:page, 'feed ' || :page)
             AND item.deleted_at IS NULL) AS has_synced,
         EXISTS (SELECT 1 FROM svc_catalog_import walk
           WHERE walk.connection_id = :id AND walk.kind = 'import' AND walk.status = 'completed' AND walk.deleted_at IS NULL) AS has_imported,
         (SELECT met.used_at FROM svc_cart_order_number met
          WHERE met.connection_id = :id AND met.page = :page AND met.deleted_at IS NULL LIMIT 1) AS player_at,
         sale.state AS order_state, COALESCE(sale.reported_at, sale.placed_at) AS order_at,
         sale.reason_code, sale.reason_message, sale.reason_fix, sale.reason_params
       FROM (SELECT 1) one
       LEFT JOIN LATERAL (
         SELECT found.* FROM unnest(ARRAY['reported', 'waiting', 'failed', 'excluded']) WITH ORDINALITY AS wanted (state, rank)
         CROSS JOIN LATERAL (
           SELECT * FROM svc_attribution
           WHERE connection_id = :id AND page = :page AND state = wanted.state AND deleted_at IS NULL
             AND (state = 'excluded' OR (${HOLDS_NUMBER})) LIMIT 1
         ) found
         ORDER BY wanted.rank LIMIT 1
       ) sale ON true`,
      { id: connection.id, page: pageOf(connection) },
    )
    const [found] = rows
    return {
      has_synced: found?.has_synced ?? false,
      has_imported: found?.has_imported ?? false,
      player_at: found?.player_at ?? null,
      order: {
        state: found?.order_state ?? "none",
        at: found?.order_at ?? null,
        reason: found ? reasonOfRow(found) : null,
      },
    }
  }

  /** Keeps what a look at the storefront found. */
  async recordStorefront(id: string, check: StorefrontCheck): Promise<void> {
    await this.knex("svc_connection")
      .where({ id, storefront_url: check.url })
      .update({ storefront_check: JSON.stringify(check), updated_at: new Date() })
  }
}
