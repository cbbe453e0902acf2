import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CampaignPrice } from "../../../contract"
import { ShortMemory } from "../shared/short-memory"

/** So long a crowd's lookups in one campaign are one statement. */
const REMEMBERED_MS = 10_000
const MOST_CAMPAIGNS = 1_000

/**
 * In which currency shows sell, and with VAT or without: `price_currency` and `price_includes_vat` of `svc_live_event`. No
 * delivery tells it, only the answer of a price lookup (gaps 34, 35), so it is noted wherever one is answered.
 */
export class PriceBases {
  /** Not for longer: another process may write something else, and events come to a campaign. */
  readonly #written = new ShortMemory<string>(MOST_CAMPAIGNS)

  constructor(private readonly knex: Knex) {}

  /**
   * Never rejects, and nobody needs to wait for it: a later answer says it again.
   *
   * @param price what the answer did not name is as the connection is set
   */
  async note(
    connectionId: string,
    campaignUid: string,
    { currency, vat }: Pick<CampaignPrice, "currency" | "vat">,
  ): Promise<void> {
    const basis = [currency, vat.included]
    const written = JSON.stringify(basis)
    const campaign = JSON.stringify([connectionId, campaignUid])
    const now = performance.now()
    if (this.#written.get(campaign, now) === written) return
    this.#written.set(campaign, written, now + REMEMBERED_MS)
    await this.knex("svc_live_event")
      .where({ connection_id: connectionId, campaign_uid: campaignUid, deleted_at: null })
      .whereRaw(
        "(price_currency, price_includes_vat) IS DISTINCT FROM (?::text, ?::boolean)",
        basis,
      )
      .update({ price_currency: currency, price_includes_vat: vat.included })
      .catch(() => 0)
  }
}
