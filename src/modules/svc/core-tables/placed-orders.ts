import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CartLine, MetNumber, Proof } from "../orders/attribute-order"
import type { OrderFacts } from "../orders/judge-report"
import type { CopiedLine } from "../orders/match-lines"
import { ulidFloor } from "../shared/ulid"

/** A placed order, its cart, and what the cart met. */
export type PlacedOrder = {
  orderId: string
  displayId: number | null
  currencyCode: string
  /** Null for an order that Medusa left half-placed. */
  cartId: string | null
  /** `svc_test` of its metadata, as text. */
  testMark: string | null
  /** A provider has held or taken money for it once: Medusa cancels an authorised payment where an edit changes the total. */
  wasPaid: boolean
  facts: OrderFacts
}

/** What decides which of an order's lines a show sold. */
export type OrderOrigin = { numbers: MetNumber[]; cart: CartLine[]; placed: PlacedOrderLine[] }
type PlacedOrderLine = CopiedLine & { productId: string | null }

type FactsRow = {
  id: string
  display_id: number | null
  currency_code: string
  created_at: Date
  canceled_at: Date | null
  email: string | null
  is_test: boolean
  test_mark: string | null
  has_consent: boolean
  cart_id: string | null
  is_due: boolean
  is_deferred: boolean
  is_authorised: boolean
  is_captured: boolean
  was_authorised: boolean
}

/** The least primary keys that Medusa gives from a moment on. */
function keysSince(since: Date) {
  const floor = ulidFloor(since)
  return {
    item: `orditem_${floor}`,
    moved: `ordtrx_${floor}`,
    credit: `ordcl_${floor}`,
    payment: `pay_${floor}`,
    lineTax: `ordlitxl_${floor}`,
    shippingTax: `ordsmtxl_${floor}`,
  }
}

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

const FACTS = `
  SELECT o.id, o.display_id, o.currency_code, o.created_at, o.canceled_at, o.email, link.cart_id,
    o.metadata->>'svc_test' AS test_mark,
    -- What the order was placed with came from the cart, which anyone can write: a mark that came later is the merchant's.
    ${isYes("svc_test", "o.metadata")} AND (sale.id IS NULL
      OR coalesce(sale.test_mark, '') <> o.metadata->>'svc_test') AS is_test,
    ${isYes("svc_consent", "o.metadata", "cart.metadata")} AS has_consent,
    coalesce(money.is_due, false) AS is_due,
    coalesce(money.is_deferred, false) AS is_deferred,
    coalesce(money.is_authorised, false) AS is_authorised,
    coalesce(money.is_captured, false) AS is_captured,
    coalesce(money.was_authorised, false) AS was_authorised
  FROM "order" o
  LEFT JOIN order_cart link ON link.order_id = o.id AND link.deleted_at IS NULL
  LEFT JOIN cart ON cart.id = link.cart_id
  LEFT JOIN svc_show_order sale ON sale.order_id = o.id AND sale.deleted_at IS NULL
  LEFT JOIN LATERAL (
    SELECT bool_or(collection.amount > 0) AS is_due,
      bool_or(EXISTS (
        SELECT 1 FROM payment_session session
        WHERE session.payment_collection_id = collection.id
          AND session.status = 'pending_authorization' AND session.deleted_at IS NULL)) AS is_deferred,
      bool_or(EXISTS (
        SELECT 1 FROM payment
        WHERE payment.payment_collection_id = collection.id
          AND payment.canceled_at IS NULL AND payment.deleted_at IS NULL)) AS is_authorised,
      bool_or(EXISTS (
        SELECT 1 FROM payment
        WHERE payment.payment_collection_id = collection.id AND payment.deleted_at IS NULL)) AS was_authorised,
      bool_or(EXISTS (
        SELECT 1 FROM payment
        JOIN capture ON capture.payment_id = payment.id AND capture.deleted_at IS NULL
        WHERE payment.payment_collection_id = collection.id
          AND payment.deleted_at IS NULL)) AS is_captured
    FROM payment_collection collection
    WHERE collection.deleted_at IS NULL AND collection.id IN (${COLLECTIONS})) money ON true`

/** Placed orders as Medusa has them, found through the cart that each was made from. */
export class PlacedOrders {
  constructor(private readonly knex: Knex) {}

  /** Orders that are gone are left out. */
  async read(orderIds: string[], on: Knex = this.knex): Promise<Map<string, PlacedOrder>> {
    const { rows } = await on.raw<{ rows: FactsRow[] }>(
      `${FACTS} WHERE o.id = ANY(?) AND o.deleted_at IS NULL`,
      [orderIds],
    )
    return new Map(rows.map((row) => [row.id, placedOrderOf(row)]))
  }

  /**
   * Orders placed since a moment whose cart met the service and that are not written down yet. A range of the primary
   * key: what it costs depends on the orders of that time, not on the carts of a month.
   */
  async unattributedSince(since: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT DISTINCT link.order_id FROM order_cart link
       JOIN "order" o ON o.id = link.order_id AND o.deleted_at IS NULL
       JOIN svc_cart_order_number number ON number.cart_id = link.cart_id
         AND number.order_id IS NULL AND number.deleted_at IS NULL
       WHERE link.order_id >= ? AND link.order_id > ? AND link.deleted_at IS NULL
       ORDER BY link.order_id LIMIT ?`,
      [`order_${ulidFloor(since)}`, after, limit],
    )
    return rows.map((row) => row.order_id)
  }

  /**
   * Orders of shows that changed since a moment, a page: each version of an order has rows of its own, and so have money,
   * payments, and taxes that were computed again. Found by the primary keys of those rows, for changes that Medusa tells no
   * event of and for events that were lost. An order whose ledger was made after the change is not among them.
   */
  async changedSince(since: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `WITH changed AS (
         SELECT item.order_id, max(item.created_at) AS at FROM order_item item
         WHERE item.id >= :item GROUP BY item.order_id
         UNION ALL SELECT moved.order_id, moved.created_at FROM order_transaction moved WHERE moved.id >= :moved
         UNION ALL SELECT credit.order_id, credit.created_at FROM order_credit_line credit WHERE credit.id >= :credit
         UNION ALL SELECT paid.order_id, payment.created_at FROM payment
           JOIN order_payment_collection paid ON paid.payment_collection_id = payment.payment_collection_id
           WHERE payment.id >= :payment
         UNION ALL SELECT item.order_id, tax.created_at FROM order_line_item_tax_line tax
           JOIN order_item item ON item.item_id = tax.item_id WHERE tax.id >= :lineTax
         UNION ALL SELECT shipping.order_id, tax.created_at FROM order_shipping_method_tax_line tax
           JOIN order_shipping shipping ON shipping.shipping_method_id = tax.shipping_method_id
           WHERE tax.id >= :shippingTax)
       SELECT DISTINCT sale.order_id FROM changed
       JOIN svc_show_order sale ON sale.order_id = changed.order_id AND sale.deleted_at IS NULL
       WHERE sale.order_id > :after
         AND (sale.made_at IS NULL OR sale.made_at < changed.at + interval '1 minute')
       ORDER BY sale.order_id LIMIT :limit`,
      { ...keysSince(since), after, limit },
    )
    return rows.map((row) => row.order_id)
  }

  /** Orders whose ledger is of another version than they are, or that are cancelled or gone and it does not know. */
  async differing(after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT sale.order_id FROM svc_show_order sale
       LEFT JOIN "order" o ON o.id = sale.order_id AND o.deleted_at IS NULL
       WHERE sale.deleted_at IS NULL AND NOT sale.dirty AND sale.order_id > ?
         AND (coalesce(sale.version, 0) <> coalesce(o.version, 0)
           OR coalesce(sale.canceled_at, 'epoch') <> coalesce(o.canceled_at, 'epoch'))
       ORDER BY sale.order_id LIMIT ?`,
      [after, limit],
    )
    return rows.map((row) => row.order_id)
  }

  /**
   * Orders of a time span that Medusa left half-placed: they were made, and the process died before they were linked to
   * their cart. Of the cart they have only what anyone could write, its metadata; so the number must be one that a cart
   * met which was not ordered, and a line must be at a price that we proved for it.
   */
  async halfPlaced(since: Date, until: Date): Promise<{ orderId: string; cartId: string }[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string; cart_id: string }[] }>(
      `SELECT o.id AS order_id, min(number.cart_id) AS cart_id FROM "order" o
       JOIN svc_cart_order_number number ON number.order_no = o.metadata->>'svc_order_no'
         AND number.deleted_at IS NULL
       WHERE o.id >= ? AND o.id < ? AND o.deleted_at IS NULL AND o.canceled_at IS NULL
         AND NOT EXISTS (
           SELECT 1 FROM order_cart link WHERE link.order_id = o.id AND link.deleted_at IS NULL)
         AND NOT EXISTS (
           SELECT 1 FROM svc_show_order sale WHERE sale.order_id = o.id AND sale.deleted_at IS NULL)
         AND EXISTS (
           SELECT 1 FROM order_item item
           JOIN order_line_item line ON line.id = item.item_id
           JOIN svc_line_price price ON price.cart_id = number.cart_id AND price.deleted_at IS NULL
             AND price.variant_id = line.variant_id
             AND price.amount = coalesce(item.unit_price, line.unit_price)
           WHERE item.order_id = o.id AND item.deleted_at IS NULL)
       GROUP BY o.id`,
      [`order_${ulidFloor(since)}`, `order_${ulidFloor(until)}`],
    )
    return rows.map((row) => ({ orderId: row.order_id, cartId: row.cart_id }))
  }

  /** Orders of shows, placed since a moment, that are gone: core deletes an order whose payment failed. */
  async deletedSince(since: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT sale.order_id FROM svc_show_order sale
       LEFT JOIN "order" o ON o.id = sale.order_id AND o.deleted_at IS NULL
       WHERE sale.placed_at >= ? AND sale.deleted_at IS NULL AND sale.version IS NOT NULL
         AND o.id IS NULL AND sale.order_id > ?
       ORDER BY sale.order_id LIMIT ?`,
      [since, after, limit],
    )
    return rows.map((row) => row.order_id)
  }

  async ofPayment(paymentId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT paid.order_id FROM payment
       JOIN order_payment_collection paid ON paid.payment_collection_id = payment.payment_collection_id
         AND paid.deleted_at IS NULL
       WHERE payment.id = ?`,
      [paymentId],
    )
    return rows.map((row) => row.order_id)
  }

  /** Orders of shows that a customer placed. */
  async ofCustomer(customerId: string): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT sale.order_id FROM svc_show_order sale
       JOIN "order" o ON o.id = sale.order_id
       WHERE o.customer_id = ? AND sale.deleted_at IS NULL`,
      [customerId],
    )
    return rows.map((row) => row.order_id)
  }

  /**
   * Orders of shows whose customer was deleted and about which words of the service are still kept: nobody heard of the
   * deletion, or a report was made after it.
   */
  async ofErasedCustomers(limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT DISTINCT sale.order_id FROM svc_report_attempt attempt
       JOIN svc_attribution sale ON sale.id = attempt.attribution_id
       JOIN "order" o ON o.id = sale.order_id
       JOIN customer ON customer.id = o.customer_id AND customer.deleted_at IS NOT NULL
       WHERE attempt.excerpt IS NOT NULL AND attempt.deleted_at IS NULL
       LIMIT ?`,
      [limit],
    )
    return rows.map((row) => row.order_id)
  }

  /** What the cart met and how its lines looked, and the lines of the order that it became. */
  async origin(orderId: string, cartId: string): Promise<OrderOrigin> {
    const { rows } = await this.knex.raw<{ rows: [OriginRow] }>(
      `SELECT
         (SELECT jsonb_agg(jsonb_build_object(
            'orderNo', number.order_no, 'campaignUid', number.campaign_uid,
            'connectionId', number.connection_id, 'usedAt', number.used_at))
          FROM svc_cart_order_number number
          WHERE number.cart_id = ? AND number.deleted_at IS NULL) AS numbers,
         (SELECT jsonb_agg(jsonb_build_object(
            'id', line.id, 'variantId', line.variant_id, 'title', line.title,
            'quantity', line.quantity::text, 'unitPrice', line.unit_price::text,
            'isTaxInclusive', line.is_tax_inclusive, 'metadata', coalesce(line.metadata, '{}')::text,
            'isCustomPrice', line.is_custom_price,
            'proof', CASE WHEN price.id IS NULL THEN NULL ELSE jsonb_build_object(
              'connectionId', price.connection_id, 'campaignUid', price.campaign_uid,
              'orderNo', price.order_no, 'price', price.amount::text,
              'isTaxInclusive', price.is_tax_inclusive, 'fetchedAt', price.fetched_at,
              'expiresAt', price.expires_at, 'endedBeforeOrder', price.ended_before_order) END) ORDER BY line.id)
          FROM cart_line_item line
          LEFT JOIN svc_line_price price ON price.line_item_id = line.id AND price.deleted_at IS NULL
          WHERE line.cart_id = ? AND line.deleted_at IS NULL) AS cart,
         (SELECT jsonb_agg(jsonb_build_object(
            'id', line.id, 'variantId', line.variant_id, 'productId', line.product_id,
            'title', line.title, 'quantity', item.quantity::text,
            'unitPrice', coalesce(item.unit_price, line.unit_price, 0)::text,
            'isTaxInclusive', line.is_tax_inclusive,
            'metadata', coalesce(line.metadata, '{}')::text) ORDER BY line.id)
          FROM order_item item
          JOIN order_line_item line ON line.id = item.item_id
          WHERE item.order_id = ? AND item.deleted_at IS NULL AND item.version = (
            SELECT min(begin.version) FROM order_item begin WHERE begin.order_id = item.order_id)) AS placed`,
      [cartId, cartId, orderId],
    )
    return originOf(rows[0])
  }
}

type ToldProof = Omit<Proof, "fetchedAt" | "expiresAt"> & { fetchedAt: string; expiresAt: string }
type OriginRow = {
  numbers: (Omit<MetNumber, "usedAt"> & { usedAt: string })[] | null
  cart: (Omit<CartLine, "proof"> & { proof: ToldProof | null })[] | null
  placed: PlacedOrderLine[] | null
}

const originOf = ({ numbers, cart, placed }: OriginRow): OrderOrigin => ({
  numbers: (numbers ?? []).map((number) => ({ ...number, usedAt: new Date(number.usedAt) })),
  cart: (cart ?? []).map(({ proof, ...told }) => ({
    ...told,
    proof: proof && {
      ...proof,
      fetchedAt: new Date(proof.fetchedAt),
      expiresAt: new Date(proof.expiresAt),
    },
  })),
  placed: placed ?? [],
})

const placedOrderOf = (row: FactsRow): PlacedOrder => ({
  orderId: row.id,
  displayId: row.display_id,
  currencyCode: row.currency_code,
  cartId: row.cart_id,
  testMark: row.test_mark,
  wasPaid: row.was_authorised,
  facts: {
    orderId: row.id,
    placedAt: row.created_at,
    canceledAt: row.canceled_at,
    email: row.email,
    isTest: row.is_test,
    hasConsent: row.has_consent,
    payment: row.is_captured
      ? "captured"
      : row.is_authorised
        ? "authorised"
        : row.is_deferred
          ? "deferred"
          : row.is_due
            ? "unpaid"
            : "nothing_due",
  },
})
