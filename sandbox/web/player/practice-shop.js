/**
 * A shop that is nothing but a basket in this tab, for the full-page player. It is also the
 * shortest complete answer to what a storefront has to do: register the four actions.
 */

const KEY = "svc:practice-basket"

/** @param {URLSearchParams} query which show the prices come from */
export function openPracticeShop(query) {
  let basket = JSON.parse(sessionStorage.getItem(KEY) ?? "[]")

  const same = (a, b) => a.product_id === b.product_id && a.variant_id === b.variant_id

  /** Sets a line's quantity; what the show does not have is refused. */
  async function put(products) {
    const show = await currentShow(query)
    const failedProducts = []
    for (const { action, product_id, variant_id = null, quantity } of products) {
      const product = show?.products.find((one) => one.external_id === product_id)
      const variant = product?.variants?.find((one) => one.external_id === variant_id)
      const line = basket.find((one) => same(one, { product_id, variant_id }))
      const wanted = (action === "add" && line ? line.quantity : 0) + quantity
      if (!product && wanted > 0) {
        failedProducts.push({ product: { product_id }, errorMessage: "Not in this show." })
        continue
      }
      basket = basket.filter((one) => one !== line)
      if (wanted > 0 && action !== "remove") {
        basket.push({
          product_id,
          variant_id,
          sku: variant?.sku ?? product.sku,
          name: product.name,
          image: product.image,
          url: null,
          unit_price: variant?.price ?? product.price,
          quantity: wanted,
          in_campaign: true,
        })
      }
    }
    sessionStorage.setItem(KEY, JSON.stringify(basket))
    return failedProducts
  }

  window.onSvcReady = window.onSvcReady || []
  window.onSvcReady.push((sdk) => {
    const { SUCCESS, PARTIAL, FAILURE } = sdk.actionStatuses
    const answer = (failedProducts, asked) =>
      failedProducts.length === 0
        ? { status: SUCCESS }
        : { status: failedProducts.length < asked ? PARTIAL : FAILURE, failedProducts }

    sdk.registerAction(sdk.actions.UPDATE_CART_CONTENTS, async ({ products }) =>
      answer(await put(products), products.length),
    )

    sdk.registerAction(sdk.actions.SOME_CHECKOUT, async ({ products, clear_cart }) => {
      if (clear_cart) {
        basket = []
      }
      sdk.progress.plan({ totalSteps: products.length, msPerStep: 500 })
      const failed = []
      for (const [i, product] of products.entries()) {
        failed.push(...(await put([product])))
        sdk.progress.set({ step: i + 1 })
      }
      return answer(failed, products.length)
    })

    sdk.registerAction(sdk.actions.GET_CART_CONTENTS, async () => {
      const products = basket.map((line) => ({ ...line, total: line.unit_price * line.quantity }))
      return {
        status: SUCCESS,
        products,
        total: products.reduce((sum, { total }) => sum + total, 0),
        currency: (await currentShow(query))?.event.currency,
      }
    })

    sdk.registerAction(sdk.actions.OPEN_CART, async () => {
      showBasketPage()
      return { status: SUCCESS }
    })
  })
}

/** Where a storefront would show its own basket. */
function showBasketPage() {
  const dialog = document.createElement("dialog")
  const text = document.createElement("p")
  text.textContent = "Here the storefront's own basket would open. This one only lives in this tab."
  const close = document.createElement("button")
  close.textContent = "Back to the show"
  close.onclick = () => dialog.close()
  dialog.onclose = () => dialog.remove()
  dialog.append(text, close)
  document.body.append(dialog)
  dialog.showModal()
}

async function currentShow(query) {
  const response = await fetch(`/player-api/show?${query}`)
  return response.ok ? response.json() : null
}
