import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { compareMarkets, eventIds } from "../workflows/catalog"

/** A connection is made for one that exists already: a new one concerns none. */
const PLACES = ["region", "region.region", "sales-channel", "sales_channel.sales-channel"]
/**
 * Taxes, price preferences, and from where a channel sells: each may concern every price or stock level. Nobody asks of
 * whom: where nothing differs, everything is compared without a call.
 */
const RULES = [
  "tax-region",
  "tax.tax-region",
  "tax-rate",
  "tax.tax-rate",
  "tax.tax-rate-rule",
  "pricing.price-preference",
]
const LOCATIONS = "LinkSalesChannelStockLocation"
/** What products belong to: sent, or asked for by a rule, where a connection's settings say so. */
const GROUPS = [
  "product-category",
  "product.product-category",
  "product-collection",
  "product.product-collection",
  "product-tag",
  "product.product-tag",
]
/** By its type a product may be taxed, too. */
const TYPES = ["product-type", "product.product-type"]
const CHANGED = ["updated", "deleted", "restored"]
const named = (names: string[], actions: string[]) =>
  names.flatMap((name) => actions.map((action) => `${name}.${action}`))

export const config: SubscriberConfig = {
  event: [
    ...named([...PLACES, ...GROUPS, ...TYPES], CHANGED),
    ...named(RULES, ["created", ...CHANGED]),
    ...named([LOCATIONS], ["attached", "detached"]),
  ],
  context: { subscriberId: "svc-catalog-market" },
}

/** Has everything compared where a whole market may read differently: its region, channel, taxes or locations. */
export default async function marketChanged({ event, container }: SubscriberArgs<unknown>) {
  const name = event.name.replace(/\.[^.]+$/, "")
  if (PLACES.includes(name)) await compareMarkets(container, eventIds(event.data))
  else await compareMarkets(container, GROUPS.includes(name) ? "grouping" : "all")
}
