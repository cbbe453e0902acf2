import { z } from "zod"

/** Body of `POST /getCampaignProductPrice/{campaignUid}` (interface §2.2, §4.1). */
export const priceRequest = z.object({
  productId: z.string().min(1),
  variantId: z.string().min(1).optional(),
})
export type PriceRequest = z.infer<typeof priceRequest>

/** A campaign price, read. Amounts in major units; the rate in percent. */
export type CampaignPrice = {
  amount: number
  discount: number | null
  vat: { rate: number | null; included: boolean | null }
  /** Lower case ISO 4217, or null where the answer has none (gap 35). */
  currency: string | null
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A finite number, from a number or a plain decimal string; never from `""`, `null` or `"12kr"`. */
const asNumber = (value: unknown): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value)
  return null
}
const asBoolean = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null)
const first = <T>(...values: (T | null | undefined)[]): T | null =>
  values.find((value): value is T => value !== null && value !== undefined) ?? null

/**
 * Reads the answer of the price lookup, whose fields are not shown: gap 33.
 *
 * The documented reading is `{price, discount?, vat?: {rate?, included?}, currency?}`; common other
 * spellings are known. Only a finite price of zero or more is a price: anything else is `null`, and the
 * line is refused rather than sold at a number that nobody can prove.
 */
export function readCampaignPrice(body: unknown): CampaignPrice | null {
  if (!isObject(body)) return null
  const root = isObject(body.data) ? body.data : isObject(body.result) ? body.result : body
  const nested = isObject(root.price) ? root.price : null
  const amount = first(
    asNumber(root.price),
    asNumber(nested?.amount),
    asNumber(nested?.value),
    asNumber(root.campaignPrice),
    asNumber(root.campaign_price),
    asNumber(root.unitPrice),
    asNumber(root.amount),
  )
  if (amount === null || amount < 0) return null

  const vat = first(
    isObject(root.vat) ? root.vat : null,
    isObject(root.tax) ? root.tax : null,
    isObject(nested?.vat) ? nested.vat : null,
  )
  const currency = first(
    typeof root.currency === "string" ? root.currency : null,
    typeof root.currencyCode === "string" ? root.currencyCode : null,
    typeof nested?.currency === "string" ? nested.currency : null,
  )
  return {
    amount,
    discount: first(
      asNumber(root.discount),
      isObject(root.discount) ? asNumber(root.discount.amount) : null,
    ),
    vat: {
      rate: first(
        asNumber(vat?.rate),
        asNumber(vat?.percent),
        asNumber(root.vat),
        asNumber(root.vatRate),
      ),
      included: first(
        asBoolean(vat?.included),
        asBoolean(vat?.inclusive),
        asBoolean(root.vatIncluded),
        asBoolean(root.priceIncludesVat),
        asBoolean(root.taxIncluded),
      ),
    },
    currency:
      currency && /^[A-Za-z]{3}$/.test(currency.trim()) ? currency.trim().toLowerCase() : null,
  }
}
