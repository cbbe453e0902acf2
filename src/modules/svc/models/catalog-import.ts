import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"

/**
 * A walk over all products of a connection's sales channel: `import` where a person asked for it, `compare` by night and
 * after a change that concerns the whole market. Resumable from its row.
 *
 * running <-> paused; running -> completed | failed; running, paused -> cancelled. A new walk is a new row.
 */
export const SvcCatalogImport = model
  .define("svc_catalog_import", {
    id: model.id({ prefix: "svcimp" }).primaryKey(),
    connection_id: model.text(),
    kind: model.enum(["import", "compare"]).default("import"),
    status: model
      .enum(["running", "paused", "completed", "cancelled", "failed"])
      .default("running"),
    /** Every product is sent, also where the service should have an equal one. */
    force: model.boolean().default(false),
    /** Id of the last product that was looked at; null before the first page. */
    cursor: model.text().nullable(),
    /** Whether the cursor has reached the end; what remains is settled by the worker. */
    marked_all: model.boolean().default(false),
    /** Products for sale: counted at the start, and at the end what was found. */
    total: model.number().default(0),
    /**
     * What was settled when it ended; until then it is counted. Products that are as they should be, those with a reason, and
     * those that are for sale in the store and that the connection's settings or the mapper leave out.
     */
    done: model.number().default(0),
    failed: model.number().default(0),
    left_out: model.number().default(0),
    started_at: model.dateTime(),
    /** Since when it runs without a pause, and how many were settled by then: what the rate is measured from. */
    resumed_at: model.dateTime().nullable(),
    settled_before: model.number().default(0),
    finished_at: model.dateTime().nullable(),
    /** Claims for a page that did not end; none is made before `next_attempt_at`: changes that come one after the other shall share a walk. */
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    /** Something changed that products which it has looked at may show: it begins anew when it has ended, no sooner than this. */
    again_at: model.dateTime().nullable(),
    error: model.text().nullable(),
    /** The connection's settings that payloads depend on, as they were when the walk began (`walk-rows.ts`). */
    settings: model.text().nullable(),
  })
  .indexes([
    { on: ["connection_id", "started_at"] },
    {
      name: "IDX_svc_catalog_import_open_walk",
      on: ["connection_id", "kind"],
      unique: true,
      where: "status IN ('running', 'paused') AND deleted_at IS NULL",
    },
  ])

export type CatalogImport = InferTypeOf<typeof SvcCatalogImport>
