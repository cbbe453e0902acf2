import { basket } from "../basket"
import { h, redraw } from "../dom"
import { shows } from "../live"
import { empty } from "./drawer"
import { lineList, totals } from "./lines"
import type { View } from "./view"

export function basketPage(): View {
  const body = h("div", null)
  const draw = () => {
    const cart = basket.get()
    redraw(
      body,
      cart?.items.length
        ? h(
            "div",
            { class: "two-columns" },
            lineList(cart, { editable: true }),
            h(
              "aside",
              { class: "summary" },
              h("h2", { class: "heading" }, "Summary"),
              totals(cart, { shipping: true }),
              h(
                "a",
                { class: "button wide-button", href: "/checkout", "data-testid": "checkout-link" },
                "Go to checkout",
              ),
            ),
          )
        : empty(),
    )
  }
  const stops = [basket.watch(draw), shows.watch(draw)]
  return {
    title: "Basket",
    element: h("div", { class: "page" }, h("h1", { class: "title" }, "Basket"), body),
    leave() {
      for (const stop of stops) {
        stop()
      }
    },
  }
}
