/** Carts and orders for tests that begin where the goods are chosen, where they are paid, or where the order is there. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const PAYMENTS = "SELECT payment_collection_id FROM cart_payment_collection WHERE cart_id = :id"
type Parts = readonly (readonly [table: string, where: string])[]
/** Where the rows of a cart are, in the order in which they refer to each other. */
const PARTS: Parts = [
  [
    "cart_address",
    "id IN (SELECT unnest(ARRAY[shipping_address_id, billing_address_id]) FROM cart WHERE id = :id)",
  ],
  ["cart", "id = :id"],
  ["cart_shipping_method", "cart_id = :id"],
  [
    "cart_shipping_method_tax_line",
    "shipping_method_id IN (SELECT id FROM cart_shipping_method WHERE cart_id = :id)",
  ],
  ["cart_line_item", "cart_id = :id"],
  ["cart_line_item_tax_line", "item_id IN (SELECT id FROM cart_line_item WHERE cart_id = :id)"],
  ["svc_line_price", "cart_id = :id"],
  ["svc_cart_order_number", "cart_id = :id"],
  ["payment_collection", `id IN (${PAYMENTS})`],
  ["payment_session", `payment_collection_id IN (${PAYMENTS})`],
  ["cart_payment_collection", "cart_id = :id"],
]

const LINES = "SELECT item_id FROM order_item WHERE order_id = :id"
const METHODS = "SELECT shipping_method_id FROM order_shipping WHERE order_id = :id"
/** The same of an order with one payment, beside its cart. */
const ORDER_PARTS: Parts = [
  [
    "order_address",
    `id IN (SELECT unnest(ARRAY[shipping_address_id, billing_address_id]) FROM "order" WHERE id = :id)`,
  ],
  ["order", "id = :id"],
  ["order_summary", "order_id = :id"],
  ["order_line_item", `id IN (${LINES})`],
  ["order_line_item_tax_line", `item_id IN (${LINES})`],
  ["order_item", "order_id = :id"],
  ["order_shipping_method", `id IN (${METHODS})`],
  ["order_shipping_method_tax_line", `shipping_method_id IN (${METHODS})`],
  ["order_shipping", "order_id = :id"],
  ["order_cart", "order_id = :id"],
  ["order_payment_collection", "order_id = :id"],
  [
    "payment",
    "payment_collection_id IN (SELECT payment_collection_id FROM order_payment_collection WHERE order_id = :id)",
  ],
  ["reservation_item", `line_item_id IN (${LINES})`],
]

type Row = Record<string, unknown> & { id: string }

let copies = 0

/** Reads the rows of something, which are deleted then. @returns puts copies of them into the store, under ids of their own */
async function takenRows(knex: Knex, parts: Parts, of: Record<string, string>) {
  const taken = new Map<string, Row[]>()
  for (const [table, where] of parts) {
    const { rows } = await knex.raw<{ rows: { row: Row }[] }>(
      `SELECT to_jsonb(part) AS row FROM "${table}" part WHERE ${where}`,
      of,
    )
    if (rows.length > 0) {
      taken.set(
        table,
        rows.map(({ row }) => row),
      )
    }
  }
  const takenAt = Date.now()
  const ids = [...taken.values()].flat().map((row) => row.id)
  for (const [table] of [...parts].reverse()) await knex(table).whereIn("id", ids).delete()

  /** @param names what else is named otherwise in the copy. @returns what is behind each id */
  return async (names: [string, string][]): Promise<string> => {
    copies += 1
    const ending = `_${copies}`
    const age = Date.now() - takenAt
    for (const [table, rows] of taken) {
      const text = JSON.stringify(rows, (name, value) =>
        /_(at|until)$/.test(name) && value !== null
          ? new Date(Date.parse(value) + age).toISOString()
          : value,
      )
      let renamed = ids.reduce((all, one) => all.replaceAll(one, `${one}${ending}`), text)
      for (const [one, other] of names) if (one) renamed = renamed.replaceAll(one, other)
      await knex.raw(
        `INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", ?)`,
        [renamed],
      )
    }
    return ending
  }
}

/**
 * Takes a cart out of the store, with its goods and the payment that has begun, where it has them. Medusa's routes, which
 * compute all of a cart with each step, take most of the time of a purchase for these.
 *
 * @param orderNo the number that it has
 * @param campaignUid the show that its goods are from
 * @returns puts a copy into the store, as if it had just been made, under ids of its own (a completed cart's id is remembered
 * in memory) and, where they are given, under another number and from another show; answers with the copy's id
 */
export async function takenCart(knex: Knex, id: string, orderNo = "", campaignUid = "") {
  const copy = await takenRows(knex, PARTS, { id })
  return async (otherNo = orderNo, otherCampaign = campaignUid): Promise<string> => {
    const ending = await copy([
      [orderNo, otherNo],
      [campaignUid, otherCampaign],
    ])
    return `${id}${ending}`
  }
}

/** The same of an order and its cart, as Medusa has written them. Of a copy it has told nobody. */
export async function takenOrder(
  knex: Knex,
  { id, cartId }: { id: string; cartId: string },
  orderNo: string,
  campaignUid: string,
) {
  const ofCart = PARTS.map(([table, where]) => [table, where.replaceAll(":id", ":cartId")] as const)
  const copy = await takenRows(knex, [...ofCart, ...ORDER_PARTS], { id, cartId })
  return async (otherNo = orderNo, otherCampaign = campaignUid) => {
    const ending = await copy([
      [orderNo, otherNo],
      [campaignUid, otherCampaign],
    ])
    const orderId = `${id}${ending}`
    const display_id = knex.raw(`nextval(pg_get_serial_sequence('"order"', 'display_id'))`)
    await knex("order").where({ id: orderId }).update({ display_id })
    return { orderId, cartId: `${cartId}${ending}` }
  }
}
