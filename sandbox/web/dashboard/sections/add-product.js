/** Picking a product for the show from what the store pushed. */
import { icon } from "/player/icons.js"
import { money } from "/player/money.js"
import { h } from "/player/view.js"
import { get, post } from "../api.js"
import { button, picture, priceInput } from "../parts.js"
import { href } from "../router.js"

/** A show sells below the catalog: the price that is offered first. */
const OFFER = 0.8

const SEARCH_MS = 200
let typing = null

export const addProduct = (ctx) =>
  button(ctx, {
    label: "Add product",
    sign: "plus",
    tone: "primary",
    testid: "add-product",
    run: async () => {
      await search(ctx, "")
      ctx.set({ dialog: "add-product" })
    },
  })

async function search(ctx, q) {
  const { products } = await get("/products", { page_uid: ctx.page.uid, q, limit: 40 })
  ctx.set({ found: products, searched: q })
}

/** @param {{ external_id: string }[]} inShow */
export function addProductDialog(ctx, event, inShow) {
  if (ctx.local.dialog !== "add-product") {
    return null
  }
  const found = ctx.local.found ?? []
  const close = () => ctx.set({ dialog: null })
  return h(
    "dialog.modal.picker",
    {
      key: "add-product",
      "data-modal": true,
      "aria-label": "Add a product to the show",
      onclose: close,
      onclick: (click) => click.target === click.currentTarget && close(),
    },
    h(
      "header",
      null,
      h("h2", null, "Add a product"),
      h(
        "button.icon-button",
        { type: "button", "aria-label": "Close", onclick: close },
        icon("close"),
      ),
    ),
    h(
      "label.search",
      null,
      icon("search"),
      h("input", {
        type: "search",
        placeholder: "Search the received catalog",
        "aria-label": "Search the received catalog",
        "data-testid": "picker-search",
        autofocus: true,
        oninput: ({ currentTarget }) => {
          clearTimeout(typing)
          typing = setTimeout(() => search(ctx, currentTarget.value), SEARCH_MS)
        },
      }),
    ),
    found.length === 0
      ? nothingFound(ctx)
      : h(
          "ul.found",
          null,
          found.map((one) => choice(ctx, event, inShow, one)),
        ),
  )
}

function nothingFound(ctx) {
  return h(
    "p.soft.nothing",
    null,
    ctx.local.searched
      ? `Nothing the store pushed matches “${ctx.local.searched}”.`
      : [
          "The store has not pushed any product yet. ",
          h("a", { href: href([]) }, "See how to connect it."),
        ],
  )
}

function choice(ctx, event, inShow, { product }) {
  const already = inShow.some(({ external_id }) => external_id === product.id)
  const key = `add ${product.id}`
  // The catalog's number means nothing in another currency.
  const comparable = event.currency === ctx.page.currency
  const offered = comparable ? Math.max(1, Math.floor(product.price * OFFER)) : undefined
  return h(
    "li",
    { key: product.id, "data-testid": "picker-product", "data-external-id": product.id },
    picture(product.image),
    h(
      "div",
      null,
      h("strong", null, product.name),
      h("span.soft", null, `${product.sku} · ${money(product.price, ctx.page.currency)}`),
    ),
    already
      ? h("span.soft.already", null, icon("check"), "In the show")
      : h(
          "form",
          {
            onsubmit: (submitted) => {
              submitted.preventDefault()
              const price = Number(new FormData(submitted.currentTarget).get("price"))
              ctx.act(
                key,
                () =>
                  post(`/events/${encodeURIComponent(event.id)}/products`, {
                    external_id: product.id,
                    price,
                    ...(!comparable && { suggested_retail_price: price }),
                  }),
                `${product.name} is in the show`,
              )
            },
          },
          priceInput(event.currency, {
            value: offered,
            "aria-label": `Show price of ${product.name}`,
            "data-testid": "picker-price",
          }),
          h(
            "button.button.primary",
            { type: "submit", "data-testid": "picker-add", "aria-label": `Add ${product.name}` },
            ctx.isBusy(key) ? h("span.spinner") : "Add",
          ),
        ),
  )
}
