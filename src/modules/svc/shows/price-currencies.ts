import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ShortMemory } from "../shared/short-memory"

/** So long a crowd's lookups in one campaign are one statement. */
const REMEMBERED_MS = 10_000
const MOST_CAMPAIGNS = 1_000

/**
 * In which currency shows sell: `price_currency` of `svc_live_event`. No delivery tells it, only the answer of a price
 * lookup (gap 35), so it is noted wherever one is answered.
 */
export class PriceCurrencies {
  /** Not for longer: another process may write something else, and events come to a campaign. */
  readonly #written = new ShortMemory<string | null>(MOST_CAMPAIGNS)

  constructor(private readonly knex: Knex) {}

  /**
   * Never rejects, and nobody needs to wait for it: a later answer says it again.
   *
   * @param currency lower case ISO 4217; null where the answer named none, and the prices are in the connection's
   */
  async note(connectionId: string, campaignUid: string, currency: string | null): Promise<void> {
    const campaign = JSON.stringify([connectionId, campaignUid])
    const now = performance.now()
    if (this.#written.get(campaign, now) === currency) return
    this.#written.set(campaign, currency, now + REMEMBERED_MS)
    await this.knex("svc_live_event")
      .where({ connection_id: connectionId, campaign_uid: campaignUid, deleted_at: null })
      .whereRaw("price_currency IS DISTINCT FROM ?", [currency])
      .update({ price_currency: currency })
      .catch(() => 0)
  }
}
