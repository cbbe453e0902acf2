import { basket, countOf, drawerOpen } from "../basket"
import { type Child, h, icons, redraw } from "../dom"
import { shows } from "../live"
import { address } from "../navigation"
import { lineList, totals } from "./lines"

/** The basket beside the page. A native dialog: it keeps the focus inside, and Escape closes it. */
export function drawer(): HTMLElement {
  const body = h("div", { class: "drawer-body" })
  const count = h("span", { class: "muted" })
  const dialog = h(
    "dialog",
    {
      class: "drawer",
      "aria-label": "Basket",
      "data-testid": "cart-drawer",
      onclose: () => drawerOpen.set(false),
      // A click on the dialog itself is a click on what is behind it.
      onclick: (event: Event) => event.target === dialog && dialog.close(),
    },
    h(
      "div",
      { class: "drawer-inside" },
      h(
        "div",
        { class: "drawer-head" },
        h("h2", { class: "heading" }, "Basket ", count),
        h(
          "button",
          {
            class: "icon-button",
            type: "button",
            "aria-label": "Close the basket",
            onclick: () => dialog.close(),
          },
          icons.close(),
        ),
      ),
      body,
    ),
  )

  // Drawn only while it is open: a page has the basket's lines once.
  const draw = () => {
    const cart = basket.get()
    count.textContent = String(countOf(cart) || "")
    redraw(
      body,
      drawerOpen.get() && (cart?.items.length ? full(cart) : empty(() => dialog.close())),
    )
  }
  basket.watch(draw)
  shows.watch(draw)
  drawerOpen.watch((open) => {
    draw()
    if (open && !dialog.open) {
      dialog.showModal()
    } else if (!open && dialog.open) {
      dialog.close()
    }
  })
  address.watch(() => drawerOpen.set(false))
  return dialog
}

function full(cart: NonNullable<ReturnType<typeof basket.get>>): Child {
  return [
    lineList(cart, { editable: true }),
    h(
      "div",
      { class: "drawer-foot" },
      totals(cart, { shipping: true }),
      h(
        "a",
        { class: "button wide-button", href: "/checkout", "data-testid": "checkout-link" },
        "Go to checkout",
      ),
      h("a", { class: "link centered", href: "/cart" }, "See the whole basket"),
    ),
  ]
}

export function empty(onleave?: () => void): Child {
  return h(
    "div",
    { class: "message", "data-testid": "cart-empty" },
    h("span", { class: "big-icon" }, icons.basket()),
    h("p", null, "Your basket is empty."),
    h("a", { class: "button quiet", href: "/", onclick: onleave }, "See everything"),
  )
}
