import { SELLS } from "../cart/campaign-state"

/**
 * Gap 6: a record has a row for each topic family; it is in the family that showed it alive last, and gone when that family
 * says so. A late deletion in the family it left does not hide it, and one that left without a deletion does not haunt.
 * These are the orders by which `DISTINCT ON` takes that row, for every statement that reads our copy of the shows.
 */
export const MERGED_EVENTS = {
  key: "connection_id, event_id",
  order:
    "connection_id, event_id, absent_at IS NULL DESC, alive_at DESC NULLS LAST, deleted_in_svc_at IS NULL DESC, occurred_at DESC, kind",
} as const

export const MERGED_PRODUCTS = {
  key: "connection_id, campaign_uid, uid",
  order:
    "connection_id, campaign_uid, uid, alive_at DESC NULLS LAST, deleted_in_svc_at IS NULL DESC, occurred_at DESC, kind",
} as const

/** Of several events of one campaign the latest that is not deleted stands for it: interface §6.2 rule 2. */
export const STANDS_FOR_CAMPAIGN = "deleted_at IS NULL DESC, occurred_at DESC"

/**
 * SQL: the campaign of the row `alias` (with `connection_id` and `campaign_uid`) sells nothing any more, because its
 * connection is gone or its event says so (`SELLS`). A campaign that nobody told us of is not over.
 */
export const campaignOver = (alias: string): string => `(
  NOT EXISTS (
    SELECT 1 FROM svc_connection connection
    WHERE connection.id = ${alias}.connection_id AND connection.deleted_at IS NULL)
  OR coalesce((
    SELECT NOT ${SELLS} FROM (
      SELECT DISTINCT ON (${MERGED_EVENTS.key}) told.campaign_uid, told.status, told.deadline, told.occurred_at,
        told.deleted_in_svc_at AS deleted_at
      FROM svc_live_event told
      WHERE told.deleted_at IS NULL AND told.connection_id = ${alias}.connection_id AND told.event_id IN (
        SELECT named.event_id FROM svc_live_event named
        WHERE named.connection_id = ${alias}.connection_id AND named.campaign_uid = ${alias}.campaign_uid)
      ORDER BY ${MERGED_EVENTS.order}
    ) merged
    WHERE merged.campaign_uid = ${alias}.campaign_uid
    ORDER BY ${STANDS_FOR_CAMPAIGN} LIMIT 1), false))`
