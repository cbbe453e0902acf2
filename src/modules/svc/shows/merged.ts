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

/**
 * SQL: the event that stands for each of some campaigns at each connection: of several the latest that is not deleted
 * (interface §6.2 rule 2), each as its families are merged. An event that moved to another campaign stands for that one.
 *
 * @param concerns the condition for a row with `connection_id` and `campaign_uid`, by the name of that row
 */
export const eventsOfCampaigns = (concerns: (row: string) => string): string => `
  SELECT DISTINCT ON (connection_id, campaign_uid) * FROM (
    SELECT DISTINCT ON (${MERGED_EVENTS.key}) told.connection_id, told.event_id, told.campaign_uid, told.status,
      told.is_published, told.deadline, told.occurred_at, told.deleted_in_svc_at AS deleted_at
    FROM svc_live_event told
    WHERE told.deleted_at IS NULL AND (told.connection_id, told.event_id) IN (
      SELECT named.connection_id, named.event_id FROM svc_live_event named WHERE ${concerns("named")})
    ORDER BY ${MERGED_EVENTS.order}
  ) merged
  WHERE ${concerns("merged")}
  ORDER BY connection_id, campaign_uid, deleted_at IS NULL DESC, occurred_at DESC`

/**
 * SQL: joins as `show` the event that names the campaign of a row: the latest; a show that was deleted still has its name.
 *
 * @param row the name of a row with `connection_id` and `campaign_uid`
 */
export const latestShowOf = (row: string): string => `
  LEFT JOIN LATERAL (
    SELECT event.event_id, event.name FROM svc_live_event event
    WHERE event.connection_id = ${row}.connection_id AND event.campaign_uid = ${row}.campaign_uid
    ORDER BY event.deleted_in_svc_at IS NULL DESC, event.occurred_at DESC LIMIT 1) show ON true`
