import type { Cart, LineItem } from "../api"
import { refresh, setQuantity } from "../basket"
import { announce, type Child, h, icons, redraw } from "../dom"
import { showName, shows } from "../live"
import { money } from "../money"
import { picture } from "./picture"
import { struck } from "./price"
import { stepper } from "./stepper"
import { messageOf } from "./view"

/** A basket line's amounts. A struck price appears only where the catalog's is the higher one. */
function amountsOf({ unit_price, compare_at_unit_price, quantity }: LineItem) {
  const before = compare_at_unit_price ?? 0
  return { now: unit_price * quantity, before: before > unit_price ? before * quantity : null }
}

/** The basket's lines: to change, in the drawer and on the basket page, or to read, at checkout. */
export function lineList(cart: Cart, { editable }: { editable: boolean }): HTMLElement {
  return h(
    "ul",
    { class: "lines", "aria-label": "Products in your basket" },
    // The store answers them in no order; a line must not jump when its quantity changes.
    [...cart.items]
      .sort((a, b) => `${a.created_at} ${a.id}`.localeCompare(`${b.created_at} ${b.id}`))
      .map((line) => lineRow(cart, line, editable)),
  )
}

function lineRow(cart: Cart, line: LineItem, editable: boolean): Child {
  const { now, before } = amountsOf(line)
  const campaign = line.metadata?.svc_campaign_uid
  const trouble = h("div", { role: "alert" })
  const row = h("li", {
    class: "line-row",
    "data-testid": "cart-line",
    "data-handle": line.product_handle,
    "data-campaign": campaign,
  })

  const change = async (quantity: number) => {
    row.setAttribute("aria-busy", "true")
    redraw(trouble)
    try {
      await setQuantity(line, quantity)
      announce(
        quantity > 0 ? `${line.product_title}: ${quantity}` : `${line.product_title} removed`,
      )
    } catch (error) {
      row.removeAttribute("aria-busy")
      redraw(trouble, h("p", { class: "notice bad small" }, icons.alert(), messageOf(error)))
      await refresh()
    }
  }

  row.append(
    picture(line.thumbnail, { class: "thumb" }),
    h(
      "div",
      { class: "line-words" },
      h(
        "a",
        { class: "name", href: `/products/${encodeURIComponent(line.product_handle ?? "")}` },
        line.product_title,
      ),
      hasChoice(line) && h("p", { class: "muted small" }, line.variant_title),
      campaign !== undefined &&
        campaign !== null &&
        h(
          "p",
          { class: "tag" },
          icons.play(),
          h("span", { class: "unseen" }, "Price of the show "),
          showName(shows.get(), campaign),
        ),
      editable
        ? h(
            "div",
            { class: "line-controls" },
            stepper({
              name: `Quantity of ${line.product_title}`,
              key: line.id,
              value: line.quantity,
              lowest: 1,
              onchange: change,
            }),
            h(
              "button",
              {
                class: "link small",
                type: "button",
                "aria-label": `Remove ${line.product_title}`,
                onclick: () => change(0),
              },
              "Remove",
            ),
          )
        : h("p", { class: "muted small" }, `Quantity ${line.quantity}`),
      trouble,
    ),
    h(
      "p",
      { class: "line-money" },
      h(
        "span",
        {
          class: before === null ? "now" : "now reduced",
          "data-testid": "line-price",
          "data-amount": now,
        },
        money(now, cart.currency_code),
      ),
      before !== null && struck(before, cart.currency_code, "line-original-price"),
    ),
  )
  return row
}

const hasChoice = ({ variant_title }: LineItem) =>
  variant_title && !/^default( variant)?$/i.test(variant_title)

/** What the basket costs. Tax is a line of its own only where the prices are without it. */
export function totals(cart: Cart, { shipping }: { shipping: boolean }): HTMLElement {
  const row = (name: string, amount: number, testId?: string, strong = false) => [
    h("dt", { class: strong && "strong" }, name),
    h(
      "dd",
      { class: strong && "strong", "data-testid": testId, "data-amount": amount },
      money(amount, cart.currency_code),
    ),
  ]
  const inclusive = cart.items.every((line) => line.is_tax_inclusive)
  const hasShipping = (cart.shipping_methods?.length ?? 0) > 0
  const saved = cart.items.reduce((sum, line) => {
    const { now, before } = amountsOf(line)
    return before === null ? sum : sum + before - now
  }, 0)
  return h(
    "dl",
    { class: "totals" },
    row("Products", inclusive ? cart.item_total : cart.item_subtotal),
    shipping &&
      hasShipping &&
      row("Delivery", inclusive ? cart.shipping_total : cart.shipping_subtotal),
    shipping &&
      !hasShipping && [h("dt", null, "Delivery"), h("dd", { class: "muted" }, "at checkout")],
    // Until the country is known, there is no tax to name.
    !inclusive &&
      (cart.tax_total > 0
        ? row("VAT", cart.tax_total)
        : [h("dt", null, "VAT"), h("dd", { class: "muted" }, "at checkout")]),
    row("Total", cart.total, "cart-total", true),
    inclusive && [
      h("dt", { class: "muted small" }, "of which VAT"),
      h("dd", { class: "muted small" }, money(cart.tax_total, cart.currency_code)),
    ],
    saved > 0 && [
      h("dt", { class: "saved small" }, "You save"),
      h("dd", { class: "saved small" }, money(saved, cart.currency_code)),
    ],
  )
}
