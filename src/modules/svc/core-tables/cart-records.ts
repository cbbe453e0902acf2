import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ORDER_NO_KEY } from "../cart/line-columns"
import type { CartPlan } from "../cart/plan"
import type { NumberBefore } from "../cart/situation"
import { rawNumberSql } from "../shared/big-number"

/*
 * A plan's parts come as JSON, with the plan's own names.
 */

/**
 * What is recorded before core changes a cart, in one statement: the order number with its mirror in the cart's metadata,
 * and what a shopper must be told.
 *
 * A further change of a line replaces the first, of which a page may have shown the result: it takes a new id, counts as not
 * answered, and only a payment begun from now on agrees to it. What the first says of pieces stays: none is lost without a word.
 */
const BEFORE = `
WITH frozen AS (
  SELECT 1 FROM svc_cart_order_number met
  WHERE met.cart_id = :cartId AND met.order_id IS NOT NULL AND met.deleted_at IS NULL LIMIT 1
), recorded AS (
  INSERT INTO svc_cart_order_number (id, cart_id, connection_id, page, campaign_uid, order_no, checkout_quantities, used_at)
  SELECT 'svccno_' || gen_random_uuid(), :cartId, number."connectionId", number.page, number."campaignUid", number."orderNo",
    number."checkoutQuantities", clock_timestamp()
  FROM jsonb_to_recordset(CAST(:numbers AS jsonb))
    AS number ("connectionId" text, page text, "campaignUid" text, "orderNo" text, "checkoutQuantities" jsonb)
  WHERE NOT EXISTS (SELECT 1 FROM frozen)
  ON CONFLICT (cart_id, order_no, connection_id, campaign_uid) WHERE deleted_at IS NULL
  DO UPDATE SET used_at = EXCLUDED.used_at, page = EXCLUDED.page, checkout_quantities = EXCLUDED.checkout_quantities, updated_at = now()
    WHERE svc_cart_order_number.order_id IS NULL
  RETURNING id, used_at
), shown AS (
  UPDATE cart SET metadata = coalesce(cart.metadata, '{}'::jsonb) || CAST(:shown AS jsonb), updated_at = now()
  WHERE cart.id = :cartId AND CAST(:shown AS jsonb) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM frozen)
  RETURNING cart.id
), begun AS (
  SELECT coalesce(jsonb_agg(session.id), '[]'::jsonb) AS sessions
  FROM cart_payment_collection link
  JOIN payment_session session ON session.payment_collection_id = link.payment_collection_id AND session.deleted_at IS NULL
  WHERE link.cart_id = :cartId AND link.deleted_at IS NULL
), changed AS (
  INSERT INTO svc_price_change (id, cart_id, line_item_id, variant_id, title, old_unit_price, raw_old_unit_price,
    old_is_tax_inclusive, currency_code, old_quantity, raw_old_quantity, reason, reason_params, removed, sessions_before)
  SELECT 'svcpc_' || gen_random_uuid(), :cartId, change."lineId", change."variantId", change.title, change."oldUnitPrice",
    ${rawNumberSql('change."oldUnitPrice"')}, change."oldIsTaxInclusive", change.currency, change."oldQuantity",
    ${rawNumberSql('change."oldQuantity"')}, change.reason->>'code', change.reason->'params', change.removed, begun.sessions
  FROM begun, jsonb_to_recordset(CAST(:changes AS jsonb)) AS change ("lineId" text, "variantId" text, title text,
    "oldUnitPrice" numeric, "oldIsTaxInclusive" boolean, currency text, "oldQuantity" numeric, reason jsonb, removed boolean)
  ON CONFLICT (cart_id, line_item_id) WHERE told_at IS NULL AND deleted_at IS NULL
  DO UPDATE SET id = EXCLUDED.id, old_unit_price = EXCLUDED.old_unit_price, raw_old_unit_price = EXCLUDED.raw_old_unit_price,
    old_is_tax_inclusive = EXCLUDED.old_is_tax_inclusive, currency_code = EXCLUDED.currency_code,
    reason = EXCLUDED.reason, reason_params = EXCLUDED.reason_params, removed = EXCLUDED.removed,
    sessions_before = EXCLUDED.sessions_before, answered_at = NULL, updated_at = now()
  RETURNING id
)
SELECT recorded.id, recorded.used_at::text AS "writtenAt", met.used_at::text AS "usedAt",
  met.page, met.checkout_quantities AS "checkoutQuantities", cart.metadata->>'${ORDER_NO_KEY}' AS shown
FROM recorded
JOIN cart ON cart.id = :cartId
LEFT JOIN svc_cart_order_number met ON met.id = recorded.id`

/**
 * The number as it was before the statement above, and its mirror; one that was new is deleted. An order may be reported
 * under it otherwise, and a checkout link counts pieces that it never put in. Not where somebody has written it since.
 */
const TAKE_BACK = `
WITH written AS (
  SELECT met.id, met.cart_id, met.order_no FROM svc_cart_order_number met
  WHERE met.id = :id AND met.used_at = CAST(:writtenAt AS timestamptz) AND met.order_id IS NULL
), deleted AS (
  DELETE FROM svc_cart_order_number met USING written
  WHERE met.id = written.id AND CAST(:usedAt AS timestamptz) IS NULL
  RETURNING met.id
), restored AS (
  UPDATE svc_cart_order_number met
  SET used_at = CAST(:usedAt AS timestamptz), page = CAST(:page AS text), checkout_quantities = CAST(:checkoutQuantities AS jsonb), updated_at = now()
  FROM written
  WHERE met.id = written.id AND CAST(:usedAt AS timestamptz) IS NOT NULL
  RETURNING met.id
)
UPDATE cart SET metadata = CASE WHEN CAST(:shown AS text) IS NULL THEN cart.metadata - '${ORDER_NO_KEY}'
  ELSE cart.metadata || jsonb_build_object('${ORDER_NO_KEY}', CAST(:shown AS text)) END
FROM written
WHERE cart.id = written.cart_id AND cart.metadata->>'${ORDER_NO_KEY}' = written.order_no`

/**
 * What is recorded once the lines are as planned, in one statement: the proofs, of created lines as well, which are found by
 * what was planned of them. A created line is compared by its price too: a shopper can write the same metadata on a line
 * whose custom price other code set.
 *
 * Core fills in the original price of a sale where we strike nothing through; that is taken back here.
 */
const AFTER = `
WITH planned AS (
  SELECT proof.*, (proof.price->>'amount')::numeric AS amount, (proof.price->>'compareAt')::numeric AS compare_at
  FROM jsonb_to_recordset(CAST(:proofs AS jsonb))
    AS proof ("lineId" text, "variantId" text, "productId" text, price jsonb, by jsonb)
), held AS (
  SELECT line."lineId" AS line_id, line.quantity, now() + :holdMs * interval '1 millisecond' AS until
  FROM jsonb_to_recordset(CAST(:hold AS jsonb)) AS line ("lineId" text, quantity numeric)
), found AS (
  SELECT DISTINCT ON (item.id) planned.*, item.id AS item_id
  FROM planned
  JOIN cart_line_item item ON item.cart_id = :cartId AND item.deleted_at IS NULL AND (
    item.id = planned."lineId"
    OR planned."lineId" IS NULL AND item.is_custom_price AND item.variant_id = planned."variantId"
      AND item.unit_price = planned.amount AND item.metadata->>'svc_campaign_uid' = planned.by->>'campaignUid')
  ORDER BY item.id, planned."lineId" NULLS LAST
), proven AS (
  INSERT INTO svc_line_price (id, line_item_id, cart_id, connection_id, campaign_uid, order_no, product_id, variant_id,
    region_id, amount, raw_amount, currency_code, is_tax_inclusive, source, answer, fetched_at, expires_at, held_until,
    held_quantity, raw_held_quantity)
  SELECT 'svclp_' || gen_random_uuid(), found.item_id, cart.id, found.by->>'connectionId', found.by->>'campaignUid',
    found.by->>'orderNo', found."productId", found."variantId", cart.region_id, found.amount, ${rawNumberSql("found.amount")},
    cart.currency_code, (found.price->>'isTaxInclusive')::boolean, found.price->>'source', found.price->'answer',
    to_timestamp((found.price->>'fetchedAt')::float8 / 1000), to_timestamp((found.price->>'expiresAt')::float8 / 1000),
    held.until, held.quantity, ${rawNumberSql("held.quantity")}
  FROM found JOIN cart ON cart.id = :cartId LEFT JOIN held ON held.line_id = found.item_id
  ON CONFLICT (line_item_id) WHERE deleted_at IS NULL
  DO UPDATE SET connection_id = EXCLUDED.connection_id, campaign_uid = EXCLUDED.campaign_uid,
    order_no = EXCLUDED.order_no, region_id = EXCLUDED.region_id, amount = EXCLUDED.amount,
    raw_amount = EXCLUDED.raw_amount, currency_code = EXCLUDED.currency_code,
    is_tax_inclusive = EXCLUDED.is_tax_inclusive, source = EXCLUDED.source, answer = EXCLUDED.answer, fetched_at = EXCLUDED.fetched_at,
    expires_at = EXCLUDED.expires_at, held_until = EXCLUDED.held_until, held_quantity = EXCLUDED.held_quantity,
    raw_held_quantity = EXCLUDED.raw_held_quantity, moving_at = NULL, is_open = true,
    updated_at = now()
  RETURNING id
), repaired AS (
  UPDATE cart_line_item item
  SET compare_at_unit_price = found.compare_at, raw_compare_at_unit_price = ${rawNumberSql("found.compare_at")}
  FROM found
  WHERE item.id = found.item_id AND item.compare_at_unit_price IS DISTINCT FROM found.compare_at
  RETURNING item.id
), kept AS (
  UPDATE svc_line_price price
  SET moving_at = NULL, is_open = true,
    order_no = CASE WHEN price.line_item_id = ANY(:assign) THEN :orderNo ELSE price.order_no END,
    held_until = coalesce(held.until, price.held_until), held_quantity = coalesce(held.quantity, price.held_quantity),
    raw_held_quantity = coalesce(${rawNumberSql("held.quantity")}, price.raw_held_quantity),
    updated_at = now()
  FROM unnest(CAST(:kept AS text[])) AS line (id) LEFT JOIN held ON held.line_id = line.id
  WHERE price.line_item_id = line.id AND price.deleted_at IS NULL
  RETURNING price.id
)
DELETE FROM svc_line_price price WHERE price.line_item_id = ANY(:forget) AND price.deleted_at IS NULL`

/** What of a cart is recorded around core's own changes of it. */
export class CartRecords {
  constructor(private readonly knex: Knex) {}

  /** @returns the number as it was; false when the cart's order was placed meanwhile: from then on its numbers are frozen */
  async before(
    cartId: string,
    { number, showOrderNo, changes }: Pick<CartPlan, "number" | "showOrderNo" | "changes">,
  ): Promise<NumberBefore | null | false> {
    if (!number && !showOrderNo && changes.length === 0) return null
    const {
      rows: [row],
    } = await this.knex.raw<{ rows: NumberBefore[] }>(BEFORE, {
      cartId,
      numbers: JSON.stringify(number ? [number] : []),
      shown: showOrderNo === null ? null : JSON.stringify({ [ORDER_NO_KEY]: showOrderNo }),
      changes: JSON.stringify(changes),
    })
    return number ? (row ?? false) : null
  }

  async takeBack({ checkoutQuantities, ...number }: NumberBefore): Promise<void> {
    await this.knex.raw(TAKE_BACK, {
      ...number,
      checkoutQuantities: JSON.stringify(checkoutQuantities ?? {}),
    })
  }

  /** Of changes of lines: an answer has carried them, or the shopper has agreed to them. */
  async noteChanges(column: "answered_at" | "told_at", ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.knex("svc_price_change")
      .whereIn("id", ids)
      .whereNull(column)
      .update({ [column]: this.knex.raw("clock_timestamp()") })
  }

  async after(
    cartId: string,
    plan: Pick<CartPlan, "proofs" | "restore" | "assign" | "hold" | "forget" | "orderNo">,
    holdMs: number,
  ): Promise<void> {
    const { proofs, restore, assign, hold, forget, orderNo } = plan
    const proven = new Set(proofs.map(({ lineId }) => lineId))
    const kept = [...restore, ...assign, ...hold.map(({ lineId }) => lineId)].filter(
      (lineId) => !proven.has(lineId),
    )
    if (proofs.length + kept.length + forget.length === 0) return
    await this.knex.raw(AFTER, {
      cartId,
      holdMs,
      orderNo,
      assign,
      kept,
      forget,
      proofs: JSON.stringify(proofs),
      hold: JSON.stringify(hold),
    })
  }
}
