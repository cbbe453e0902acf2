import { generateEntityId } from "@medusajs/framework/utils"
import type { NewPriceChange } from "../cart/plan"
import { rawNumberSql } from "../shared/big-number"

/**
 * SQL: records what shoppers must be told of carts, from `:changes` (`changeRows`); a part of the statement that writes the
 * rest of a plan, because a line must not change without it.
 *
 * A further change of a line keeps the line as it was before the first one: that is the one that the shopper saw. Everything
 * else is of the latest: it takes a new id, counts as not answered, and only a payment begun from now on agrees to it.
 */
export const RECORD_CHANGES = `
  INSERT INTO svc_price_change (id, cart_id, line_item_id, variant_id, title, old_unit_price, raw_old_unit_price,
    old_is_tax_inclusive, currency_code, old_quantity, raw_old_quantity, reason, reason_params, removed, sessions_before)
  SELECT change.id, change.cart_id, change.line_item_id, change.variant_id, change.title, change.old_unit_price,
    ${rawNumberSql("change.old_unit_price")}, change.old_is_tax_inclusive, change.currency_code, change.old_quantity,
    ${rawNumberSql("change.old_quantity")}, change.reason, change.reason_params, change.removed, (
      SELECT coalesce(jsonb_agg(begun.id), '[]'::jsonb)
      FROM cart_payment_collection link
      JOIN payment_session begun ON begun.payment_collection_id = link.payment_collection_id AND begun.deleted_at IS NULL
      WHERE link.cart_id = change.cart_id AND link.deleted_at IS NULL)
  FROM jsonb_to_recordset(CAST(:changes AS jsonb)) AS change (id text, cart_id text, line_item_id text, variant_id text,
    title text, old_unit_price numeric, old_is_tax_inclusive boolean, currency_code text, old_quantity numeric, reason text,
    reason_params jsonb, removed boolean)
  ON CONFLICT (cart_id, line_item_id) WHERE told_at IS NULL AND deleted_at IS NULL
  DO UPDATE SET id = EXCLUDED.id, reason = EXCLUDED.reason, reason_params = EXCLUDED.reason_params,
    removed = EXCLUDED.removed, sessions_before = EXCLUDED.sessions_before,
    answered_at = NULL, updated_at = now()
  RETURNING id`

export const changeRows = (cartId: string, changes: NewPriceChange[]) =>
  changes.map((change) => ({
    id: generateEntityId(undefined, "svcpc"),
    cart_id: cartId,
    line_item_id: change.lineId,
    variant_id: change.variantId,
    title: change.title,
    old_unit_price: change.oldUnitPrice,
    old_is_tax_inclusive: change.oldIsTaxInclusive,
    currency_code: change.currency,
    old_quantity: change.oldQuantity,
    reason: change.reason.code,
    reason_params: change.reason.params ?? null,
    removed: change.removed,
  }))
