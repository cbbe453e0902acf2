import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Texts of one thing in one language, by field. */
export type Translation = Record<string, string>

/** How long it is believed whether the store has translations: the module may be turned on at the next start. */
const BELIEVED_MS = 60_000

/**
 * Reads translations of Medusa's own module. Its table is only there where the module is on, so it is asked for first.
 */
export class StoreTranslations {
  #there: { known: boolean; at: number } | null = null

  constructor(
    private readonly knex: Knex,
    private readonly now: () => number = Date.now,
  ) {}

  async areThere(): Promise<boolean> {
    if (this.#there && this.now() - this.#there.at < BELIEVED_MS) return this.#there.known
    const { rows } = await this.knex.raw<{ rows: { known: boolean }[] }>(
      "SELECT to_regclass('translation') IS NOT NULL AS known",
    )
    this.#there = { known: rows[0]?.known ?? false, at: this.now() }
    return this.#there.known
  }

  /** @returns the texts by the id of the product, variant, option, value or category */
  async read(locale: string, ids: string[]): Promise<Map<string, Translation>> {
    if (ids.length === 0 || !(await this.areThere())) return new Map()
    const { rows } = await this.knex.raw<{
      rows: { reference_id: string; translations: Translation | null }[]
    }>(
      `SELECT reference_id, translations FROM translation
       WHERE reference_id = ANY(:ids) AND locale_code = :locale AND deleted_at IS NULL`,
      { ids, locale },
    )
    return new Map(rows.map((row) => [row.reference_id, row.translations ?? {}]))
  }
}
