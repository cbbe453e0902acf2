/**
 * What a product's payload hashes to. A payload does not say its currency, so its hash does: the same number in another one is
 * another price. The feed reads it there, too (`acceptedAfter`).
 *
 * @param currency ISO 4217, upper case
 */
export const pricedHash = (currency: string, hash: string): string => `${currency}:${hash}`

/** The currency that a hash says, in lower case; null where it is not one of a product for sale. */
export const currencyOf = (hash: string | null | undefined): string | null =>
  hash?.match(/^([A-Z]{3}):/)?.[1]?.toLowerCase() ?? null
