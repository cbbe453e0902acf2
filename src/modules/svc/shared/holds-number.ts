/**
 * SQL: an attribution has its order number to itself (gap 49). One that the service may have been told keeps it, although
 * its order was cancelled.
 */
export const HOLDS_NUMBER =
  "state <> 'duplicate' AND (state <> 'excluded' OR reason_code = 'order_cancelled_maybe_told') AND deleted_at IS NULL"
