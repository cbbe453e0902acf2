/** Social checkout links of a show: what someone posts beside a clip. */
import { checkoutLink } from "/player/checkout-link.js"
import { h } from "/player/view.js"
import { button, card, field } from "../parts.js"

const STOREFRONT_KEY = "svc-sandbox:storefront"
const STOREFRONT = "http://127.0.0.1:8000"

/**
 * The storefront's address: as last typed here, else where the products of the show say they live.
 * @param {{ data: { url: string } }[]} products
 */
export function storefront(ctx, products) {
  const url = products.find(({ data }) => URL.canParse(data.url))?.data.url
  const own = url ? new URL(url).origin : STOREFRONT
  return ctx.local.storefront ?? localStorage.getItem(STOREFRONT_KEY) ?? own
}

/** The product's own id where it has no variants, else one choice per variant. */
function choices(products) {
  return products.flatMap(({ data }) => {
    const variants = data.variants ?? []
    return variants.length === 0
      ? [{ value: data.externalId, name: data.name, productId: data.externalId }]
      : variants.map((variant) => ({
          value: `${data.externalId}|${variant.externalId}`,
          name: `${data.name}, ${variant.variantNames?.join(" / ") || variant.sku}`,
          productId: data.externalId,
          variantId: variant.externalId,
        }))
  })
}

export function checkoutLinks(ctx, event, products) {
  if (products.length === 0) {
    return card(
      "Social checkout link",
      h(
        "p.soft",
        null,
        "Give the show a product first: the link puts products straight into a basket.",
      ),
    )
  }
  const all = choices(products)
  const shop = storefront(ctx, products)
  const quantities = ctx.local.linked ?? { [all[0].value]: 1 }
  const chosen = all
    .filter(({ value }) => quantities[value] > 0)
    .map(({ value, productId, variantId }) => ({
      productId,
      variantId,
      quantity: quantities[value],
    }))
  const link = linkOf(shop, event, chosen, ctx.local.clearCart)
  return card(
    "Social checkout link",
    h(
      "p.soft",
      null,
      "Whoever opens it finds these products in the shop's basket, at the show's prices.",
    ),
    h(
      "ul.link-products",
      null,
      all.map(({ value, name }) =>
        h(
          "li",
          { key: value },
          h("span", null, name),
          h("input", {
            type: "number",
            min: 0,
            max: 99,
            value: quantities[value] ?? 0,
            "aria-label": `Quantity of ${name}`,
            "data-testid": "link-quantity",
            oninput: ({ currentTarget }) =>
              ctx.set({
                linked: { ...quantities, [value]: Math.floor(Number(currentTarget.value)) || 0 },
              }),
          }),
        ),
      ),
    ),
    field(
      "Storefront",
      h("input", {
        type: "url",
        value: shop,
        "data-testid": "link-storefront",
        oninput: ({ currentTarget }) => {
          localStorage.setItem(STOREFRONT_KEY, currentTarget.value)
          ctx.set({ storefront: currentTarget.value })
        },
      }),
    ),
    h(
      "label.check",
      null,
      h("input", {
        type: "checkbox",
        checked: ctx.local.clearCart === true,
        onchange: ({ currentTarget }) => ctx.set({ clearCart: currentTarget.checked }),
      }),
      "Empty the basket first",
    ),
    link
      ? [
          h("textarea.link", {
            readonly: true,
            rows: 3,
            "aria-label": "The link",
            "data-testid": "link",
            value: link,
          }),
          h(
            "div.row",
            null,
            button(ctx, {
              label: "Copy the link",
              sign: "copy",
              tone: "primary",
              run: () => navigator.clipboard.writeText(link),
              done: "Copied",
            }),
            h("a.button.plain", { href: link, target: "_blank" }, "Open it"),
          ),
        ]
      : h(
          "p.form-error",
          null,
          chosen.length === 0
            ? "Choose at least one product."
            : "The storefront needs a whole address, with http:// or https://.",
        ),
  )
}

function linkOf(shop, event, products, clearCart) {
  if (products.length === 0 || !URL.canParse(shop)) {
    return null
  }
  return checkoutLink(shop, { campaignUid: event.campaign_uid, products, clearCart })
}
