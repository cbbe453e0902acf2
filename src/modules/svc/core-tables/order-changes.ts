import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ulidFloor } from "../shared/ulid"

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

/** Which of Medusa's orders have to be looked at: what sweeps ask for, and what belongs to a payment or a customer. */
export class OrderChanges {
  constructor(private readonly knex: Knex) {}

  /**
   * Orders placed in a time span whose cart met the service and that are not written down yet. A range of the primary
   * key: what it costs depends on the orders of that time, not on the carts of a month.
   */
  async unattributed(since: Date, until: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT DISTINCT link.order_id FROM order_cart link
       JOIN "order" o ON o.id = link.order_id AND o.deleted_at IS NULL
       JOIN svc_cart_order_number number ON number.cart_id = link.cart_id
         AND number.order_id IS NULL AND number.deleted_at IS NULL
       WHERE link.order_id >= ? AND link.order_id > ? AND link.deleted_at IS NULL AND o.created_at < ?
       ORDER BY link.order_id LIMIT ?`,
      [`order_${ulidFloor(since)}`, after, until, limit],
    )
    return rows.map((row) => row.order_id)
  }

  /**
   * Orders of shows that changed since a moment, a page: each version of an order has rows of its own, and so have money,
   * payments, and taxes that were computed again. Found by the primary keys of those rows, and from there by Medusa's indexes,
   * which leave deleted rows out, for changes that Medusa tells no event of and for events that were lost. An order whose ledger was made a minute after the change, or later, is not among them.
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
             AND paid.deleted_at IS NULL
           WHERE payment.id >= :payment
         UNION ALL SELECT item.order_id, tax.created_at FROM order_line_item_tax_line tax
           JOIN order_item item ON item.item_id = tax.item_id AND item.deleted_at IS NULL
           WHERE tax.id >= :lineTax
         UNION ALL SELECT shipping.order_id, tax.created_at FROM order_shipping_method_tax_line tax
           JOIN order_shipping shipping ON shipping.shipping_method_id = tax.shipping_method_id
             AND shipping.deleted_at IS NULL
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

  /**
   * Orders placed since a moment whose ledger is of another version than they are, or that are cancelled or gone and it does
   * not know: core deletes an order whose payment failed.
   */
  async differing(since: Date, after: string, limit: number): Promise<string[]> {
    const { rows } = await this.knex.raw<{ rows: { order_id: string }[] }>(
      `SELECT sale.order_id FROM svc_show_order sale
       LEFT JOIN "order" o ON o.id = sale.order_id AND o.deleted_at IS NULL
       WHERE sale.placed_at >= ? AND sale.deleted_at IS NULL AND NOT sale.dirty AND sale.order_id > ?
         AND (coalesce(sale.version, 0) <> coalesce(o.version, 0)
           OR coalesce(sale.canceled_at, 'epoch') <> coalesce(o.canceled_at, 'epoch'))
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

  /**
   * Forgets what the service answered about the orders of customers who were deleted: of one, or of all of whom somebody
   * has not heard, or whose report was made since.
   */
  async eraseAnswers(customerId?: string): Promise<void> {
    // Medusa's index of a customer's orders leaves deleted ones out: those are for the night, which reads all.
    const ofOne = "AND customer.id = :customerId AND o.deleted_at IS NULL"
    const ofDeleted = `svc_attribution sale
      JOIN "order" o ON o.id = sale.order_id
      JOIN customer ON customer.id = o.customer_id AND customer.deleted_at IS NOT NULL
        ${customerId === undefined ? "" : ofOne}`
    await this.knex.raw(
      `UPDATE svc_report_attempt attempt SET excerpt = NULL FROM ${ofDeleted}
       WHERE attempt.attribution_id = sale.id AND attempt.excerpt IS NOT NULL
         AND attempt.deleted_at IS NULL AND sale.deleted_at IS NULL`,
      { customerId },
    )
    await this.knex.raw(
      `UPDATE svc_attribution report SET reason_message = :erased, reason_params = NULL FROM ${ofDeleted}
       WHERE report.id = sale.id AND report.reason_message <> :erased AND sale.deleted_at IS NULL
         AND (report.reason_code LIKE 'svc\\_%' OR report.reason_code = ANY(:repeating))`,
      { customerId, erased: ERASED, repeating: REPEATING },
    )
  }
}

const ERASED = "What was said about this report was erased with the customer."
/** Reasons of ours that repeat the service's answer, or what the store's own code or database said. */
const REPEATING = ["order_conflict", "report_fields_failed", "report_store_error"]
