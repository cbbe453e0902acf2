/** Orders as Medusa's own tables have them, found by their ids, and the carts that they were made from. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CartLine, MetNumber } from "../orders/attributed-order"
import type { PlacedOrder } from "../orders/placed-order"

/** The exact text of a big number; Medusa's plain column is a rounded copy of it. */
const exact = (table: string, name: string) =>
  `coalesce(${table}.raw_${name}->>'value', ${table}.${name}::text)`

/** Pieces of the one statement, by what they bring; `o` is the order. Each is served by Medusa's index on the order. */
const LINES = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', line.id, 'variantId', line.variant_id, 'productId', line.product_id,
    'title', line.title, 'metadata', coalesce(line.metadata, '{}')::text,
    'isTaxInclusive', line.is_tax_inclusive, 'unitPrice', coalesce(${exact("line", "unit_price")}, '0'),
    'taxRates', coalesce((
      SELECT jsonb_agg(${exact("tax", "rate")} ORDER BY tax.id)
      FROM order_line_item_tax_line tax
      WHERE tax.item_id = line.id AND tax.deleted_at IS NULL), '[]'),
    'adjustments', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'version', adjustment.version, 'amount', ${exact("adjustment", "amount")},
        'isTaxInclusive', adjustment.is_tax_inclusive) ORDER BY adjustment.id)
      FROM order_line_item_adjustment adjustment
      WHERE adjustment.item_id = line.id AND adjustment.deleted_at IS NULL), '[]'),
    'versions', versions.rows) ORDER BY line.id)
  FROM (
    SELECT item.item_id, jsonb_agg(jsonb_build_object(
      'version', item.version, 'quantity', ${exact("item", "quantity")},
      'unitPrice', ${exact("item", "unit_price")},
      'returnReceived', ${exact("item", "return_received_quantity")},
      'returnDismissed', ${exact("item", "return_dismissed_quantity")},
      'createdAt', item.created_at) ORDER BY item.version) AS rows
    FROM order_item item
    WHERE item.order_id = o.id AND item.deleted_at IS NULL
    GROUP BY item.item_id) versions
  JOIN order_line_item line ON line.id = versions.item_id`

const SHIPPING = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', method.id, 'amount', ${exact("method", "amount")}, 'isTaxInclusive', method.is_tax_inclusive,
    'taxRates', coalesce((
      SELECT jsonb_agg(${exact("tax", "rate")} ORDER BY tax.id)
      FROM order_shipping_method_tax_line tax
      WHERE tax.shipping_method_id = method.id AND tax.deleted_at IS NULL), '[]'),
    'adjustments', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'version', adjustment.version, 'amount', ${exact("adjustment", "amount")}) ORDER BY adjustment.id)
      FROM order_shipping_method_adjustment adjustment
      WHERE adjustment.shipping_method_id = method.id AND adjustment.deleted_at IS NULL), '[]'),
    'versions', versions.rows) ORDER BY method.id)
  FROM (
    SELECT shipping.shipping_method_id, jsonb_agg(jsonb_build_object(
      'version', shipping.version, 'createdAt', shipping.created_at) ORDER BY shipping.version) AS rows
    FROM order_shipping shipping
    WHERE shipping.order_id = o.id AND shipping.deleted_at IS NULL
    GROUP BY shipping.shipping_method_id) versions
  JOIN order_shipping_method method ON method.id = versions.shipping_method_id`

/** Anybody may write metadata: what is no number must not stop the statement, which reads many orders. */
const CREDIT_LINES = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', credit.version, 'amount', ${exact("credit", "amount")},
    'createdInVersion', CASE WHEN credit.metadata->>'created_in_version' ~ '^[0-9]{1,9}$'
      THEN (credit.metadata->>'created_in_version')::int END,
    'createdAt', credit.created_at) ORDER BY credit.version, credit.id)
  FROM order_credit_line credit
  WHERE credit.order_id = o.id AND credit.deleted_at IS NULL`

const TRANSACTIONS = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', money.version, 'amount', ${exact("money", "amount")},
    'reference', money.reference) ORDER BY money.id)
  FROM order_transaction money
  WHERE money.order_id = o.id AND money.deleted_at IS NULL`

/** The receipt of a return says only which return: what that belongs to stands in its own row. */
const CHANGES = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', change.version, 'type', change.change_type, 'returnId', change.return_id,
    'exchangeId', coalesce(change.exchange_id, back.exchange_id),
    'claimId', coalesce(change.claim_id, back.claim_id),
    'confirmedAt', change.confirmed_at) ORDER BY change.version, change.created_at)
  FROM order_change change
  LEFT JOIN return back ON back.id = change.return_id
  WHERE change.order_id = o.id AND change.deleted_at IS NULL AND change.status = 'confirmed'`

const SWAPS = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', coalesce(action.exchange_id, action.claim_id),
    'direction', CASE action.action WHEN 'ITEM_ADD' THEN 'out' ELSE 'in' END,
    'lineId', action.details->>'reference_id') ORDER BY action.ordering)
  FROM order_change_action action
  WHERE action.order_id = o.id AND action.deleted_at IS NULL AND action.applied
    AND coalesce(action.exchange_id, action.claim_id) IS NOT NULL
    AND action.action IN ('ITEM_ADD', 'RETURN_ITEM', 'WRITE_OFF_ITEM')
    AND action.details->>'reference_id' IS NOT NULL`

/** Which show sold a line: ours, written down when the order was placed. */
const SHOWS = `
  SELECT jsonb_object_agg(sold.line_item_id, jsonb_build_object(
    'connectionId', sold.connection_id, 'campaignUid', sold.campaign_uid))
  FROM svc_show_order_line sold
  WHERE sold.order_id = o.id AND sold.deleted_at IS NULL`

/** A flag in metadata, however it was written: of the first of these rows that says anything. */
const isYes = (key: string, ...metadata: string[]) =>
  `coalesce(lower(coalesce(${metadata.map((column) => `${column}->>'${key}'`).join(", ")})) IN ('true', 'yes', '1'), false)`

/**
 * The payment collections of the row `o` and its cart. The cart's are there before the order is; the order's own comes
 * with the link to the cart.
 */
const COLLECTIONS = `
  SELECT paid.payment_collection_id FROM order_payment_collection paid
  WHERE paid.order_id = o.id AND paid.deleted_at IS NULL
  UNION
  SELECT began.payment_collection_id FROM cart_payment_collection began
  WHERE began.cart_id = link.cart_id AND began.deleted_at IS NULL`

/**
 * Whether the order cost anything when it was placed, as Medusa wrote it down then. Collections do not say it: one may ask
 * for what a gift card has paid since, and a later edit raises it or makes another.
 */
const WAS_DUE = `
  SELECT summary.totals @@ '$.original_order_total > 0' AS was_due
  FROM order_summary summary
  WHERE summary.order_id = o.id AND summary.deleted_at IS NULL
  ORDER BY summary.version, summary.created_at LIMIT 1`

/**
 * A payment that was cancelled or given back before the order was there is of an earlier attempt, and paid for nothing. One
 * that was cancelled later has paid: core cancels an authorised payment where an edit changes the total.
 */
const MONEY = `
  SELECT bool_or(collection.amount > 0) AS is_due,
    bool_or(session.status = 'pending_authorization') AS is_deferred,
    bool_or(payment.id IS NOT NULL) AS is_authorised,
    bool_or(capture.id IS NOT NULL) AS is_captured
  FROM payment_collection collection
  LEFT JOIN payment_session session
    ON session.payment_collection_id = collection.id AND session.deleted_at IS NULL
  LEFT JOIN payment
    ON payment.payment_collection_id = collection.id AND payment.deleted_at IS NULL
    AND coalesce(payment.canceled_at > o.created_at, true)
    AND NOT EXISTS (
      SELECT 1 FROM refund
      WHERE refund.payment_id = payment.id AND refund.deleted_at IS NULL AND refund.created_at < o.created_at)
  LEFT JOIN capture ON capture.payment_id = payment.id AND capture.deleted_at IS NULL
  WHERE collection.deleted_at IS NULL AND collection.id = ANY(ARRAY(${COLLECTIONS}))`

/** One statement, and so of one moment. */
const ORDER = `
  SELECT jsonb_build_object(
    'id', o.id, 'displayId', o.display_id, 'currencyCode', o.currency_code, 'version', o.version,
    'placedAt', o.created_at, 'canceledAt', o.canceled_at, 'email', o.email, 'cartId', link.cart_id,
    -- What the order was placed with came from the cart, which anyone can write until then: a mark that differs is the merchant's.
    'isTest', ${isYes("svc_test", "o.metadata")}
      AND o.metadata->>'svc_test' IS DISTINCT FROM cart.metadata->>'svc_test',
    'isAdmitted', EXISTS (
      SELECT 1 FROM svc_show_order admitted
      WHERE admitted.order_id = o.id AND admitted.admitted AND admitted.deleted_at IS NULL),
    'hasConsent', ${isYes("svc_consent", "o.metadata", "cart.metadata")},
    'payment', CASE WHEN NOT placed.was_due THEN 'nothing_due'
      WHEN settled.is_captured THEN 'captured' WHEN settled.is_authorised THEN 'authorised'
      WHEN settled.is_deferred THEN 'deferred'
      -- An edit that takes everything off makes what a collection asks for 0, and nobody has paid: the order stays unpaid.
      WHEN settled.is_due OR (placed.was_due AND settled.is_due IS NOT NULL) THEN 'unpaid' ELSE 'nothing_due' END,
    'lines', coalesce((${LINES}), '[]'), 'shipping', coalesce((${SHIPPING}), '[]'),
    'creditLines', coalesce((${CREDIT_LINES}), '[]'), 'transactions', coalesce((${TRANSACTIONS}), '[]'),
    'changes', coalesce((${CHANGES}), '[]'), 'swaps', coalesce((${SWAPS}), '[]'),
    'shows', coalesce((${SHOWS}), '{}'))::text AS told
  FROM "order" o
  LEFT JOIN order_cart link ON link.order_id = o.id AND link.deleted_at IS NULL
  LEFT JOIN cart ON cart.id = link.cart_id
  LEFT JOIN LATERAL (${WAS_DUE}) placed ON true
  LEFT JOIN LATERAL (${MONEY}) settled ON true
  WHERE o.id = ANY(?) AND o.deleted_at IS NULL`

/** What a cart met, and how its lines looked, with the proofs of their prices. */
const CART = `
  SELECT jsonb_build_object(
    'numbers', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'orderNo', number.order_no, 'campaignUid', number.campaign_uid,
        'connectionId', number.connection_id, 'page', number.page, 'usedAt', number.used_at))
      FROM svc_cart_order_number number
      WHERE number.cart_id = :cartId AND number.deleted_at IS NULL), '[]'),
    'cart', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'id', line.id, 'variantId', line.variant_id, 'title', line.title,
        'quantity', line.quantity::text, 'unitPrice', line.unit_price::text,
        'isTaxInclusive', line.is_tax_inclusive, 'metadata', coalesce(line.metadata, '{}')::text,
        'isCustomPrice', line.is_custom_price,
        'proof', CASE WHEN price.id IS NOT NULL THEN jsonb_build_object(
          'connectionId', price.connection_id, 'campaignUid', price.campaign_uid,
          'orderNo', price.order_no, 'price', price.amount::text,
          'isTaxInclusive', price.is_tax_inclusive, 'fetchedAt', price.fetched_at,
          'expiresAt', price.expires_at) END) ORDER BY line.id)
      FROM cart_line_item line
      LEFT JOIN svc_line_price price ON price.line_item_id = line.id AND price.deleted_at IS NULL
      WHERE line.cart_id = :cartId AND line.deleted_at IS NULL), '[]'))::text AS told`

/** Reads orders, with every version of them, and the carts that they were made from. */
export class PlacedOrders {
  constructor(private readonly knex: Knex) {}

  /** By id; those that are gone are left out. */
  async read(orderIds: string[], on: Knex = this.knex): Promise<Map<string, PlacedOrder>> {
    const { rows } = await on.raw<{ rows: Told[] }>(ORDER, [orderIds])
    return new Map(
      rows.map(({ told }) => {
        const order: PlacedOrder = JSON.parse(told, withTimes)
        return [order.id, order]
      }),
    )
  }

  async origin(cartId: string): Promise<{ numbers: MetNumber[]; cart: CartLine[] }> {
    const { rows } = await this.knex.raw<{ rows: [Told] }>(CART, { cartId })
    return JSON.parse(rows[0].told, withTimes)
  }
}

type Told = { told: string }

/** JSON brings times as texts. */
const withTimes = (name: string, value: unknown): unknown =>
  name.endsWith("At") && typeof value === "string" ? new Date(value) : value
