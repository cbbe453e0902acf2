/**
 * A shop that is nothing but a cart in this tab, for the full-page player. It is also the shortest
 * complete answer to what a storefront has to do: register the four actions.
 */

import { sum, times } from "../shared/money"
import type { Answer, ProductChange, ShopLine } from "./sdk"
import type { Show } from "./service"

const KEY = "svc:practice-cart"

/** @param query  which show the prices come from */
export function openPracticeShop(query: URLSearchParams): void {
  let cart: ShopLine[] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]")

  async function currentShow(): Promise<Show | null> {
    const response = await fetch(`/player-api/show?${query}`)
    return response.ok ? response.json() : null
  }

  /** Carries out the changes. @returns what the show does not have */
  async function put(changes: ProductChange[]) {
    const show = await currentShow()
    const failedProducts = []
    for (const { action, product_id, variant_id = null, quantity } of changes) {
      const product = show?.products.find(({ external_id }) => external_id === product_id)
      const variant = product?.variants.find(({ external_id }) => external_id === variant_id)
      const line = cart.find(
        (one) => one.product_id === product_id && one.variant_id === variant_id,
      )
      const before = action === "add" ? (line?.quantity ?? 0) : 0
      const total = action === "remove" ? 0 : before + quantity
      if (!product && total > 0) {
        failedProducts.push({ product: { product_id }, errorMessage: "Not in this show." })
        continue
      }
      cart = cart.filter((one) => one !== line)
      if (!product || total === 0) continue
      const price = variant?.price ?? product.price
      cart.push({
        product_id,
        variant_id,
        sku: variant?.sku ?? product.sku,
        name: product.name,
        image: product.image,
        url: null,
        unit_price: price,
        quantity: total,
        total: times(price, total),
        in_campaign: true,
      })
    }
    sessionStorage.setItem(KEY, JSON.stringify(cart))
    return failedProducts
  }

  window.onSvcReady = window.onSvcReady || []
  window.onSvcReady.push((sdk) => {
    const { SUCCESS, PARTIAL, FAILURE } = sdk.actionStatuses
    const answer = (failedProducts: Awaited<ReturnType<typeof put>>, asked: number): Answer =>
      failedProducts.length === 0
        ? { status: SUCCESS }
        : { status: failedProducts.length < asked ? PARTIAL : FAILURE, failedProducts }

    sdk.registerAction(sdk.actions.UPDATE_CART_CONTENTS, async ({ products = [] }) =>
      answer(await put(products), products.length),
    )

    sdk.registerAction(sdk.actions.SOME_CHECKOUT, async ({ products = [], clear_cart }) => {
      if (clear_cart) cart = []
      sdk.progress.plan({ totalSteps: products.length, msPerStep: 500 })
      const failed = []
      for (const [i, product] of products.entries()) {
        failed.push(...(await put([product])))
        sdk.progress.set({ step: i + 1 })
      }
      return answer(failed, products.length)
    })

    sdk.registerAction(sdk.actions.GET_CART_CONTENTS, async () => ({
      status: SUCCESS,
      products: cart,
      total: sum(cart.map((line) => line.total)),
      currency: (await currentShow())?.event.currency ?? "",
    }))

    sdk.registerAction(sdk.actions.OPEN_CART, () => {
      showCartPage()
      return { status: SUCCESS }
    })
  })
}

/** Where a storefront would show its own cart. */
function showCartPage(): void {
  const dialog = document.createElement("dialog")
  dialog.style.cssText =
    "max-width: 360px; padding: 32px; border-radius: 20px; color: var(--text); font: 16px/1.5 var(--sans); text-align: center"
  const text = document.createElement("p")
  text.textContent = "Here the storefront's own basket would open. This one only lives in this tab."
  text.style.marginBottom = "24px"
  const close = document.createElement("button")
  close.className = "button primary"
  close.textContent = "Back to the show"
  close.onclick = () => dialog.close()
  dialog.onclose = () => dialog.remove()
  dialog.append(text, close)
  document.body.append(dialog)
  dialog.showModal()
}
