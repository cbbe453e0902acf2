import { campaignPriced, catalogPriced, type LinePriceUpdate } from "./line-columns"
import type { LinePriceInput } from "./line-price-rows"
import { clampQuantity, type Limits } from "./plan"
import type { PriceChangeReason } from "./price-change-rows"
import type { ProvenPrice } from "./price-policy"

/** What a line may be sold at: the price it has, the campaign's present one, or none of the campaign's. */
export type LineVerdict =
  | { kind: "holds" }
  | { kind: "campaign"; price: ProvenPrice; record: LinePriceInput }
  | { kind: "refused"; reason: PriceChangeReason }

type Limited = ReturnType<typeof clampQuantity>

/** What the campaign sells of a line (gap 45). Core checks the stock, except for pieces that would be added here. */
export function withinLimits(
  line: { id: string; variant_id: string | null; quantity: number },
  limits: Limits,
  items: { id: string; variant_id: string | null; quantity: number }[],
): Limited {
  const adds = line.quantity < (limits.minQuantity ?? 0)
  const elsewhere = items
    .filter((item) => item.variant_id === line.variant_id && item.id !== line.id)
    .reduce((sum, item) => sum + item.quantity, 0)
  return clampQuantity(line.quantity, elsewhere, adds ? limits : { ...limits, stock: null })
}

/**
 * What becomes of a line: the columns to write (null: it is removed), and why, where the shopper has to be told. Pure.
 * What the campaign refuses goes back to the catalog price.
 *
 * @param catalog what the line costs without the show; null where it cannot be sold so
 */
export function decideLine(
  verdict: LineVerdict,
  limited: Limited | null,
  catalog: { amount: number; isTaxInclusive: boolean } | null,
  line: { quantity: number; unit_price: number; moved: boolean },
): { sold: LinePriceUpdate | null; reason: PriceChangeReason | null } {
  const refusal =
    verdict.kind === "refused"
      ? verdict.reason
      : limited?.quantity === 0
        ? (limited.reason?.code ?? "not_available")
        : null
  if (refusal) {
    if (!catalog) return { sold: null, reason: refusal }
    const same = catalog.amount === line.unit_price && !line.moved
    return { sold: catalogPriced(catalog), reason: same ? null : refusal }
  }
  const quantity = limited?.quantity ?? line.quantity
  const priced =
    verdict.kind === "campaign"
      ? // Tax basis and struck-through price may have changed at the same amount.
        campaignPriced(verdict.price, verdict.record.campaign_uid)
      : { unit_price: line.unit_price, is_custom_price: true }
  return {
    sold: { ...priced, ...(quantity === line.quantity ? {} : { quantity }) },
    reason: line.moved
      ? "region_changed"
      : priced.unit_price !== line.unit_price
        ? "price_changed"
        : (limited?.reason?.code ?? null),
  }
}
