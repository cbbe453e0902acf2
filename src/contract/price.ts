import { z } from "zod"
import { refuses } from "./error-answer"
import { isObject } from "./json"

/** Body of `POST /getCampaignProductPrice/{campaignUid}` (interface §2.2, §4.1). */
export type PriceRequest = { productId: string; variantId?: string | undefined }

/** A campaign price, read. Amounts in major units; the rate in percent. */
export type CampaignPrice = {
  amount: number
  discount: number | null
  vat: { rate: number | null; included: boolean | null }
  /** Lower case ISO 4217, or null where the answer has none (gap 35). */
  currency: string | null
}

/** A finite number, from a number or a plain decimal string; never from `""`, `null` or `"12kr"`. */
const asNumber = (value: unknown): number | null => {
  const number =
    typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  // Adding zero turns -0 into 0.
  return typeof number === "number" && Number.isFinite(number) ? number + 0 : null
}
const asBoolean = (value: unknown): boolean | null => {
  const text = typeof value === "string" ? value.trim().toLowerCase() : value
  return text === true || text === "true" ? true : text === false || text === "false" ? false : null
}
/** A percentage. A number between 0 and 1 may be a fraction or a percentage, so it is not used. */
const asRate = (value: unknown): number | null => {
  const rate = asNumber(value)
  return rate !== null && (rate === 0 || (rate >= 1 && rate <= 100)) ? rate : null
}
const asCurrency = (value: unknown): string | null => {
  const code = isObject(value) ? value.code : value
  return typeof code === "string" && /^[A-Za-z]{3}$/.test(code.trim())
    ? code.trim().toLowerCase()
    : null
}
const first = <T>(...values: (T | null | undefined)[]): T | null =>
  values.find((value): value is T => value !== null && value !== undefined) ?? null
/** The first of several fields that has a value. */
const said = (...values: unknown[]): unknown => first(...values.filter((value) => value !== ""))

/** What each field that may hold the price says; names that are missing or empty are left out. */
const candidates = (fields: Record<string, unknown>): [string, unknown][] =>
  Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  )

/**
 * The fields of an answer that may hold the price: those that name the campaign's where there is one, because a plain
 * `price` beside it is the catalog's; else the plain ones.
 */
function priceFields(root: Record<string, unknown>): [string, unknown][] {
  const nested = isObject(root.price) ? root.price : null
  const named = candidates({
    campaignPrice: root.campaignPrice,
    campaign_price: root.campaign_price,
    "price.campaignPrice": nested?.campaignPrice,
    "price.campaign_price": nested?.campaign_price,
  })
  if (named.length > 0) return named
  return candidates({
    ...(nested ? {} : { price: root.price }),
    "price.amount": nested?.amount,
    "price.value": nested?.value,
    unitPrice: root.unitPrice,
    unit_price: root.unit_price,
    amount: root.amount,
  })
}

const rootOf = (body: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  ...[body.data, body.result].find(isObject),
})

/**
 * The different prices of an answer that does not say which of them is the campaign's, as `price 189, amount 129`; null
 * where there is one at most. Such an answer sells nothing: either may be the catalog's.
 */
export function ambiguousPrice(body: unknown): string | null {
  if (!isObject(body)) return null
  const fields = priceFields(rootOf(body))
  const different = new Set(fields.map(([, value]) => asNumber(value) ?? value))
  if (different.size < 2) return null
  return fields.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ")
}

/**
 * Reads the answer of the price lookup, whose fields are not shown (gap 33).
 *
 * The documented reading is `{price, discount?, vat?: {rate?, included?}, currency?}`; common other spellings are
 * known. Only a finite price of zero or more is a price, and only one that nothing beside it contradicts. Anything else is `null`, and the line is refused: it must
 * not be sold at a number that nobody can prove. So is a price whose currency or tax basis is present but cannot be
 * read: the connection's settings replace what is missing, not what is different.
 */
export function readCampaignPrice(body: unknown): CampaignPrice | null {
  if (!isObject(body)) return null
  const root = rootOf(body)
  if (refuses(root)) return null
  const nested = isObject(root.price) ? root.price : null
  if (ambiguousPrice(body) !== null) return null
  const amount = asNumber(priceFields(root)[0]?.[1])
  if (amount === null || amount < 0) return null

  const currency = said(
    root.currency,
    root.currencyCode,
    root.currency_code,
    nested?.currency,
    nested?.currencyCode,
    nested?.currency_code,
  )
  if (currency !== null && asCurrency(currency) === null) return null

  const vat = [root.vat, root.tax, nested?.vat].find(isObject)
  const included = said(
    vat?.included,
    vat?.inclusive,
    root.vatIncluded,
    root.vat_included,
    root.priceIncludesVat,
    root.taxIncluded,
  )
  if (included !== null && asBoolean(included) === null) return null

  return {
    amount,
    discount: first(
      asNumber(root.discount),
      isObject(root.discount) ? asNumber(root.discount.amount) : null,
    ),
    vat: {
      rate: first(
        asRate(vat?.rate),
        asRate(vat?.percent),
        asRate(root.vat),
        asRate(root.vatRate),
        asRate(root.vat_rate),
      ),
      included: asBoolean(included),
    },
    currency: asCurrency(currency),
  }
}

const givenPrice = z.object({
  amount: z.number().finite().min(0),
  discount: z.number().finite().nullish(),
  vat: z
    .object({ rate: z.number().min(0).max(100).nullish(), included: z.boolean().nullish() })
    .nullish(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .nullish(),
})

/** What a merchant's own reader of the price answer gives: amounts in major units, the rate in percent (gap 33). */
export type GivenPrice = z.input<typeof givenPrice>

/**
 * Reads an answer by a merchant's own reader. One that throws, or that gives what is no price, gives none: the line is
 * refused rather than sold at a number that nobody can prove.
 */
export const readPriceBy =
  (reader: (answer: unknown) => GivenPrice | null | undefined) =>
  (answer: unknown): CampaignPrice | null => {
    let given: unknown
    try {
      given = reader(answer)
    } catch {
      return null
    }
    const { success, data } = givenPrice.safeParse(given)
    if (!success) return null
    return {
      amount: data.amount + 0,
      discount: data.discount ?? null,
      vat: { rate: data.vat?.rate ?? null, included: data.vat?.included ?? null },
      currency: data.currency?.toLowerCase() ?? null,
    }
  }
