import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"

/** How far sweeps have looked. */
export class CursorRows {
  constructor(private readonly knex: Knex) {}

  /** @returns null before the first sweep */
  async position(name: string): Promise<Date | null> {
    const row = await this.knex("svc_cursor").where({ name }).whereNull("deleted_at").first()
    return row?.position ?? null
  }

  /** Milliseconds since a position, by the database's clock: processes do not agree on the time. */
  async ageMs(name: string): Promise<number> {
    const [row] = await this.knex("svc_cursor")
      .where({ name })
      .whereNull("deleted_at")
      .select(this.knex.raw("(extract(epoch FROM now() - position) * 1000)::float8 AS ms"))
    return row?.ms ?? Number.POSITIVE_INFINITY
  }

  async moveToNow(name: string): Promise<void> {
    await this.moveTo(name, this.knex.fn.now())
  }

  /** Moves a cursor forward; one that another process has moved further stays there. */
  async moveTo(name: string, position: Date | Knex.Raw): Promise<void> {
    await this.knex("svc_cursor")
      .insert({ id: generateEntityId(undefined, "svccur"), name, position })
      .onConflict(this.knex.raw("(name) WHERE deleted_at IS NULL"))
      .merge({
        position: this.knex.raw("greatest(svc_cursor.position, EXCLUDED.position)"),
        updated_at: this.knex.fn.now(),
      })
  }
}
