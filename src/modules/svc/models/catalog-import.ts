import { model } from "@medusajs/framework/utils"

/**
 * A full import: a cursor that walks the store's products and marks them in bulk, resumable from the row.
 *
 * running <-> paused; running -> completed | failed; running, paused -> cancelled. A new import is a new row.
 */
export const SvcCatalogImport = model
  .define("svc_catalog_import", {
    id: model.id({ prefix: "svcimp" }).primaryKey(),
    connection_id: model.text(),
    status: model
      .enum(["running", "paused", "completed", "cancelled", "failed"])
      .default("running"),
    /** Id of the last product that was marked; null before the first page. */
    cursor: model.text().nullable(),
    /** Whether the cursor has reached the end. Sending what it marked is the worker's. */
    marked_all: model.boolean().default(false),
    total: model.number().default(0),
    /** Counts as they were when the import ended; while it is open they are counted from the items. */
    done: model.number().default(0),
    failed: model.number().default(0),
    started_at: model.dateTime(),
    finished_at: model.dateTime().nullable(),
    error: model.text().nullable(),
  })
  .indexes([
    { on: ["connection_id", "started_at"] },
    {
      name: "IDX_svc_catalog_import_open",
      on: ["connection_id"],
      unique: true,
      where: "status IN ('running', 'paused') AND deleted_at IS NULL",
    },
  ])
