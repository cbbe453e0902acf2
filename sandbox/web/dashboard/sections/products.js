/** The catalog as the store pushed it. */
import { icon } from "/player/icons.js"
import { money } from "/player/money.js"
import { h } from "/player/view.js"
import { get } from "../api.js"
import { plural, stock } from "../format.js"
import { ago, empty, head, picture, stateBadge } from "../parts.js"
import { href, replaceQuery } from "../router.js"

const PAGE_SIZE = 60
const SEARCH_MS = 200
let typing = null

export const products = {
  load: ({ page, query }) =>
    get("/products", {
      page_uid: page.uid,
      q: query.q,
      limit: Number(query.show ?? PAGE_SIZE),
    }),

  view(ctx, { products: list, count }, { query }) {
    return [
      head(
        "Products",
        count > 0 && `${plural(count, "product")} ${query.q ? "found" : "received"}`,
      ),
      (count > 0 || query.q) && search(query),
      count === 0
        ? nothing(ctx, query)
        : h(
            "ul.products",
            null,
            list.map((one) => row(ctx, one)),
          ),
      list.length < count &&
        h(
          "a.button.plain.more",
          { href: href(["products"], { ...query, show: String(list.length + PAGE_SIZE) }) },
          `Show more of ${count.toLocaleString()}`,
        ),
    ]
  },
}

function search(query) {
  return h(
    "label.search",
    null,
    icon("search"),
    h("input", {
      type: "search",
      placeholder: "Name, SKU or id",
      "aria-label": "Search products",
      "data-testid": "product-search",
      value: query.q ?? "",
      oninput: ({ currentTarget }) => {
        clearTimeout(typing)
        typing = setTimeout(() => replaceQuery({ q: currentTarget.value }), SEARCH_MS)
      },
    }),
  )
}

function nothing(ctx, { q }) {
  return q
    ? empty({
        sign: "search",
        title: `Nothing matches “${q}”`,
        text: "The search looks at names, SKUs and ids.",
      })
    : empty({
        sign: "box",
        title: "No product has arrived yet",
        text: `Connect a store to ${location.origin} as page ${ctx.page.uid} and start its import. Every product shows up here the moment it is pushed.`,
        action: h("a.button.primary", { href: href([]) }, "How to connect a store"),
      })
}

/** What a push changed, in few words. */
function lastPush({ pushes, diff }) {
  if (pushes === 1) {
    return "first push"
  }
  const fields = [...new Set(diff.map(({ path }) => path.split(/[.[]/)[0]))]
  return fields.length === 0 ? "nothing changed" : `changed: ${fields.slice(0, 3).join(", ")}`
}

function row(ctx, record) {
  const { product, received_at } = record
  const variants = product.variants?.length ?? 0
  return h(
    "li",
    { key: product.id, "data-testid": "received-product", "data-external-id": product.id },
    h(
      "a.product-row",
      { href: href(["products", product.id]) },
      picture(product.image),
      h(
        "span.product-text",
        null,
        h("strong", null, product.name),
        h(
          "span.soft",
          null,
          [product.sku, variants > 0 && plural(variants, "variant")].filter(Boolean).join(" · "),
        ),
      ),
      h("span.product-push.soft", null, lastPush(record)),
      h("span.product-state", null, product.status !== "enabled" && stateBadge(product.status)),
      h("span.product-stock", null, stock(product)),
      h("strong.product-price", null, money(product.price, ctx.page.currency)),
      h("span.product-time.soft", null, ago(ctx, received_at)),
    ),
  )
}
