/** The shop's basket as the player shows it, and the way to the shop's own. */
import { icon } from "../icons.js"
import { money } from "../money.js"
import { picture } from "../picture.js"
import { h } from "../view.js"

export function basketSection(app) {
  const basket = app.basket()
  const lines = basket.lines()
  const currency = basket.currency || app.state.show.event.currency
  const count = lines.reduce((sum, line) => sum + line.quantity, 0)
  return h(
    "section.basket",
    {
      "data-testid": "svc-cart",
      "aria-label": "Your basket",
      "aria-busy": String(basket.isPending()),
      "data-empty": lines.length === 0,
    },
    h(
      "header.basket-head",
      null,
      h(
        "button.basket-toggle",
        {
          type: "button",
          "aria-expanded": String(app.state.basketOpen),
          onclick: app.toggleBasket,
        },
        icon("basket"),
        h("span", null, "Your basket"),
        count > 0 && h("span.count", { key: `count-${count}` }, count),
        h("span.turn", null, icon("up")),
      ),
      lines.length > 0 &&
        h(
          "strong.total",
          { "data-testid": "svc-total", "data-pending": basket.isPending() },
          money(basket.total(), currency),
        ),
    ),
    h("div.basket-body", null, contents(app, basket, lines, currency)),
    h(
      "button.go",
      {
        type: "button",
        "data-testid": "svc-go-to-cart",
        disabled: lines.length === 0,
        onclick: app.openCart,
      },
      "Go to basket",
      icon("right"),
    ),
  )
}

function contents(app, basket, lines, currency) {
  if (lines.length > 0) {
    return h(
      "ul.lines",
      null,
      lines.map((line) => basketLine(app, line, currency)),
    )
  }
  if (basket.status === "unavailable") {
    return h(
      "p.basket-empty",
      null,
      basket.message || "The basket could not be shown.",
      h("button.text-button", { type: "button", onclick: basket.refresh }, "Try again"),
    )
  }
  return h(
    "p.basket-empty",
    null,
    "Nothing in it yet. Add what you like, the price is held for you.",
  )
}

function basketLine(app, line, currency) {
  const product = app.productOf(line.product_id, line.variant_id)
  const variant = product?.variants?.find((one) => one.external_id === line.variant_id)
  const image = line.image ?? product?.image
  const least = product?.min_purchase_qty ?? 1
  const most = product?.max_qty_per_customer ?? Number.POSITIVE_INFINITY
  return h(
    "li.line",
    {
      key: line.key,
      "data-testid": "svc-cart-line",
      "data-product-id": line.product_id,
      "data-pending": line.pending,
    },
    picture(image, { sign: "tag" }),
    h(
      "div.line-text",
      null,
      h("span.line-name", null, product?.name ?? line.name),
      h(
        "span.line-detail",
        null,
        [...(variant?.names ?? []), money(line.unit_price, currency)].join(" · "),
      ),
    ),
    line.in_campaign
      ? stepper(app, line, least, most)
      : h("span.line-quantity", { title: "Not from this show" }, `${line.quantity} ×`),
    h("span.line-total", null, money(line.total, currency)),
    line.in_campaign &&
      h(
        "button.round.remove",
        {
          type: "button",
          "data-testid": "svc-remove",
          "aria-label": `Remove ${line.name}`,
          onclick: () => app.setQuantity(line, 0),
        },
        icon("trash"),
      ),
  )
}

function stepper(app, line, least, most) {
  const step = (by, name, sign, testid, blocked) =>
    h(
      "button",
      {
        type: "button",
        "data-testid": testid,
        "aria-label": `${name} ${line.name}`,
        disabled: blocked,
        onclick: () => app.setQuantity(line, line.quantity + by),
      },
      icon(sign),
    )
  return h(
    "div.stepper",
    { role: "group", "aria-label": `Quantity of ${line.name}` },
    step(-1, "Fewer of", "minus", "svc-less", line.quantity - 1 < least),
    h("span", { "data-testid": "svc-quantity" }, line.quantity),
    step(1, "More of", "plus", "svc-more", line.quantity + 1 > most),
  )
}
