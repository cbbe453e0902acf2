import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import { ORDER_NO_KEY } from "../cart/line-columns"
import type { CartPlan } from "../cart/plan"
import { rawNumberSql } from "../shared/big-number"
import { changeRows, RECORD_CHANGES } from "./price-changes"

/**
 * What is recorded before core changes a cart, in one statement: the order number with its mirror in the cart's metadata,
 * and what a shopper must be told.
 */
const BEFORE = `
WITH frozen AS (
  SELECT 1 FROM svc_cart_order_number met
  WHERE met.cart_id = :cartId AND met.order_id IS NOT NULL AND met.deleted_at IS NULL LIMIT 1
), recorded AS (
  INSERT INTO svc_cart_order_number (id, cart_id, connection_id, campaign_uid, order_no, checkout_quantities, used_at)
  SELECT number.id, :cartId, number.connection_id, number.campaign_uid, number.order_no, number.checkout_quantities, clock_timestamp()
  FROM jsonb_to_recordset(CAST(:numbers AS jsonb))
    AS number (id text, connection_id text, campaign_uid text, order_no text, checkout_quantities jsonb)
  WHERE NOT EXISTS (SELECT 1 FROM frozen)
  ON CONFLICT (cart_id, order_no, connection_id, campaign_uid) WHERE deleted_at IS NULL
  DO UPDATE SET used_at = EXCLUDED.used_at, checkout_quantities = EXCLUDED.checkout_quantities, updated_at = now()
    WHERE svc_cart_order_number.order_id IS NULL
  RETURNING id
), shown AS (
  UPDATE cart SET metadata = coalesce(cart.metadata, '{}'::jsonb) || CAST(:shown AS jsonb), updated_at = now()
  WHERE cart.id = :cartId AND CAST(:shown AS jsonb) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM frozen)
  RETURNING cart.id
), changed AS (${RECORD_CHANGES}
)
SELECT (SELECT count(*) FROM recorded)::int AS recorded`

/**
 * What is recorded once the lines are as planned, in one statement: the proofs, of created lines as well, which are found by
 * what was planned of them. A created line is compared by its price too: a shopper can write the same metadata on a line
 * whose custom price other code set.
 *
 * Core fills in the original price of a sale where we strike nothing through; that is taken back here.
 */
const AFTER = `
WITH planned AS (
  SELECT * FROM jsonb_to_recordset(CAST(:proofs AS jsonb)) AS proof (id text, line_id text, variant_id text,
    product_id text, connection_id text, campaign_uid text, order_no text, amount numeric, is_tax_inclusive boolean,
    compare_at numeric, source text, fetched_at float8, expires_at float8, held_quantity numeric,
    answer jsonb)
), found AS (
  SELECT DISTINCT ON (item.id) planned.*, item.id AS item_id
  FROM planned
  JOIN cart_line_item item ON item.cart_id = :cartId AND item.deleted_at IS NULL AND (
    item.id = planned.line_id
    OR planned.line_id IS NULL AND item.is_custom_price AND item.variant_id = planned.variant_id
      AND item.unit_price = planned.amount AND item.metadata->>'svc_campaign_uid' = planned.campaign_uid)
  ORDER BY item.id, planned.line_id NULLS LAST
), this_cart AS (
  SELECT cart.region_id, cart.currency_code FROM cart WHERE cart.id = :cartId
), proven AS (
  INSERT INTO svc_line_price (id, line_item_id, cart_id, connection_id, campaign_uid, order_no, product_id, variant_id,
    region_id, amount, raw_amount, currency_code, is_tax_inclusive, source, answer, fetched_at, expires_at, held_until,
    held_quantity, raw_held_quantity)
  SELECT found.id, found.item_id, :cartId, found.connection_id, found.campaign_uid, found.order_no, found.product_id,
    found.variant_id, this_cart.region_id, found.amount, ${rawNumberSql("found.amount")}, this_cart.currency_code,
    found.is_tax_inclusive, found.source, found.answer, to_timestamp(found.fetched_at / 1000), to_timestamp(found.expires_at / 1000),
    CASE WHEN found.held_quantity IS NULL THEN NULL ELSE now() + :holdMs * interval '1 millisecond' END,
    found.held_quantity, ${rawNumberSql("found.held_quantity")}
  FROM found, this_cart
  ON CONFLICT (line_item_id) WHERE deleted_at IS NULL
  DO UPDATE SET connection_id = EXCLUDED.connection_id, campaign_uid = EXCLUDED.campaign_uid,
    order_no = EXCLUDED.order_no, region_id = EXCLUDED.region_id, amount = EXCLUDED.amount,
    raw_amount = EXCLUDED.raw_amount, currency_code = EXCLUDED.currency_code,
    is_tax_inclusive = EXCLUDED.is_tax_inclusive, source = EXCLUDED.source, answer = EXCLUDED.answer, fetched_at = EXCLUDED.fetched_at,
    expires_at = EXCLUDED.expires_at, held_until = EXCLUDED.held_until, held_quantity = EXCLUDED.held_quantity,
    raw_held_quantity = EXCLUDED.raw_held_quantity, moving_at = NULL, is_open = true,
    updated_at = now()
  RETURNING line_item_id, variant_id
), repaired AS (
  UPDATE cart_line_item item
  SET compare_at_unit_price = found.compare_at, raw_compare_at_unit_price = ${rawNumberSql("found.compare_at")}
  FROM found
  WHERE item.id = found.item_id AND item.compare_at_unit_price IS DISTINCT FROM found.compare_at
  RETURNING item.id
), kept AS (
  UPDATE svc_line_price price
  SET moving_at = NULL, is_open = true,
    order_no = coalesce(line.order_no, price.order_no),
    held_until = CASE WHEN line.held_quantity IS NULL THEN price.held_until
      ELSE now() + :holdMs * interval '1 millisecond' END,
    held_quantity = coalesce(line.held_quantity, price.held_quantity),
    raw_held_quantity = CASE WHEN line.held_quantity IS NULL THEN price.raw_held_quantity
      ELSE ${rawNumberSql("line.held_quantity")} END,
    updated_at = now()
  FROM jsonb_to_recordset(CAST(:kept AS jsonb)) AS line (line_id text, order_no text, held_quantity numeric)
  WHERE price.line_item_id = line.line_id AND price.deleted_at IS NULL
  RETURNING price.id
), forgotten AS (
  DELETE FROM svc_line_price price WHERE price.line_item_id = ANY(:forget) RETURNING price.id
)
SELECT line_item_id, variant_id FROM proven`

/** What of a cart is recorded around core's own changes of it. */
export class CartRecords {
  constructor(private readonly knex: Knex) {}

  /** @returns false when the cart's order was placed meanwhile: from then on its numbers are frozen */
  async before(
    cartId: string,
    plan: Pick<CartPlan, "number" | "showOrderNo" | "changes">,
  ): Promise<boolean> {
    const { number, showOrderNo, changes } = plan
    if (!number && !showOrderNo && changes.length === 0) return true
    const {
      rows: [row],
    } = await this.knex.raw<{ rows: { recorded: number }[] }>(BEFORE, {
      cartId,
      numbers: JSON.stringify(
        number
          ? [
              {
                id: generateEntityId(undefined, "svccno"),
                connection_id: number.connectionId,
                campaign_uid: number.campaignUid,
                order_no: number.orderNo,
                checkout_quantities: number.checkoutQuantities,
              },
            ]
          : [],
      ),
      shown: showOrderNo === null ? null : JSON.stringify({ [ORDER_NO_KEY]: showOrderNo }),
      changes: JSON.stringify(changeRows(cartId, changes)),
    })
    return !number || row?.recorded === 1
  }

  /** @returns the lines whose price was proven */
  async after(
    cartId: string,
    plan: Pick<CartPlan, "proofs" | "restore" | "assign" | "hold" | "forget" | "orderNo">,
    holdMs: number,
  ): Promise<{ line_item_id: string; variant_id: string }[]> {
    const held = new Map(plan.hold.map(({ lineId, quantity }) => [lineId, quantity]))
    const provenLines = new Set(plan.proofs.flatMap(({ lineId }) => lineId ?? []))
    const assigned = new Set(plan.assign)
    const kept = [...new Set([...plan.restore, ...plan.assign, ...held.keys()])].filter(
      (lineId) => !provenLines.has(lineId),
    )
    if (plan.proofs.length + kept.length + plan.forget.length === 0) return []
    const { rows } = await this.knex.raw<{ rows: { line_item_id: string; variant_id: string }[] }>(
      AFTER,
      {
        cartId,
        holdMs,
        forget: plan.forget,
        kept: JSON.stringify(
          kept.map((lineId) => ({
            line_id: lineId,
            order_no: assigned.has(lineId) ? plan.orderNo : null,
            held_quantity: held.get(lineId) ?? null,
          })),
        ),
        proofs: JSON.stringify(
          plan.proofs.map(({ lineId, variantId, productId, price, by }) => ({
            id: generateEntityId(undefined, "svclp"),
            line_id: lineId,
            variant_id: variantId,
            product_id: productId,
            connection_id: by.connectionId,
            campaign_uid: by.campaignUid,
            order_no: by.orderNo,
            amount: price.amount,
            is_tax_inclusive: price.isTaxInclusive,
            compare_at: price.compareAt,
            source: price.source,
            answer: price.answer,
            fetched_at: price.fetchedAt,
            expires_at: price.expiresAt,
            held_quantity: (lineId && held.get(lineId)) ?? null,
          })),
        ),
      },
    )
    return rows
  }
}
