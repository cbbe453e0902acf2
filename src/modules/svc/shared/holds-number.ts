/**
 * SQL: an attribution has its order number to itself (gap 49). One that the service may have been told keeps it, although
 * its order was cancelled or left out; so does one whose page the connection has left, which is told when it comes back. One
 * that was never told, and whose connection is deleted, does not: nobody can tell it.
 */
export const HOLDS_NUMBER =
  "state <> 'duplicate' AND (state <> 'excluded' OR reason_code IN ('order_cancelled_maybe_told', 'left_out_maybe_told', 'page_left')) AND (state <> 'failed' OR reason_code <> 'connection_not_found') AND deleted_at IS NULL"
