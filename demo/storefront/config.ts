/** What the page is told when it is served. Shared by the server and the page; types only. */

/** One market: a region of the store, its currency, and the key of the sales channel it sells in. */
export interface Market {
  id: string
  label: string
  regionId: string
  /** ISO 4217, such as `DKK`. */
  currency: string
  publishableKey: string
}

export interface StorefrontConfig {
  storeUrl: string
  markets: Market[]
}
