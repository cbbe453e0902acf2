/**
 * SQL: of the rows `told` of a campaign the latest comes first; one that is deleted says nothing while another is not. Those
 * that only lists told of are of one time: then every statement takes the same.
 */
const LATEST = "told.deleted_in_svc_at IS NULL DESC, told.occurred_at DESC, told.event_id"

/** SQL: the deadline of the campaign of the row `told`: whichever of its events told it last, one that was cancelled too. */
const DEADLINE = "first_value(told.deadline) OVER latest"

/**
 * SQL: an event of the campaign of the row `told` is on air. Also one that only lists lack: no cart is priced again because
 * of that (gap 20), and the lookup decides.
 */
const RUNS = `(bool_or(told.status = 'live' AND told.deleted_in_svc_at IS NULL) OVER campaign
  AND (${DEADLINE} IS NULL OR ${DEADLINE} > now()))`

/**
 * SQL: since when we have the latest event of the campaign of the row `told` of which lists alone told. Nobody knows whether it
 * came before what was told of another until then: it may have been made while nothing was sent.
 */
const LISTED_AT = `max(told.created_at) FILTER (WHERE told.asked AND told.told_at IS NULL AND told.status <> 'cancelled'
  AND told.deleted_in_svc_at IS NULL AND told.absent_at IS NULL) OVER campaign`

/**
 * SQL: the event that stands for each of some campaigns at each connection: of several the latest that is not deleted
 * (interface §6.2 rule 2), each by the row that people see. An event that moved to another campaign stands for that one.
 * A cancelled one stands for no campaign of which another event runs, or may be the later one: else a date that is called
 * off would end the prices of the show that is on air, or that replaces it. What it told of the deadline counts all the same.
 * On what basis the campaign's prices are was noted on the events that were there: one that came later has the same.
 *
 * @param which the condition for the row `told`, with its `connection_id` and `campaign_uid`
 */
export const eventsOfCampaigns = (which: string): string => `
  SELECT DISTINCT ON (told.connection_id, told.campaign_uid) told.connection_id, told.event_id, told.campaign_uid,
    told.status, told.is_published, ${DEADLINE} AS deadline, told.occurred_at, told.deleted_in_svc_at AS deleted_at,
    max(told.price_currency) OVER campaign AS price_currency,
    bool_or(told.price_includes_vat) OVER campaign AS price_includes_vat
  FROM svc_live_event told
  WHERE told.shown AND told.deleted_at IS NULL AND ${which}
  WINDOW campaign AS (PARTITION BY told.connection_id, told.campaign_uid),
    latest AS (campaign ORDER BY ${LATEST})
  ORDER BY told.connection_id, told.campaign_uid, told.deleted_in_svc_at IS NULL DESC,
    told.status = 'cancelled' AND (${RUNS} OR coalesce(${LISTED_AT} > told.occurred_at, false)),
    told.occurred_at DESC, told.event_id`

/**
 * SQL: joins as `show` the event that names the campaign of a row: the latest; a show that was deleted still has its name.
 *
 * @param row the name of a row with `connection_id` and `campaign_uid`
 */
export const latestShowOf = (row: string): string => `
  LEFT JOIN LATERAL (
    SELECT event.event_id, event.name FROM svc_live_event event
    WHERE event.connection_id = ${row}.connection_id AND event.campaign_uid = ${row}.campaign_uid
      AND event.deleted_at IS NULL
    ORDER BY event.deleted_in_svc_at IS NULL DESC, event.occurred_at DESC, event.event_id LIMIT 1) show ON true`
