import { basket, countOf, openBasket } from "../basket"
import { h, icons, redraw } from "../dom"
import { chooseMarket, config, market } from "../market"
import { navigate } from "../navigation"

export function header(): HTMLElement {
  const count = h("span", { class: "count", "aria-hidden": "true" })
  const button = h(
    "button",
    {
      class: "icon-button",
      type: "button",
      "data-testid": "cart-button",
      "aria-haspopup": "dialog",
      onclick: openBasket,
    },
    icons.basket(),
    count,
  )
  basket.watch((cart) => {
    const pieces = countOf(cart)
    redraw(count, pieces)
    count.hidden = pieces === 0
    button.setAttribute("aria-label", `Basket, ${pieces} ${pieces === 1 ? "product" : "products"}`)
  })

  const search = h("input", {
    type: "search",
    name: "q",
    placeholder: "Search",
    "aria-label": "Search products",
    autocomplete: "off",
    value: new URLSearchParams(location.search).get("q"),
  })
  const find = h(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (event: Event) => {
        event.preventDefault()
        navigate(search.value.trim() ? `/?q=${encodeURIComponent(search.value.trim())}` : "/")
      },
    },
    icons.search(),
    search,
  )

  return h(
    "header",
    { class: "top" },
    h(
      "div",
      { class: "wide" },
      h(
        "a",
        {
          class: "mark",
          href: "/",
          "aria-label": "Hede & Havn, home",
          onclick: () => (search.value = ""),
        },
        "Hede",
        h("span", null, "&"),
        "Havn",
      ),
      find,
      marketSwitch(),
      button,
    ),
  )
}

function marketSwitch(): HTMLElement {
  const select = h(
    "select",
    {
      "aria-label": "Country and currency",
      "data-testid": "market-switch",
      onchange: () => chooseMarket(select.value),
    },
    config.markets.map(({ id, label, currency }) =>
      h(
        "option",
        { value: id, selected: id === market.get().id },
        `${label} · ${currency.toUpperCase()}`,
      ),
    ),
  )
  return h("div", { class: "market" }, select)
}

export function footer(): HTMLElement {
  const column = (title: string, ...lines: string[]) =>
    h(
      "div",
      null,
      h("h2", null, title),
      lines.map((line) => h("p", null, line)),
    )
  return h(
    "footer",
    { class: "bottom" },
    h(
      "div",
      { class: "wide" },
      column("Hede & Havn", "Quiet things for the home,", "made to be kept."),
      column("Delivery", "Sent within two days", "Thirty days to change your mind"),
      column("About this shop", "A demo: nothing is charged,", "and nothing is sent."),
    ),
  )
}
