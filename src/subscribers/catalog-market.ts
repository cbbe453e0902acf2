import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { MarketChange } from "../modules/svc"
import { compareMarkets, eventIds } from "../workflows/catalog"

const LINK = { LinkSalesChannelStockLocation: "location_link" } as const
/** A connection is made for one that exists already: a new one concerns none. */
const PLACES = {
  region: "region",
  "region.region": "region",
  "sales-channel": "sales_channel",
  "sales_channel.sales-channel": "sales_channel",
} as const
/** Taxes and price preferences: each may concern every price of a market. */
const PRICES = {
  "tax-region": "tax_region",
  "tax.tax-region": "tax_region",
  "tax-rate": "tax_rate",
  "tax.tax-rate": "tax_rate",
  "tax.tax-rate-rule": "tax_rate_rule",
  "pricing.price-preference": "price_preference",
} as const
/** An update may take it from one region or currency to another, and nobody can tell from which. */
const PREFERENCE_UPDATED = "pricing.price-preference.updated"
/** What products belong to: sent, or asked for by a rule, where a connection's settings say so. */
const GROUPS = [
  "product-category",
  "product.product-category",
  "product-collection",
  "product.product-collection",
  "product-tag",
  "product.product-tag",
  "product-type",
  "product.product-type",
]
const KIND: Record<string, Extract<MarketChange, { ids: string[] }>["kind"]> = {
  ...LINK,
  ...PLACES,
  ...PRICES,
}
const CHANGED = ["updated", "deleted", "restored"]
const named = (names: string[], actions: string[]) =>
  names.flatMap((name) => actions.map((action) => `${name}.${action}`))

export const config: SubscriberConfig = {
  event: [
    ...named([...Object.keys(PLACES), ...GROUPS], CHANGED),
    ...named(Object.keys(PRICES), ["created", ...CHANGED]),
    ...named(Object.keys(LINK), ["attached", "detached"]),
  ],
  context: { subscriberId: "svc-catalog-market" },
}

/** Has everything compared where a whole market may read differently: its region, channel, taxes or locations. */
export default async function marketChanged({ event, container }: SubscriberArgs<unknown>) {
  const name = event.name.replace(/\.[^.]+$/, "")
  const kind = KIND[name]
  if (event.name === PREFERENCE_UPDATED) await compareMarkets(container, { kind: "everything" })
  else if (kind) await compareMarkets(container, { kind, ids: eventIds(event.data) })
  else if (GROUPS.includes(name)) await compareMarkets(container, { kind: "groups" })
}
