import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Every variant has so many pieces in stock, at each place.
 * @returns puts the stock back that was there before
 */
export async function stock(knex: Knex, pieces: number): Promise<() => Promise<void>> {
  const before = await knex("inventory_level").select("id", "raw_stocked_quantity")
  const set = (raw: { value: string | number }) => ({
    stocked_quantity: raw.value,
    raw_stocked_quantity: JSON.stringify(raw),
  })
  await knex("inventory_level").update(set({ value: String(pieces) }))
  return async () => {
    for (const { id, raw_stocked_quantity } of before) {
      await knex("inventory_level").where({ id }).update(set(raw_stocked_quantity))
    }
  }
}
