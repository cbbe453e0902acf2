import { model } from "@medusajs/framework/utils"

/**
 * What is done for a connection again and again (`shows/connection-work.ts`): reading the listings, looking prices of shows
 * up, and looking after our subscriber. One row for each kind, made when it is first asked for.
 */
export const SvcConnectionWork = model
  .define("svc_connection_work", {
    id: model.id({ prefix: "svcwork" }).primaryKey(),
    connection_id: model.text(),
    kind: model.enum(["listings", "prices", "subscriber"]),
    /** How often it was asked for, and up to which of these it is done (`WorkRows`). */
    wanted: model.number().default(1),
    acknowledged: model.number().default(0),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    /** What stands in its way; null when nothing does. */
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    reason_params: model.json().nullable(),
    /** Of listings only: why they were asked for, see `PULL_CAUSES`. */
    cause: model.text().nullable(),
    /** Of listings only: since when deliveries may have been missed; null once they are surely newer than that (gap 20). */
    missed_at: model.dateTime().nullable(),
    /** Of listings only: when they were read. */
    read_at: model.dateTime().nullable(),
    /** Of listings only: whether each was read to its end then: only a whole one tells by what it lacks (gap 20). */
    read_whole: model.boolean().nullable(),
    /** Of listings only: a process that receives was here. A gap in it is one in which we may have been away (gap 20). */
    alive_at: model.dateTime().nullable(),
  })
  .indexes([{ on: ["connection_id", "kind"], unique: true, where: "deleted_at IS NULL" }])
