/** How taxes are asked for, and whose count. Pure. */

/** Where prices are taxed. */
export type Taxing = {
  /** In lower case; the first that has taxes counts. */
  countries: string[]
  province_code?: string
  currency_code: string
}

export type TaxedProduct = { id: string; type_id: string | null; is_giftcard: boolean }

/** Taxes of one country, as Medusa's tax module has them. */
export type CountryTax = {
  country: string
  /** Whose answer they are; taxes of anybody but Medusa's own rates are known at the checkout only. */
  provider: string | null
}

/** Medusa's own tax provider: it adds the rates that the store keeps. */
const OWN_PROVIDER = "tp_system"

export const isOwnProvider = (tax: CountryTax): boolean => tax.provider === OWN_PROVIDER

/** Those of the first country that has any; null where none has, and none are added. */
export const taxOf = (countries: string[], taxed: CountryTax[]): CountryTax | null =>
  countries.flatMap((code) => taxed.find(({ country }) => country === code) ?? [])[0] ?? null
