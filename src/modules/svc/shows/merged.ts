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
