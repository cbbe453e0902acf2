import type { PriceChange } from "svc-storefront"
import { type Child, h, icons } from "../dom"
import { money } from "../money"

export const problem = (text: string): Child => h("p", { class: "notice bad" }, icons.alert(), text)

const pieces = (quantity = 0): string => `${quantity} ${quantity === 1 ? "piece" : "pieces"}`

/** Nobody pays a price they did not see: what changed, before asking again. */
export function changedPrices(lines: PriceChange[]): Child {
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
          : lines.every(({ reason }) => reason === "quantity_limited")
            ? "The show sells another quantity"
            : "A price changed while you were here",
      ),
      h(
        "ul",
        null,
        lines.map((line) => {
          const { title, old_unit_price, new_unit_price, currency_code } = line
          const limited = line.reason === "quantity_limited"
          return h(
            "li",
            null,
            h("span", null, title),
            h(
              "span",
              null,
              h(
                "s",
                { class: "before" },
                limited
                  ? pieces(line.old_quantity)
                  : money(old_unit_price, line.old_currency_code ?? currency_code),
              ),
              " ",
              h(
                "strong",
                null,
                limited
                  ? pieces(line.new_quantity)
                  : new_unit_price === null
                    ? "not sold any more"
                    : money(new_unit_price, currency_code),
              ),
            ),
          )
        }),
      ),
      h("p", { class: "small" }, "The total here is the new one. Nothing has been ordered yet."),
    ),
  )
}
