/** A product in a show: its price, whether it is to be had, and in what quantities. */
import { money, savedPercent } from "/player/money.js"
import { h } from "/player/view.js"
import { post, remove } from "../api.js"
import { plural } from "../format.js"
import { field, formDialog, iconButton, picture, priceInput } from "../parts.js"

const pathOf = (event, product) =>
  `/events/${encodeURIComponent(event.id)}/products/${encodeURIComponent(product.uid)}`

export function eventProduct(ctx, event, product) {
  const { data } = product
  const path = pathOf(event, product)
  return h(
    "li.event-product",
    { key: product.uid, "data-testid": "event-product", "data-external-id": product.external_id },
    picture(data.image?.url ?? data.images?.[0]?.url),
    h(
      "div.event-product-text",
      null,
      h("strong", null, data.name),
      h("span.soft", null, details(data)),
    ),
    catalogPrice(ctx, product),
    priceForm(ctx, product, path),
    h(
      "label.switch",
      { title: "May be bought" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: data.available,
        "aria-label": `${data.name} is available`,
        onchange: () =>
          ctx.act(`available ${product.uid}`, () => post(path, { available: !data.available })),
      }),
      h("span", null, data.available ? "On sale" : "Sold out"),
    ),
    h(
      "div.event-product-more",
      null,
      iconButton(ctx, {
        label: `Quantities and variants of ${data.name}`,
        sign: "sliders",
        testid: "edit-product",
        run: () => ctx.set({ dialog: `product ${product.uid}` }),
      }),
      iconButton(ctx, {
        label: `Remove ${data.name}`,
        sign: "trash",
        testid: "remove-product",
        run: () => remove(path),
        done: `${data.name} is out of the show`,
      }),
    ),
  )
}

function details({ sku, variants = [], minPurchaseQty, maxQtyPerCustomer }) {
  return [
    sku,
    variants.length > 0 && plural(variants.length, "variant"),
    minPurchaseQty && `from ${minPurchaseQty}`,
    maxQtyPerCustomer && `at most ${maxQtyPerCustomer}`,
  ]
    .filter(Boolean)
    .join(" · ")
}

/** What the store pushed is in the page's currency, whatever the show's. */
function catalogPrice(ctx, { catalog_price }) {
  return h(
    "div.catalog-price",
    null,
    catalog_price !== null && [
      h("span.soft", null, "Catalog"),
      h("s", null, money(catalog_price, ctx.page.currency)),
    ],
  )
}

const savedOn = (ctx, { catalog_price, currency, data }) =>
  catalog_price !== null && currency === ctx.page.currency
    ? savedPercent(data.price, catalog_price)
    : 0

/** The show's price, changed while the show runs. */
function priceForm(ctx, product, path) {
  const { data, currency } = product
  const saved = savedOn(ctx, product)
  const key = `price ${product.uid}`
  return h(
    "form.price-form",
    {
      onsubmit: (event) => {
        event.preventDefault()
        const price = Number(new FormData(event.currentTarget).get("price"))
        // Variants with a price of their own keep their distance to the product's.
        ctx.act(
          key,
          () => post(path, { price, ...movedVariants(data, price) }),
          `${data.name}: ${money(price, currency)}`,
        )
      },
    },
    h(
      "label",
      null,
      h("span.soft", null, "Show price", saved > 0 && h("b.saved", null, ` −${saved} %`)),
      priceInput(currency, { value: data.price, "data-testid": "price-input" }),
    ),
    h(
      "button.button.plain",
      {
        type: "submit",
        "data-testid": "price-save",
        "aria-disabled": ctx.isBusy(key) ? "true" : false,
      },
      ctx.isBusy(key) ? h("span.spinner") : "Set",
    ),
  )
}

function movedVariants(data, price) {
  const priced = (data.variants ?? []).filter((variant) => variant.price !== undefined)
  if (priced.length === 0) {
    return {}
  }
  return {
    variants: priced.map((variant) => ({
      external_id: variant.externalId,
      price: Math.max(0, Math.round((variant.price + price - data.price) * 100) / 100),
    })),
  }
}

/** The finer points of a product in the show (interface §2.7). */
export function eventProductDialog(ctx, event, products) {
  const product = products.find(({ uid }) => ctx.local.dialog === `product ${uid}`)
  if (!product) {
    return null
  }
  const { data, currency } = product
  const number = (name, value, rest = {}) =>
    h("input", { name, type: "number", value: value ?? "", "data-testid": name, ...rest })
  const quantity = { min: 1, step: 1 }
  const amount = { min: 0, step: "0.01" }
  return formDialog(
    ctx,
    {
      title: data.name,
      key: `details ${product.uid}`,
      submitLabel: "Save",
      done: "Saved",
      submit: (values) =>
        post(pathOf(event, product), {
          suggested_retail_price: Number(values.retail),
          min_purchase_qty: orNull(values.min),
          max_qty_per_customer: orNull(values.max),
          default_quantity_to_add: orNull(values.standard),
          variants: (data.variants ?? []).map(({ externalId }) => ({
            external_id: externalId,
            price: orNull(values[`variant ${externalId}`]),
          })),
        }),
    },
    field(
      `Retail price, ${currency}`,
      number("retail", data.suggestedRetailPrice, { ...amount, required: true }),
      "What the player strikes through",
    ),
    h(
      "div.field-row.three",
      null,
      field("Sold from", number("min", data.minPurchaseQty, quantity)),
      field("At most", number("max", data.maxQtyPerCustomer, quantity)),
      field("Adds at once", number("standard", data.defaultQuantityToAdd, quantity)),
    ),
    data.variants?.length > 0 &&
      h(
        "fieldset",
        null,
        h("legend", null, `Prices of variants, ${currency}`),
        h("small", null, `Empty: the product's ${money(data.price, currency)}`),
        h(
          "div.variant-prices",
          null,
          data.variants.map(({ externalId, sku, variantNames, price }) =>
            h(
              "label",
              null,
              h("span", null, variantNames?.join(" / ") || sku),
              number(`variant ${externalId}`, price, { ...amount, placeholder: data.price }),
            ),
          ),
        ),
      ),
  )
}

const orNull = (text) => (text === "" || text === undefined ? null : Number(text))
