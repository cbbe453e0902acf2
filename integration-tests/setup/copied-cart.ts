/** Carts for tests that begin where the goods are chosen, or where they are paid. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

const PAYMENTS = "SELECT payment_collection_id FROM cart_payment_collection WHERE cart_id = :id"
/** Where the rows of a cart are, in the order in which they refer to each other. */
const PARTS = [
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
] as const

type Row = Record<string, unknown> & { id: string }

let copies = 0

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
  const taken = new Map<string, Row[]>()
  for (const [table, where] of PARTS) {
    const { rows } = await knex.raw<{ rows: { row: Row }[] }>(
      `SELECT to_jsonb(part) AS row FROM ${table} part WHERE ${where}`,
      { id },
    )
    taken.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  const takenAt = Date.now()
  const ids = [...taken.values()].flat().map((row) => row.id)
  for (const [table] of [...PARTS].reverse()) await knex(table).whereIn("id", ids).delete()

  return async (otherNo = orderNo, otherCampaign = campaignUid): Promise<string> => {
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
      if (orderNo) renamed = renamed.replaceAll(orderNo, otherNo)
      if (campaignUid) renamed = renamed.replaceAll(campaignUid, otherCampaign)
      await knex.raw(
        `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, ?)`,
        [renamed],
      )
    }
    return `${id}${ending}`
  }
}
