/** Shows that are on air or coming, kept fresh while the page is looked at. */
import { askedFor, type LiveEvent, type LiveEventProduct, liveEvents } from "svc-storefront"
import { config, market } from "./market"
import { address } from "./navigation"
import { createState } from "./state"

export const shows = createState<LiveEvent[]>([])

let known = () => {}
/** Done when the store has been asked once, whatever it answered. */
export const showsKnown = new Promise<void>((done) => {
  known = done
})

/** A show that runs may end or be called off at any moment, and its announcement must go with it. */
const EVERY_MS = { onAir: 3_000, otherwise: 10_000 }

export function startLive(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = new AbortController()
  const load = async () => {
    // The latest question has the newest answer.
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    clearTimeout(timer)
    const store = { baseUrl: config.storeUrl, publishableKey: market.get().publishableKey }
    const found = document.hidden ? null : await liveEvents(store, signal).catch(() => null)
    if (signal.aborted) return
    known()
    // A request that failed says nothing about the show: what is on the page stays.
    if (found && JSON.stringify(found) !== JSON.stringify(shows.get())) shows.set(found)
    timer = setTimeout(load, EVERY_MS[onAir(shows.get()) ? "onAir" : "otherwise"])
  }
  market.watch(() => {
    shows.set([])
    void load()
  })
  // What the page says must not be older than what the store has just said about the basket.
  addEventListener("svc:price_changed", load)
  address.watch(load)
  document.addEventListener("visibilitychange", load)
}

/** The show that runs and still sells: after the deadline its prices are gone, whatever it shows. */
export const onAir = (all: LiveEvent[]) =>
  all.find(
    ({ kind, status, deadline }) =>
      kind === "live" && status === "live" && (!deadline || Date.parse(deadline) > Date.now()),
  )

export const upcoming = (all: LiveEvent[]) =>
  all
    .filter(({ kind, status, starts_at }) => kind === "live" && status === "planned" && starts_at)
    .sort((a, b) => String(a.starts_at).localeCompare(String(b.starts_at)))[0]

/** The show on air that sells this product, and the product as the show has it. */
export function inShow(
  all: LiveEvent[],
  product: { id: string },
): { show: LiveEvent; product: LiveEventProduct } | null {
  const show = onAir(all)
  const found = show?.products.find(
    ({ external_id, available }) => available && external_id === product.id,
  )
  return show && found ? { show, product: found } : null
}

/**
 * What a product, or a variant of it, costs in the show; null where the show does not sell it or does not say. A notice, no offer: the price
 * that counts is proven by the store when the product goes into the basket.
 */
export function showPrice(
  { show, product }: NonNullable<ReturnType<typeof inShow>>,
  variantId?: string,
): { amount: number; currency: string; withTax: boolean | null } | null {
  const amount = askedFor(product, variantId)
  const currency = show.currency_code ?? market.get().currency
  return amount === null ? null : { amount, currency, withTax: show.prices_include_tax }
}

/** The name of the show that a basket line came from. */
export const showName = (all: LiveEvent[], campaignUid: unknown) =>
  all.find(({ campaign_uid }) => campaign_uid === campaignUid)?.name ?? "Live show"
