import { retrieveOrder } from "../api"
import { h, icons } from "../dom"
import { lineList, totals } from "./lines"
import { loading, type View } from "./view"

export function thanksPage(id: string): View {
  const { element, leave } = loading(h("div", { class: "page message" }), async () => {
    const order = await retrieveOrder(id)
    return h(
      "div",
      { class: "page thanks", "data-testid": "order-confirmed", "data-order": order.id },
      h("span", { class: "big-icon good" }, icons.check()),
      h("h1", { class: "title" }, "Thank you"),
      h(
        "p",
        { class: "muted" },
        `Order no. ${order.display_id} is placed. A confirmation goes to ${order.email}.`,
      ),
      h(
        "div",
        { class: "summary" },
        lineList(order, { editable: false }),
        totals(order, { shipping: true }),
      ),
      h("a", { class: "button quiet", href: "/" }, "Back to the shop"),
    )
  })
  return { title: "Thank you", element, leave }
}
