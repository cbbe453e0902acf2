import type { PriceChange } from "medusa-plugin-svc/storefront"
import { type Child, h, icons } from "../dom"
import { money } from "../money"

export const problem = (text: string): Child => h("p", { class: "notice bad" }, icons.alert(), text)

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
