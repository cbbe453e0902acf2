/** What people do meanwhile: a merchant edits products, a host runs shows, shoppers tap and order. */
import { setTimeout as sleep } from "node:timers/promises"
import axios from "axios"
import type { Random } from "../../../sandbox/simulation/random"
import { createCart, deliverCart, newOrderNo, placeOrder } from "../../setup/market"
import type { ChaosShop, StoreProduct } from "./shop"

/** How often a second, and how many shows share their changes: the more, the longer each lasts. */
export type Rates = {
  edits: number
  shows: number
  openShows: number
  orders: number
  imports: number
}

type EventProduct = { uid: string; product: StoreProduct }
type OpenShow = {
  eventId: string
  campaignUid: string
  status: "planned" | "live"
  products: EventProduct[]
  steps: number
}

const PRODUCTS_OF_A_SHOW = 3
/** After so many changes a show ends. */
const LONGEST_SHOW = 30
/** One of so many orders is cancelled. */
const CANCELLED = 12

export type Load = {
  /** Every price that a show had for a product: minor mistakes of time are no matter, prices from nowhere are. */
  pricesOf: (campaignUid: string, productId: string) => readonly number[]
  /** What was done, and how often it failed, which under fire it may. */
  done: Record<string, number>
  /** Ends when everything that was begun has ended. */
  ended: Promise<void>
}

/** @param signal ends it: nothing is begun any more */
export function startLoad(
  shop: ChaosShop,
  rates: Rates,
  random: Random,
  signal: AbortSignal,
): Load {
  const { sandbox, market, products } = shop
  const api = axios.create({ baseURL: shop.url, timeout: 60_000 })
  const done: Record<string, number> = {}
  const count = (what: string) => {
    done[what] = (done[what] ?? 0) + 1
  }
  const prices = new Map<string, Set<number>>()
  const priced = (campaignUid: string, productId: string, price: number) => {
    const key = `${campaignUid} ${productId}`
    prices.set(key, (prices.get(key) ?? new Set()).add(price))
    return price
  }
  const open: OpenShow[] = []
  let shows = 0
  let edits = 0

  const draws = {
    host: random.stream("host"),
    merchant: random.stream("merchant"),
    shopper: random.stream("shopper"),
  }
  function pick<T>(items: readonly T[], draw: Random): T {
    const item = items[draw.between(0, items.length - 1)]
    if (item === undefined) throw new Error("There is nothing to pick from.")
    return item
  }
  const newPrice = () => draws.host.between(20, 180) + draws.host.between(0, 1) / 2

  /** A price, for each variant too where there are several. */
  const priceBody = ({ variants }: StoreProduct, price: number) => ({
    price,
    ...(variants.length > 1
      ? { variants: variants.map(({ id }) => ({ external_id: id, price })) }
      : {}),
  })

  async function plan(): Promise<void> {
    shows += 1
    const { event } = await sandbox.control<{ event: { id: string; campaign_uid: string } }>(
      "/events",
      { page_uid: market.pageUid, kind: "live", name: `Show ${shows}` },
    )
    const show: OpenShow = {
      eventId: event.id,
      campaignUid: event.campaign_uid,
      status: "planned",
      products: [],
      steps: 0,
    }
    for (let n = 0; n < PRODUCTS_OF_A_SHOW; n += 1) {
      const product = pick(products, draws.host)
      if (show.products.some((other) => other.product === product)) continue
      const price = priced(show.campaignUid, product.id, newPrice())
      const added = await sandbox.control<{ event_product: { uid: string } }>(
        `/events/${event.id}/products`,
        {
          external_id: product.id,
          name: product.title,
          sku: product.handle,
          url: `http://127.0.0.1:8000/products/${product.handle}`,
          ...priceBody(product, price),
        },
      )
      show.products.push({ uid: added.event_product.uid, product })
    }
    open.push(show)
    count("shows planned")
  }

  /** One change of one show. */
  async function host(): Promise<void> {
    if (open.length < rates.openShows) return plan()
    const show = pick(open, draws.host)
    const path = `/events/${show.eventId}`
    show.steps += 1
    if (show.status === "planned" && show.steps > 2) {
      await sandbox.control(`${path}/start`, {})
      show.status = "live"
      return count("shows started")
    }
    if (show.steps > LONGEST_SHOW) {
      open.splice(open.indexOf(show), 1)
      // One of four is called off, one is deleted.
      const end = draws.host.between(1, 4)
      if (end === 1) await sandbox.control(`${path}/cancel`, {})
      else if (end === 2) await sandbox.control(path, undefined, "DELETE")
      else {
        await sandbox.control(`${path}/end`, {})
        if (end === 3) await sandbox.control(`${path}/complete`, {})
      }
      return count("shows ended")
    }
    const change = draws.host.between(1, 10)
    const { uid, product } = pick(show.products, draws.host)
    if (change === 1) {
      await sandbox.control(path, { name: `${path} renamed ${show.steps}` })
    } else if (change === 2 && show.products.length > 1) {
      show.products = show.products.filter((other) => other.uid !== uid)
      await sandbox.control(`${path}/products/${uid}`, undefined, "DELETE")
    } else {
      const price = priced(show.campaignUid, product.id, newPrice())
      await sandbox.control(`${path}/products/${uid}`, priceBody(product, price))
    }
    count("changes of shows")
  }

  async function edit(): Promise<void> {
    const product = pick(products, draws.merchant)
    edits += 1
    const [variant] = product.variants
    const kind = draws.merchant.between(1, 8)
    if (kind === 1 && variant) {
      const amount = draws.merchant.between(200, 400)
      await shop.admin.post(`/admin/products/${product.id}/variants/${variant.id}`, {
        prices: [{ currency_code: market.currency.toLowerCase(), amount }],
      })
    } else if (kind === 2) {
      // A draft is not for sale anywhere; the next edit of this kind brings it back.
      const { product: now } = await shop.admin.get<{ product: { status: string } }>(
        `/admin/products/${product.id}?fields=status`,
      )
      const status = now.status === "draft" ? "published" : "draft"
      await shop.admin.post(`/admin/products/${product.id}`, { status })
    } else {
      await shop.admin.post(`/admin/products/${product.id}`, {
        title: `${product.handle}, edition ${edits}`,
      })
    }
    count("edits of products")
  }

  /** Everything is sent again: leases are held and calls are paced all the time. */
  async function importAll(): Promise<void> {
    // Ten products a call: an import is long enough to be killed in the middle of it.
    await shop.query("UPDATE svc_catalog_pace SET batch_size = 10")
    await shop.admin.post(`/admin/svc/connections/${market.connectionId}/sync`, { force: true })
    count("imports begun")
  }

  async function buy(): Promise<void> {
    const live = open.filter(({ status }) => status === "live")
    if (live.length === 0) return
    const show = pick(live, draws.shopper)
    const pieces = show.products
      .slice(0, draws.shopper.between(1, 2))
      .flatMap(({ product }) => product.variants.slice(0, 1))
    const orderNo = await newOrderNo(sandbox, show.campaignUid)
    const cartId = await createCart(api, market)
    const { data } = await api.post(
      `/store/carts/${cartId}/svc/update-cart-contents`,
      {
        campaign_uid: show.campaignUid,
        page_uid: market.pageUid,
        order_no: orderNo,
        products: pieces.map(({ product_id, id }) => ({
          action: "add",
          product_id,
          variant_id: id,
          quantity: draws.shopper.between(1, 3),
        })),
      },
      market.store,
    )
    if (data.status === "FAILURE") return count("taps refused")
    await deliverCart(api, market, cartId, "dk")
    let answer = await placeOrder(api, market, cartId)
    // The show's price has changed: the shopper sees the new one, and agrees.
    if (!answer.data.order) answer = await placeOrder(api, market, cartId)
    const id = answer.data.order?.id
    if (!id) return count("orders refused")
    count("orders placed")
    if (draws.shopper.between(1, CANCELLED) === 1) {
      await shop.admin.post(`/admin/orders/${id}/cancel`)
      count("orders cancelled")
    }
  }

  /** Begins as many a second as wanted, but no more at once than a machine can carry. */
  async function often(what: string, perSecond: number, work: () => Promise<void>): Promise<void> {
    const underWay = new Set<Promise<void>>()
    const most = Math.max(2, Math.ceil(perSecond * 4))
    const started = performance.now()
    for (let n = 0; perSecond > 0 && !signal.aborted; n += 1) {
      const wait = started + (n / perSecond) * 1000 - performance.now()
      if (wait > 1) await sleep(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      if (underWay.size >= most) await Promise.race(underWay)
      const one = work()
        .catch(() => count(`${what} that failed`))
        .finally(() => underWay.delete(one))
      underWay.add(one)
    }
    await Promise.all(underWay)
  }

  const ended = Promise.all([
    often("changes of shows", rates.shows, host),
    often("edits", rates.edits, edit),
    often("orders", rates.orders, buy),
    often("imports", rates.imports, importAll),
  ]).then(() => undefined)
  return {
    pricesOf: (campaignUid, productId) => [...(prices.get(`${campaignUid} ${productId}`) ?? [])],
    done,
    ended,
  }
}
