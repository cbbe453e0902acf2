import type { CampaignPrice } from "../../../contract"
import { isSimple } from "../../../contract"
import type { CartReason } from "./codes"
import type { CatalogPrice } from "./price-policy"
import type { StoreVariant } from "./situation"

/** One price lookup (interface §4.1). */
export type PriceQuestion = {
  connectionId: string
  campaignUid: string
  productId: string
  /** Sent only for products with variants (interface §2.2, gap 38). */
  variantId: string | null
}

export const priceQuestion = (
  connectionId: string,
  campaignUid: string,
  variant: Pick<StoreVariant, "productId" | "variantId" | "siblings">,
): PriceQuestion => ({
  connectionId,
  campaignUid,
  productId: variant.productId,
  variantId: isSimple(variant.siblings) ? null : variant.variantId,
})

export const priceKey = (question: PriceQuestion): string =>
  JSON.stringify([
    question.connectionId,
    question.campaignUid,
    question.productId,
    question.variantId,
  ])

/** What a lookup, or what stands in for it, answered. */
export type PriceAnswer =
  | { ok: true; price: CampaignPrice; fetchedAt: number }
  | {
      ok: false
      reason: CartReason<"not_in_show" | "price_unavailable" | "too_many_requests">
      /** Sold at the catalog price instead, where it is put into the cart (gap 36). */
      catalogInstead?: boolean
    }

/** A catalog price depends on how many pieces are bought (tiers). */
export type CatalogQuestion = { variantId: string; quantity: number }

export const catalogKey = ({ variantId, quantity }: CatalogQuestion): string =>
  `${variantId} ${quantity}`

/** Prices that were asked for before the cart was locked; plain, as they go from step to step of a workflow. */
export type Answers = {
  /** By `priceKey`. */
  prices: Record<string, PriceAnswer>
  /** By `catalogKey`; null: the store has no price. */
  catalog: Record<string, CatalogPrice | null>
  /** By variant, in percent; null: not known. Asked only where two prices are to be compared across tax bases. */
  taxRates: Record<string, number | null>
}

/** What a plan had to know and was not told. */
export type Needs = { prices: PriceQuestion[]; catalog: CatalogQuestion[]; taxRates: string[] }

export const isAnswered = ({ prices, catalog, taxRates }: Needs): boolean =>
  prices.length + catalog.length + taxRates.length === 0

/** Notes what is asked of the answers and missing among them. */
export class Inquiry {
  readonly #answers: Answers
  readonly #prices = new Map<string, PriceQuestion>()
  readonly #catalog = new Map<string, CatalogQuestion>()
  readonly #taxRates = new Set<string>()
  #waitSeconds: number | null = null

  constructor(answers: Answers) {
    this.#answers = answers
  }

  /** Undefined: not asked yet. */
  price(question: PriceQuestion): PriceAnswer | undefined {
    const key = priceKey(question)
    const answer = this.#answers.prices[key]
    if (answer === undefined) this.#prices.set(key, question)
    return answer
  }

  /** Undefined: not asked yet; null: the store has none. */
  catalog(question: CatalogQuestion): CatalogPrice | null | undefined {
    const key = catalogKey(question)
    const answer = this.#answers.catalog[key]
    if (answer === undefined) this.#catalog.set(key, question)
    return answer
  }

  /** Undefined: not asked yet; null: not known. */
  taxRate(variantId: string): number | null | undefined {
    const rate = this.#answers.taxRates[variantId]
    if (rate === undefined) this.#taxRates.add(variantId)
    return rate
  }

  /** Something that has to be known was not asked, because too much was asked already. */
  mustWait(seconds: number): void {
    this.#waitSeconds = Math.max(this.#waitSeconds ?? 0, seconds)
  }

  /** In how many seconds to try again; null: all that was asked for was answered. */
  get waitSeconds(): number | null {
    return this.#waitSeconds
  }

  get needs(): Needs {
    return {
      prices: [...this.#prices.values()],
      catalog: [...this.#catalog.values()],
      taxRates: [...this.#taxRates],
    }
  }
}
