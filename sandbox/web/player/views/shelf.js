/** The products of the show. */
import { icon } from "../icons.js"
import { money, savedPercent } from "../money.js"
import { picture } from "../picture.js"
import { hasVariants, optionValues, quantityToAdd } from "../variants.js"
import { h } from "../view.js"
import { isSelling } from "./status.js"

export function shelf(app) {
  const { products } = app.state.show
  return h(
    "section.shelf",
    { "aria-label": "Products in this show", tabindex: "-1" },
    products.length === 0
      ? h(
          "p.shelf-empty",
          null,
          icon("tag"),
          "The first product is on its way. It appears here the moment the host shows it.",
        )
      : h(
          "ul.cards",
          null,
          products.map((product) => card(app, product)),
        ),
  )
}

function card(app, product) {
  const { state } = app
  const variant = app.variantOf(product)
  const price = app.priceNow(product)
  const saved = savedPercent(price, product.suggested_retail_price)
  const flash = state.flashes.get(product.uid)
  const { currency } = state.show.event
  return h(
    "li.card",
    {
      key: product.uid,
      "data-testid": "svc-product",
      "data-external-id": product.external_id,
      "data-flash": flash ?? false,
      "data-soldout": product.available === false,
    },
    h(
      "div.picture",
      null,
      picture(product.image, { sign: "tag" }),
      saved > 0 && h("span.saved", null, `−${saved} %`),
      flash === "new" && h("span.flash", null, "New"),
    ),
    h(
      "div.card-body",
      null,
      h("h2", null, product.name),
      h(
        "p.price",
        null,
        h("strong", { "data-testid": "svc-price" }, money(price, currency)),
        saved > 0 &&
          h(
            "s",
            { "data-testid": "svc-retail-price" },
            h("span.unseen", null, "instead of "),
            money(product.suggested_retail_price, currency),
          ),
      ),
      hasVariants(product) && variantPicker(app, product, variant),
      limits(product),
      addButton(app, product, variant),
    ),
  )
}

/** One option of few short values is a row of chips, anything else a menu per option. */
function variantPicker(app, product, variant) {
  const options = optionValues(product)
  const varying = options.filter((values) => values.length > 1).length
  return h(
    "div.variants",
    null,
    options.map((values, position) => {
      if (values.length < 2 && options.length > 1) {
        return null
      }
      const short = varying < 2 && values.length <= 5 && values.join("").length <= 14
      return short
        ? chips(app, product, variant, values, position)
        : menu(app, product, variant, values, position)
    }),
  )
}

/** What the choice is called no payload says (interface §2.7), so the values have to tell two apart. */
const choiceName = (product, values) => `${product.name}: ${values.slice(0, 3).join(", ")}`

function chips(app, product, variant, values, position) {
  return h(
    "div.chips",
    { role: "group", "aria-label": choiceName(product, values) },
    values.map((value) =>
      h(
        "button.chip",
        {
          key: value,
          type: "button",
          "aria-pressed": String(variant?.names[position] === value),
          onclick: () => app.choose(product, position, value),
        },
        value,
      ),
    ),
  )
}

function menu(app, product, variant, values, position) {
  return h(
    "select.menu",
    {
      "aria-label": choiceName(product, values),
      value: variant?.names[position],
      onchange: (event) => app.choose(product, position, event.currentTarget.value),
    },
    values.map((value) => h("option", { value }, value)),
  )
}

function addButton(app, product, variant) {
  const selling = isSelling(app.state.show.event.status)
  const phase = app.state.cards.get(product.uid)
  const what = [product.name, ...(variant?.names ?? [])].join(" ")
  const soldOut = product.available === false
  const [label, sign] = soldOut
    ? ["Sold out", null]
    : !selling
      ? ["Opens with the show", null]
      : phase === "adding"
        ? ["Adding…", h("span.spinner")]
        : phase === "added"
          ? ["Added", icon("check")]
          : ["Add to basket", icon("plus")]
  const idle = soldOut || !selling
  return h(
    "button.add",
    {
      type: "button",
      "data-testid": "svc-add",
      "data-phase": phase ?? "ready",
      "aria-label": `${label}: ${what}`,
      disabled: idle,
      // Not "disabled" while adding: the button would lose the focus.
      "aria-disabled": phase === "adding" ? "true" : false,
      onclick: () => phase !== "adding" && app.add(product),
    },
    sign,
    h("span", null, label),
  )
}

function limits(product) {
  const least = quantityToAdd(product)
  const most = product.max_qty_per_customer
  const text = [least > 1 && `Sold from ${least}`, most && `At most ${most} per customer`]
    .filter(Boolean)
    .join(" · ")
  return text && h("p.limits", null, text)
}
