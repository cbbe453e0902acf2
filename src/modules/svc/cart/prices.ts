import type { CampaignPrice } from "../../../contract"
import { isSimple } from "../../../contract"
import type { TaxedProduct } from "../shared/country-tax"
import type { CartReason } from "./codes"
import type { CatalogPrice, PriceSource } from "./price-policy"
import type { CampaignProduct, StoreVariant } from "./situation"

/** One price lookup (interface §4.1). */
export type PriceQuestion = {
  connectionId: string
  campaignUid: string
  productId: string
  /** Sent only for products with variants (interface §2.2, gap 38). */
  variantId: string | null
  /**
   * What is sent instead where the service refuses that, because the product had one variant when it was put into the show
   * and has several now, or the reverse. False: nothing says that the price of the product alone is this variant's.
   */
  otherForm: string | null | false
}

type Asked = Pick<StoreVariant, "productId" | "variantId" | "sku" | "siblings">

/** @param told what the campaign was told to sell of the product; null where nothing was */
export const priceQuestion = (
  connectionId: string,
  campaignUid: string,
  variant: Asked,
  told: Pick<CampaignProduct, "sku" | "variantIds"> | null,
): PriceQuestion => {
  const { productId, variantId } = variant
  const place = { connectionId, campaignUid, productId }
  if (!isSimple(variant.siblings)) {
    const otherForm = told && namesItAlone(told, variant) ? null : false
    return { ...place, variantId, otherForm }
  }
  // Where others were deleted since, the service still knows the product with them.
  return told?.variantIds.includes(variantId)
    ? { ...place, variantId, otherForm: null }
    : { ...place, variantId: null, otherForm: variantId }
}

/** As the service takes a product with this variant alone (gap 26). A new variant may be a dearer one. */
const namesItAlone = (
  { sku, variantIds }: Pick<CampaignProduct, "sku" | "variantIds">,
  variant: Pick<StoreVariant, "variantId" | "sku">,
): boolean => variantIds.length === 0 && sku === (variant.sku?.trim() || variant.variantId)

/** At what a campaign was told to sell a variant; null where that may be another variant's price. */
export function toldPrice(
  told: Pick<CampaignProduct, "sku" | "variantIds" | "variantPrices" | "price">,
  variant: Asked & Pick<StoreVariant, "handle" | "wasThere">,
): number | null {
  const { variantId, siblings, handle, wasThere } = variant
  if (told.variantIds.includes(variantId)) return told.variantPrices[variantId] ?? told.price
  if (told.variantIds.length > 0) return null
  const isOfAll = wasThere && (isSimple(siblings) || (handle !== null && told.sku === handle))
  return isOfAll || namesItAlone(told, variant) ? told.price : null
}

export const priceKey = (asked: PriceQuestion): string => {
  const { connectionId, campaignUid, productId, variantId, otherForm } = asked
  return JSON.stringify([connectionId, campaignUid, productId, variantId, otherForm])
}

/** What a lookup, or what stands in for it, answered. */
export type PriceAnswer =
  | { ok: true; price: CampaignPrice; source: PriceSource; fetchedAt: number }
  | {
      ok: false
      reason: CartReason<
        "not_in_show" | "variant_not_in_show" | "price_unavailable" | "too_many_requests"
      >
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
  /** By product, in percent; null: not known. Asked only where two prices are to be compared across tax bases. */
  taxRates: Record<string, number | null>
}

/** What a plan had to know and was not told. */
export type Needs = {
  prices: PriceQuestion[]
  catalog: CatalogQuestion[]
  taxRates: TaxedProduct[]
}

export const isAnswered = ({ prices, catalog, taxRates }: Needs): boolean =>
  prices.length + catalog.length + taxRates.length === 0

/** Notes what is asked of the answers and missing among them. */
export class Inquiry {
  readonly needs: Needs = { prices: [], catalog: [], taxRates: [] }
  readonly #missing = new Set<string>()

  constructor(private readonly answers: Answers) {}

  /** Undefined: not asked yet. */
  price(question: PriceQuestion): PriceAnswer | undefined {
    return this.#find(this.answers.prices, priceKey(question), this.needs.prices, question)
  }

  /** Undefined: not asked yet; null: the store has none. */
  catalog(question: CatalogQuestion): CatalogPrice | null | undefined {
    return this.#find(this.answers.catalog, catalogKey(question), this.needs.catalog, question)
  }

  /** Undefined: not asked yet; null: not known. */
  taxRate({ taxed }: Pick<StoreVariant, "taxed">): number | null | undefined {
    return this.#find(this.answers.taxRates, taxed.id, this.needs.taxRates, taxed)
  }

  #find<Answer, Question>(
    answers: Record<string, Answer>,
    key: string,
    needs: Question[],
    question: Question,
  ): Answer | undefined {
    const answer = answers[key]
    if (answer === undefined && !this.#missing.has(key)) {
      this.#missing.add(key)
      needs.push(question)
    }
    return answer
  }
}
