import { z } from "zod"
import { refuses } from "./error-answer"
import { readBoolean, readNumber } from "./fields"
import { isObject } from "./json"
import { isSaid, type Layer, layersOf } from "./layers"

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

/** A percentage. A number between 0 and 1 may be a fraction or a percentage, so it is not used. */
const asRate = (value: unknown): number | null => {
  const rate = readNumber(value)
  return rate !== null && (rate === 0 || (rate >= 1 && rate <= 100)) ? rate : null
}
const asCurrency = (value: unknown): string | null => {
  const code = isObject(value) ? value.code : value
  return typeof code === "string" && /^[A-Za-z]{3}$/.test(code.trim())
    ? code.trim().toLowerCase()
    : null
}

/** What fields of an answer say, each with its path, as `price.currency`. */
type Said = [name: string, value: unknown][]

const saidIn = (layers: Layer[], names: string[]): Said =>
  layers.flatMap(({ path, fields }) =>
    names.flatMap((name): Said => {
      const value = fields[name]
      return isSaid(value) ? [[`${path}${name}`, value]] : []
    }),
  )

const objectsOf = (said: Said): Layer[] =>
  said.flatMap(([name, fields]) => (isObject(fields) ? { path: `${name}.`, fields } : []))

/** The objects in the fields of these names. */
const inside = (layers: Layer[], names: string[]): Layer[] => objectsOf(saidIn(layers, names))

const plain = (said: Said): Said => said.filter(([, value]) => !isObject(value))

const CAMPAIGN_PRICE = ["campaignPrice", "campaign_price"]
const AMOUNT = ["amount", "value"]

/** Where an answer may say something of its price: in itself, in what it wraps, and in the price's own object. */
function fieldsOf(body: unknown) {
  const outer = layersOf(body)
  const nested = inside(outer, ["price"])
  const campaigns = inside([...outer, ...nested], CAMPAIGN_PRICE)
  const everywhere = [...outer, ...nested, ...campaigns]
  const tax = inside(everywhere, ["vat", "tax"])
  const named = saidIn(everywhere, CAMPAIGN_PRICE).flatMap((said): Said => {
    const amounts = saidIn(objectsOf([said]), AMOUNT)
    // One without a readable amount stays: no price beside it is the campaign's.
    return amounts.length > 0 ? amounts : [said]
  })
  return {
    outer,
    tax,
    // Those that name the campaign's where there is one, because a plain `price` beside it is the catalog's; else the plain.
    amount:
      named.length > 0
        ? named
        : [
            ...plain(saidIn(outer, ["price"])),
            ...saidIn(nested, AMOUNT),
            ...saidIn(outer, ["unitPrice", "unit_price", "amount"]),
          ],
    currency: saidIn(everywhere, ["currency", "currencyCode", "currency_code"]),
    included: [
      ...saidIn(tax, ["included", "inclusive"]),
      ...saidIn(everywhere, ["vatIncluded", "vat_included", "priceIncludesVat", "taxIncluded"]),
    ],
  }
}

/** Whether fields say different things, as far as they can be read. */
const differ = <T>(said: Said, read: (value: unknown) => T | null): boolean =>
  new Set(said.map(([, value]) => read(value) ?? value)).size > 1

/**
 * The fields of an answer that contradict each other about the price, its currency or its tax basis, as `price 189, amount 129`;
 * null where none do. Such an answer sells nothing: either may be the catalog's, or the page's.
 */
export function contradictionIn(body: unknown): string | null {
  const { amount, currency, included } = fieldsOf(body)
  const said = [
    differ(amount, readNumber) && amount,
    differ(currency, asCurrency) && currency,
    differ(included, readBoolean) && included,
  ].find((each) => each !== false)
  return said?.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ") ?? null
}

/**
 * Reads the answer of the price lookup, whose fields are not shown (gap 33).
 *
 * The documented reading is `{price, discount?, vat?: {rate?, included?}, currency?}`; common other spellings are
 * known. Only a finite price of zero or more is a price, and only one that nothing beside it contradicts. Anything else is
 * `null`, and the line is refused: it must not be sold at a number that nobody can prove. So is a price whose currency or tax
 * basis is present but cannot be read: the connection's settings replace what is missing, not what is different.
 */
export function readCampaignPrice(body: unknown): CampaignPrice | null {
  if (refuses(body) || contradictionIn(body) !== null) return null
  const { outer, tax, ...said } = fieldsOf(body)
  const amount = readNumber(said.amount[0]?.[1])
  if (amount === null || amount < 0) return null

  const [, currency = null] = said.currency[0] ?? []
  if (currency !== null && asCurrency(currency) === null) return null
  const [, included = null] = said.included[0] ?? []
  if (included !== null && readBoolean(included) === null) return null

  const discounts = [
    ...saidIn(outer, ["discount"]),
    ...saidIn(inside(outer, ["discount"]), ["amount"]),
  ]
  const rates = [
    ...saidIn(tax, ["rate", "percent"]),
    ...saidIn(outer, ["vat", "vatRate", "vat_rate"]),
  ]
  return {
    // Adding zero turns -0 into 0.
    amount: amount + 0,
    discount: firstOf(discounts, readNumber),
    vat: { rate: firstOf(rates, asRate), included: readBoolean(included) },
    currency: asCurrency(currency),
  }
}

const firstOf = <T>(said: Said, read: (value: unknown) => T | null): T | null =>
  said.map(([, value]) => read(value)).find((value) => value !== null) ?? null

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
