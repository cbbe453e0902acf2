/** One product: how it looks, what the last push changed, and the payload to the letter. */
import { icon } from "/player/icons.js"
import { money } from "/player/money.js"
import { h } from "/player/view.js"
import { get } from "../api.js"
import { inline, plural, pretty, stock } from "../format.js"
import { ago, card, code, copyable, head, picture, stateBadge, table } from "../parts.js"
import { href } from "../router.js"

export const product = {
  load: ({ page, id }) => get(`/products/${encodeURIComponent(id)}`, { page_uid: page.uid }),

  view(ctx, { product: record }) {
    const { product, pushes, received_at, first_received_at } = record
    const { currency } = ctx.page
    return [
      h("a.back", { href: href(["products"]) }, icon("right"), "Products"),
      head(product.name, product.sku),
      h(
        "div.product-head",
        null,
        h(
          "div.gallery",
          null,
          gallery(product).map((url) => picture(url, product.name)),
        ),
        h(
          "dl.facts",
          null,
          h("dt", null, "Catalog price"),
          h("dd", null, h("strong.price", null, money(product.price, currency))),
          h("dt", null, "Status"),
          h("dd", null, stateBadge(product.status)),
          h("dt", null, "Stock"),
          h("dd", null, stock(product) || "not told"),
          h("dt", null, "Id"),
          h("dd", null, copyable(ctx, product.id)),
          h("dt", null, "Shop page"),
          h(
            "dd",
            null,
            h("a", { href: product.url, target: "_blank", rel: "noreferrer" }, product.url),
          ),
          h("dt", null, "Pushed"),
          h(
            "dd",
            null,
            `${plural(pushes, "time")}, last `,
            ago(ctx, received_at),
            ", first ",
            ago(ctx, first_received_at),
          ),
        ),
      ),
      lastPush(record),
      variants(product, currency),
      card("Payload, as received", code(pretty(product), "Payload")),
    ]
  },
}

/** The main picture, or its place, and up to three more. */
const gallery = ({ image, images = [] }) =>
  [image, ...images.filter((url, i) => url && url !== image && images.indexOf(url) === i)].slice(
    0,
    4,
  )

function lastPush({ pushes, diff }) {
  return card(
    "What the last push changed",
    pushes === 1
      ? h(
          "p.soft",
          null,
          "This was the first push. Change the product in the store to see a difference here.",
        )
      : diff.length === 0
        ? h("p.soft", null, "Nothing: the store sent the same product again.")
        : table(
            [{ name: "Field" }, { name: "Before" }, { name: "Now" }],
            diff.map(({ path, before, after }) =>
              h(
                "tr",
                { key: path, "data-testid": "diff-row" },
                h("td", null, h("code", null, path)),
                h("td", null, h("del", null, inline(before))),
                h("td", null, h("ins", null, inline(after))),
              ),
            ),
          ),
  )
}

function variants({ variants: list }, currency) {
  if (!list?.length) {
    return null
  }
  return card(
    plural(list.length, "variant"),
    table(
      [
        { name: "Variant" },
        { name: "SKU" },
        { name: "Stock", align: "right" },
        { name: "Price", align: "right" },
      ],
      list.map((variant) =>
        h(
          "tr",
          { key: variant.id },
          h(
            "td",
            null,
            Object.values(variant.options ?? {}).join(" / ") || variant.name || variant.id,
          ),
          h("td", null, h("code", null, variant.sku ?? "–")),
          h(
            "td",
            { "data-align": "right" },
            variant.manageStock === false ? "not counted" : (variant.inventory ?? "–"),
          ),
          h(
            "td",
            { "data-align": "right" },
            typeof variant.price === "number" ? money(variant.price, currency) : "–",
          ),
        ),
      ),
    ),
  )
}
