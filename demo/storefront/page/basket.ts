/**
 * The shopper's basket: one per market, changed by this page and by the player, which both end in
 * the same state. The SDK keeps its id; the store keeps everything else.
 */
import { connectPlayer, type RememberedCart, rememberCart } from "svc-storefront"
import * as api from "./api"
import { chooseMarket, config, market } from "./market"
import { address, navigate } from "./navigation"
import { showNotice } from "./notice"
import { createState } from "./state"

export const basket = createState<api.Cart | null>(null)

/** Whether the drawer is open; here, because the player's OPEN_CART opens it too. */
export const drawerOpen = createState(false)

/** Shows the basket: its page where the visitor is on it already, else the drawer beside the page. */
export function openBasket(): void {
  if (address.get().pathname === "/cart") {
    scrollTo({ top: 0, behavior: "smooth" })
  } else {
    drawerOpen.set(true)
  }
}

let remembered: RememberedCart

/** Connects basket and player to the market in use, and again when the market changes. */
export function startBasket(): void {
  let player: ReturnType<typeof connectPlayer> | undefined
  market.watch(({ regionId, publishableKey, currency }) => {
    const store = { baseUrl: config.storeUrl, publishableKey }
    player?.disconnect()
    remembered = rememberCart({ ...store, regionId })
    player = connectPlayer({
      ...store,
      currency,
      getCartId: remembered.getCartId,
      openCart: openBasket,
      onCartChanged: () => refresh(),
      redirect: (url) => navigate(url),
    })
    basket.set(null)
    void refresh()
  })
  // Another tab, or a show that ended meanwhile, may have changed it.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      void refresh()
    }
  })
}

/**
 * Another market has other prices, and a basket of its own. The one that is left behind is kept, and
 * the shopper is told so: it would look as if their products were gone.
 */
export function changeMarket(id: string): void {
  const left = market.get()
  const pieces = countOf(basket.get())
  chooseMarket(id)
  if (pieces > 0 && market.get() !== left) {
    const products = `${pieces} ${pieces === 1 ? "product" : "products"}`
    showNotice([
      `You shop in ${market.get().label} now, with a basket of its own.`,
      `Your basket in ${left.label} is kept, with its ${products}: switch back to find it.`,
    ])
  }
}

/** Reads the basket again. A basket that is gone, or already an order, is forgotten. */
export async function refresh(): Promise<void> {
  const of = remembered
  const id = await of.getCartId("read")
  if (!id) {
    basket.set(null)
    return
  }
  try {
    const cart = await api.retrieveCart(id)
    if (cart.completed_at) {
      of.forget()
    }
    if (of === remembered) {
      basket.set(cart.completed_at ? null : cart)
    }
  } catch (error) {
    if (error instanceof api.ApiError && error.status === 404) {
      of.forget()
      basket.set(null)
    }
  }
}

export async function add(variantId: string, quantity: number): Promise<void> {
  const put = async (id: string | null) => api.addLine(id ?? "", variantId, quantity)
  const id = await remembered.getCartId("write")
  const cart = await put(id).catch(async (error: unknown) => {
    if (error instanceof api.ApiError && error.status === 404) {
      return put(await remembered.getCartId("renew", id ?? undefined))
    }
    throw error
  })
  basket.set(cart)
}

export async function setQuantity(line: api.LineItem, quantity: number): Promise<void> {
  const cart = basket.get()
  if (cart) {
    basket.set(
      quantity > 0
        ? await api.setLineQuantity(cart.id, line.id, quantity)
        : await api.removeLine(cart.id, line.id),
    )
  }
}

/** After the order: the next product goes into a new basket. */
export function forgetBasket(): void {
  remembered.forget()
  basket.set(null)
}

export const countOf = (cart: api.Cart | null) =>
  cart?.items.reduce((count, { quantity }) => count + quantity, 0) ?? 0
