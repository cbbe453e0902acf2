import { chooseShipping, listShippingOptions, type ShippingOption } from "../api"
import { basket } from "../basket"
import { h, redraw } from "../dom"
import { market } from "../market"
import { money } from "../money"
import { problem } from "./notices"
import { messageOf } from "./view"

/**
 * The ways to send it, once `addressed` has told the store where to. The cheapest is chosen at
 * once, so that the total is true from the start.
 */
export function shippingChoice(cartId: string, addressed: Promise<unknown>) {
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
  const ready = addressed
    .then(() => listShippingOptions(cartId))
    .then(async (found) => {
      const options = [...found].sort((a, b) => a.amount - b.amount)
      const before = basket.get()?.shipping_methods?.[0]?.shipping_option_id
      const first = options.find(({ id }) => id === before) ?? options[0]
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
    /** Done when one is chosen and in the total; rejects where there is none. */
    ready,
    /** Chooses again before the order: what fits may change with the address. */
    async choose() {
      await ready
      if (chosen) {
        await set(chosen)
      }
    },
  }
}
