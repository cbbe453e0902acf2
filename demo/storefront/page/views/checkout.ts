import {
  changesSince,
  completeCart,
  type PriceChange,
  seenPrices,
  startPayment,
} from "svc-storefront"
import { type Address, type Cart, setCountry, updateCart } from "../api"
import { basket, forgetBasket, refresh } from "../basket"
import { announce, type Child, h, redraw } from "../dom"
import { shows } from "../live"
import { config, market } from "../market"
import { money } from "../money"
import { navigate } from "../navigation"
import { empty } from "./drawer"
import { field, valid } from "./form-fields"
import { lineList, totals } from "./lines"
import { changedPrices, problem } from "./notices"
import { shippingChoice } from "./shipping-choice"
import { messageOf, type View } from "./view"

/** One page from address to order. The total beside it is always the store's own. */
export function checkoutPage(): View {
  const body = h("div", null)
  const summary = h("aside", { class: "summary" })
  const stops: (() => void)[] = []
  let form: HTMLElement | undefined
  let here = true

  const draw = () => {
    const cart = basket.get()
    if (!cart?.items.length) {
      form = undefined
      redraw(body, empty())
      return
    }
    redraw(
      summary,
      h("h2", { class: "heading" }, "Your order"),
      lineList(cart, { editable: false }),
      totals(cart, { shipping: true }),
    )
    // The form is made once: drawing it again would lose what is being typed.
    if (!form) {
      form = orderForm(cart, () => here, stops)
      redraw(body, h("div", { class: "two-columns checkout" }, form, summary))
    }
  }
  stops.push(basket.watch(draw), shows.watch(draw))
  return {
    title: "Checkout",
    element: h("div", { class: "page" }, h("h1", { class: "title" }, "Checkout"), body),
    leave() {
      here = false
      for (const stop of stops) {
        stop()
      }
    },
  }
}

function orderForm(cart: Cart, here: () => boolean, stops: (() => void)[]): HTMLElement {
  const notice = h("div", { class: "notices", "aria-live": "assertive" })
  const button = h("button", {
    class: "button wide-button",
    type: "submit",
    "data-testid": "place-order",
  })
  const known = cart.shipping_address ?? {}
  const country = h(
    "select",
    {
      name: "country_code",
      autocomplete: "country",
      "data-testid": "checkout-country",
      onchange: () => tax().catch(() => undefined),
    },
    (cart.region?.countries ?? []).map(({ iso_2, display_name }) =>
      h("option", { value: iso_2, selected: iso_2 === known.country_code }, display_name),
    ),
  )
  // The country decides the tax, and the tax the total: both are known before anything is ordered.
  const tax = async () => basket.set(await setCountry(cart.id, country.value))
  const ready = known.country_code === country.value ? Promise.resolve() : tax()
  const shipping = shippingChoice(cart.id, ready)

  const form = h(
    "form",
    { class: "order-form", novalidate: true, onsubmit: submit },
    section(
      "Contact",
      field({
        name: "email",
        label: "Email",
        type: "email",
        autocomplete: "email",
        value: cart.email,
        testId: "checkout-email",
      }),
    ),
    section(
      "Delivery address",
      h(
        "div",
        { class: "fields" },
        field({
          name: "first_name",
          label: "First name",
          autocomplete: "given-name",
          value: known.first_name,
        }),
        field({
          name: "last_name",
          label: "Last name",
          autocomplete: "family-name",
          value: known.last_name,
        }),
      ),
      field({
        name: "address_1",
        label: "Street and number",
        autocomplete: "street-address",
        value: known.address_1,
      }),
      h(
        "div",
        { class: "fields narrow" },
        field({
          name: "postal_code",
          label: "Postcode",
          autocomplete: "postal-code",
          value: known.postal_code,
        }),
        field({ name: "city", label: "City", autocomplete: "address-level2", value: known.city }),
      ),
      h("label", { class: "field" }, h("span", null, "Country"), country),
    ),
    section("Delivery", shipping.element),
    section(
      "Payment",
      h(
        "div",
        { class: "radio-card" },
        h("input", { type: "radio", id: "pay", checked: true, name: "payment" }),
        h(
          "label",
          { for: "pay" },
          h("span", { class: "strong" }, "Pay by invoice"),
          h("span", { class: "muted small" }, "This is a demo: nothing is charged."),
        ),
      ),
    ),
    notice,
    button,
  )

  let placing = false
  // Until the delivery is chosen, the total is not what would be paid.
  let priced = false
  /** How often the shopper was told that a price is another one. */
  let told = 0
  /** What they were told last: ordering again means that they agree. */
  let acknowledged: PriceChange[] = []
  let seen = seenPrices(cart)

  const draw = () => {
    const { total, currency_code } = basket.get() ?? cart
    button.disabled = placing || !priced
    button.textContent = placing
      ? "Placing your order…"
      : `Place order${told > 0 ? " at the new price" : ""} · ${money(total, currency_code)}`
  }
  shipping.ready.then(
    () => {
      priced = true
      draw()
    },
    () => undefined,
  )
  const busy = (on: boolean) => {
    placing = on
    form.toggleAttribute("aria-busy", on)
    draw()
  }
  const tell = (lines: PriceChange[]) => {
    told += 1
    acknowledged = lines
    redraw(notice, changedPrices(lines))
    announce("Prices have changed. Please look at your order again.")
  }
  stops.push(
    basket.watch((now) => {
      if (now) {
        const changes = changesSince(seen, now)
        seen = seenPrices(now)
        if (changes.length > 0) {
          tell(changes)
        }
      }
      draw()
    }),
  )

  async function submit(event: Event) {
    event.preventDefault()
    if (placing || !valid(form)) {
      return
    }
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>
    const toldBefore = told
    busy(true)
    redraw(notice)
    try {
      const address: Address = {
        first_name: values.first_name ?? "",
        last_name: values.last_name ?? "",
        address_1: values.address_1 ?? "",
        postal_code: values.postal_code ?? "",
        city: values.city ?? "",
        country_code: values.country_code ?? "",
      }
      const email = values.email ?? ""
      basket.set(
        await updateCart(cart.id, { email, shipping_address: address, billing_address: address }),
      )
      await shipping.choose()
      if (told > toldBefore) {
        busy(false)
        return
      }
      const store = { baseUrl: config.storeUrl, publishableKey: market.get().publishableKey }
      const provider = { provider_id: "pp_system_default" }
      const started = await startPayment(store, { id: cart.id }, provider, { acknowledged })
      const done =
        started.type === "payment" ? await completeCart(store, cart.id, { acknowledged }) : started
      if (done.type === "order") {
        forgetBasket()
        navigate(`/thanks/${done.order.id}`)
        return
      }
      if (done.type === "price_changed") {
        await refresh()
        if (here()) {
          tell(done.lines)
        }
      } else {
        redraw(notice, problem(done.error?.message ?? "The payment needs another step."))
      }
    } catch (error) {
      redraw(notice, problem(messageOf(error)))
      await refresh()
    }
    busy(false)
  }

  return form
}

const section = (title: string, ...children: Child[]) =>
  h("section", { class: "form-section" }, h("h2", { class: "heading" }, title), children)
