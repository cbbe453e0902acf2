import type { ICachingModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import type { Answers, CartSituation } from "../../modules/svc/cart"
import {
  cacheTag,
  eventOf,
  isToldGone,
  PRICE_TTL_S,
  type PriceAnswer,
  type PriceQuestion,
  priceKey,
  productOf,
  type SharedCache,
  toldPrice,
} from "../../modules/svc/cart"

const caching = (container: MedusaContainer): ICachingModuleService | undefined =>
  container.resolve(Modules.CACHING, { allowUnregistered: true })

/** The store's caching module, where it has one: all its processes share what one has looked up. */
function sharedCache(container: MedusaContainer): SharedCache | null {
  const cache = caching(container)
  if (!cache) return null
  return {
    get: (key) => cache.get({ key }),
    set: (key, data, tag) => cache.set({ key, data, ttl: PRICE_TTL_S, tags: [tag] }),
  }
}

/** Prices that were looked up a moment ago, by `priceKey`; calls nobody, so the cart may be locked. Others are missing. */
export const recallPrices = (
  container: MedusaContainer,
  questions: PriceQuestion[],
): Promise<Answers["prices"]> =>
  container.resolve(SVC_MODULE).cart.priceLookup.recall(questions, sharedCache(container))

/**
 * Looks campaign prices up for a cart. Must not be called while its lock is held.
 *
 * @returns by `priceKey`; where the lookup fails, what the merchant has chosen for that (gap 36)
 */
export async function lookUpPrices(
  container: MedusaContainer,
  situation: CartSituation,
  questions: PriceQuestion[],
  cartId: string,
): Promise<Answers["prices"]> {
  if (questions.length === 0) return {}
  const svc = container.resolve(SVC_MODULE)
  const { connections, events, lines, numbers } = situation
  const named = new Set(
    [...events, ...numbers, ...lines.flatMap(({ proof }) => proof ?? [])].map(
      ({ campaignUid }) => campaignUid,
    ),
  )
  const answers = await svc.cart.priceLookup.ask(questions, {
    cartId,
    linesOfShows: lines.filter(({ proof }) => proof !== null).length,
    cache: sharedCache(container),
    isKnown: ({ campaignUid }) => named.has(campaignUid),
    isToldOnSale: (question) => {
      const told = productOf(situation, question, question)
      const isOffered = told !== null && !told.doubtful && !isToldGone(told)
      return isOffered && eventOf(situation, question)?.onSale === true
    },
    versionOf: (connectionId) => connections.find(({ id }) => id === connectionId)?.version ?? "",
  })
  for (const question of questions) {
    const key = priceKey(question)
    const answer = answers[key]
    if (answer) answers[key] = insteadOf(answer, question, situation, svc.options)
  }
  return answers
}

/** What stands in for a lookup that failed. A service that says that the product is not in the show has not failed. */
export function insteadOf(
  answer: PriceAnswer,
  question: PriceQuestion,
  { products, variants, now }: Pick<CartSituation, "products" | "variants" | "now">,
  options: Pick<SvcModuleService["options"], "whenPriceUnavailable" | "priceHoldMinutes">,
): PriceAnswer {
  if (answer.ok) return answer
  const { code } = answer.reason
  if (code !== "price_unavailable" && code !== "variant_not_in_show") return answer
  if (options.whenPriceUnavailable === "refuse") return answer
  const told = productOf({ products }, question, question)
  // It is asked for because it may be back: only the service's own answer says so.
  if (told && isToldGone(told)) return answer
  if (options.whenPriceUnavailable === "catalog") return { ...answer, catalogInstead: true }
  const variantId = question.variantId ?? question.otherForm
  const variant = variants.find((each) => each.variantId === variantId)
  // The service refuses the variant itself: only what was told of exactly this one says otherwise.
  const isTold = code === "price_unavailable" || told?.variantIds.includes(variant?.variantId ?? "")
  const amount = told && variant && isTold ? toldPrice(told, variant) : null
  // As fresh as a looked-up price may be: what was told longer ago may have changed without our hearing of it.
  const isFresh = told !== null && told.toldAt > now - options.priceHoldMinutes * 60_000
  const isCertain = told !== null && !told.doubtful
  if (!isCertain || !isFresh || typeof amount !== "number") return answer
  return {
    ok: true,
    price: { amount, discount: null, vat: { rate: null, included: null }, currency: null },
    source: "webhook",
    fetchedAt: told.toldAt,
  }
}

/** Forgets the looked-up prices of a campaign; called when a delivery says that one of them changed. */
export async function forgetPrices(
  container: MedusaContainer,
  connectionId: string,
  campaignUid: string,
): Promise<void> {
  container.resolve(SVC_MODULE).cart.priceLookup.forget(connectionId, campaignUid)
  await caching(container)
    ?.clear({ tags: [cacheTag(connectionId, campaignUid)] })
    .catch(() => undefined)
}
