/**
 * When nothing may be sold any more at a campaign's price: once as SQL, for statements over many carts, and once as a
 * function, for one campaign that was read already. Change both together.
 */

/**
 * SQL condition on a row `price` of `svc_line_price`: its connection was deleted, or every event of its campaign that we
 * know of is deleted, cancelled or past its deadline. A campaign that no delivery told us about is not over.
 */
export const CAMPAIGN_OVER = `(
  NOT EXISTS (
    SELECT 1 FROM svc_connection connection
    WHERE connection.id = price.connection_id AND connection.deleted_at IS NULL)
  OR (SELECT bool_and(event.deleted_in_svc_at IS NOT NULL OR event.status = 'cancelled'
        OR coalesce(event.deadline <= now(), false))
      FROM svc_live_event event
      WHERE event.connection_id = price.connection_id AND event.campaign_uid = price.campaign_uid
        AND event.deleted_at IS NULL))`

/** The same for the event that stands for a campaign; null where no delivery told us about the campaign. */
export const isCampaignOver = (
  event: { deleted_at: Date | null; status: string; deadline: Date | null } | null,
  now: number,
): boolean =>
  event !== null &&
  (event.deleted_at !== null ||
    event.status === "cancelled" ||
    (event.deadline !== null && event.deadline.getTime() <= now))
