import type { PriceChange } from "svc-storefront"
import { money } from "../money"
import { Icon } from "./icon"

export const Problem = ({ text }: { text: string }) => (
  <p class="note tone" data-tone="red" role="alert">
    <Icon name="alert" />
    {text}
  </p>
)

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : "Something went wrong. Please try again."

const pieces = (quantity = 0): string => `${quantity} ${quantity === 1 ? "piece" : "pieces"}`

function headingOf(lines: PriceChange[]): string {
  if (lines.some(({ reason }) => reason === "campaign_ended")) {
    return "The show has ended, and its prices with it"
  }
  return lines.every(({ reason }) => reason === "quantity_limited")
    ? "The show sells another quantity"
    : "A price changed while you were here"
}

/** What a line was and what it is now, in words. */
function differenceOf(line: PriceChange): [before: string, now: string] {
  if (line.reason === "quantity_limited" && line.old_quantity !== line.new_quantity) {
    return [pieces(line.old_quantity), pieces(line.new_quantity)]
  }
  const { old_unit_price, new_unit_price, currency_code, old_currency_code } = line
  return [
    money(old_unit_price, old_currency_code ?? currency_code),
    new_unit_price === null ? "not sold any more" : money(new_unit_price, currency_code),
  ]
}

/** Nobody pays a price they did not see: what changed, before asking again. */
export function ChangedPrices({ lines }: { lines: PriceChange[] }) {
  return (
    <div class="note tone" data-tone="red" data-testid="price-changed">
      <Icon name="alert" />
      <div class="stack grow ink">
        <p class="strong">{headingOf(lines)}</p>
        <ul>
          {lines.map((line) => {
            const [before, now] = differenceOf(line)
            return (
              <li key={line.line_item_id} class="row between">
                <span>{line.title}</span>
                <span>
                  <s class="soft">{before}</s> <strong class="strong">{now}</strong>
                </span>
              </li>
            )
          })}
        </ul>
        <p class="small">The total here is the new one. Nothing has been ordered yet.</p>
      </div>
    </div>
  )
}
