import { completeCart, type PriceChanged } from "medusa-plugin-svc/storefront"
import {
  type Address,
  type Cart,
  chooseShipping,
  listShippingOptions,
  preparePayment,
  type ShippingOption,
  updateCart,
} from "../api"
import { basket, forgetBasket, refresh } from "../basket"
import { announce, type Child, h, icons, redraw } from "../dom"
import { shows } from "../live"
import { config, market } from "../market"
import { money } from "../money"
import { navigate } from "../navigation"
import { empty } from "./drawer"
import { lineList, totals } from "./lines"
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
  const shipping = shippingChoice(cart.id)
  const known = cart.shipping_address ?? {}
  const countries = cart.region?.countries ?? []

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
      h(
        "label",
        { class: "field" },
        h("span", null, "Country"),
        h(
          "select",
          { name: "country_code", autocomplete: "country", "data-testid": "checkout-country" },
          countries.map(({ iso_2, display_name }) =>
            h("option", { value: iso_2, selected: iso_2 === known.country_code }, display_name),
          ),
        ),
      ),
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
  let changed = false
  const draw = () => {
    const { total, currency_code } = basket.get() ?? cart
    button.disabled = placing
    button.textContent = placing
      ? "Placing your order…"
      : `Place order${changed ? " at the new price" : ""} · ${money(total, currency_code)}`
  }
  const busy = (on: boolean) => {
    placing = on
    form.toggleAttribute("aria-busy", on)
    draw()
  }

  async function submit(event: Event) {
    event.preventDefault()
    if (placing || !valid(form)) {
      return
    }
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>
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
      await updateCart(cart.id, {
        email: values.email ?? "",
        shipping_address: address,
        billing_address: address,
      })
      await shipping.choose()
      await preparePayment(cart.id)
      const store = { baseUrl: config.storeUrl, publishableKey: market.get().publishableKey }
      const done = await completeCart(store, cart.id)
      if (done.type === "order") {
        forgetBasket()
        navigate(`/thanks/${done.order.id}`)
        return
      }
      if (done.type === "price_changed") {
        await refresh()
        if (here()) {
          redraw(notice, changedPrices(done))
          announce("Prices have changed. Please look at your order again.")
          changed = true
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

  stops.push(basket.watch(draw))
  return form
}

const section = (title: string, ...children: Child[]) =>
  h("section", { class: "form-section" }, h("h2", { class: "heading" }, title), children)

const problem = (text: string) => h("p", { class: "notice bad" }, icons.alert(), text)

/** Nobody pays a price they did not see: what changed, before asking again. */
function changedPrices({ lines }: PriceChanged): Child {
  return h(
    "div",
    { class: "notice changed", "data-testid": "price-changed" },
    icons.alert(),
    h(
      "div",
      null,
      h(
        "p",
        { class: "strong" },
        lines.some(({ reason }) => reason === "campaign_ended")
          ? "The show has ended, and its prices with it"
          : "A price changed while you were here",
      ),
      h(
        "ul",
        null,
        lines.map(({ title, old_unit_price, new_unit_price, currency_code }) =>
          h(
            "li",
            null,
            h("span", null, title),
            h(
              "span",
              null,
              h("s", { class: "before" }, money(old_unit_price, currency_code)),
              " ",
              h(
                "strong",
                null,
                new_unit_price === null
                  ? "not sold any more"
                  : money(new_unit_price, currency_code),
              ),
            ),
          ),
        ),
      ),
      h("p", { class: "small" }, "The total here is the new one. Nothing has been ordered yet."),
    ),
  )
}

interface FieldOptions {
  name: string
  label: string
  type?: string
  autocomplete: string
  value?: string | null
  testId?: string
}

function field({ name, label, type = "text", autocomplete, value, testId }: FieldOptions) {
  const error = h("span", { class: "field-error", id: `${name}-error` })
  const input = h("input", {
    name,
    type,
    autocomplete,
    value,
    required: true,
    "aria-describedby": `${name}-error`,
    "data-testid": testId ?? `checkout-${name}`,
    oninput: () => {
      if (input.getAttribute("aria-invalid")) {
        input.removeAttribute("aria-invalid")
        error.textContent = ""
      }
    },
  })
  return h("label", { class: "field" }, h("span", null, label), input, error)
}

/** Marks what is missing, in words beside the field, and goes to the first. */
function valid(form: HTMLFormElement): boolean {
  const wrong = [...form.querySelectorAll<HTMLInputElement>("input[required]")].filter((input) => {
    const ok = input.value.trim() !== "" && input.validity.valid
    const error = document.getElementById(`${input.name}-error`)
    if (!ok) {
      input.setAttribute("aria-invalid", "true")
    }
    if (error) {
      error.textContent = ok
        ? ""
        : input.value.trim() && input.type === "email"
          ? "This does not look like an email address."
          : "Please fill this in."
    }
    return !ok
  })
  wrong[0]?.focus()
  return wrong.length === 0
}

/** The ways to send it. The cheapest is chosen at once, so that the total is true from the start. */
function shippingChoice(cartId: string) {
  const element = h("div", { class: "radio-cards", "aria-busy": "true" })
  let chosen: string | undefined

  const set = async (id: string) => {
    chosen = id
    basket.set(await chooseShipping(cartId, id))
  }
  const draw = (options: ShippingOption[]) => {
    const { currency } = market.get()
    redraw(
      element,
      options.map(({ id, name, amount }) =>
        h(
          "div",
          { class: "radio-card" },
          h("input", {
            type: "radio",
            name: "shipping",
            id,
            value: id,
            checked: id === chosen,
            "data-testid": "shipping-option",
            onchange: () => set(id).catch(failed),
          }),
          h(
            "label",
            { for: id },
            h("span", { class: "strong" }, name),
            h("span", { class: "price" }, amount === 0 ? "Free" : money(amount, currency)),
          ),
        ),
      ),
    )
    element.removeAttribute("aria-busy")
  }
  const failed = (error: unknown) => {
    redraw(element, problem(messageOf(error)))
    element.removeAttribute("aria-busy")
  }
  const ready = listShippingOptions(cartId).then(async (options) => {
    const before = basket.get()?.shipping_methods?.[0]?.shipping_option_id
    const cheapest = [...options].sort((a, b) => a.amount - b.amount)[0]
    const first = options.find(({ id }) => id === before) ?? cheapest
    if (!first) {
      throw new Error("This shop does not deliver here yet.")
    }
    chosen = first.id
    draw(options)
    await set(first.id)
  })
  ready.catch(failed)

  return {
    element,
    /** Chooses again before the order: what fits may change with the address. */
    async choose() {
      await ready
      if (chosen) {
        await set(chosen)
      }
    },
  }
}
