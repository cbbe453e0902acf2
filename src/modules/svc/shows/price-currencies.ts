import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * In which currency shows sell: `price_currency` of `svc_live_event`. No delivery tells it, only the answer of a price
 * lookup (gap 35), so it is noted wherever one is answered.
 */
export class PriceCurrencies {
  /** What this process has written, so that a crowd's lookups are not as many statements. */
  readonly #written = new Map<string, string | null>()

  constructor(private readonly knex: Knex) {}

  /**
   * Never rejects, and nobody needs to wait for it: the next answer says it again.
   *
   * @param currency lower case ISO 4217; null where the answer named none, and the prices are in the connection's
   */
  async note(connectionId: string, campaignUid: string, currency: string | null): Promise<void> {
    const campaign = JSON.stringify([connectionId, campaignUid])
    if (this.#written.get(campaign) === currency) return
    const rows = await this.knex("svc_live_event")
      .where({ connection_id: connectionId, campaign_uid: campaignUid })
      .update({ price_currency: currency })
      .catch(() => 0)
    if (this.#written.size >= MOST_CAMPAIGNS) this.#written.clear()
    if (rows > 0) this.#written.set(campaign, currency)
  }
}

const MOST_CAMPAIGNS = 1_000
