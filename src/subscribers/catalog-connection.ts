import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { compareMarkets, eventIds } from "../workflows/catalog"

const LOCATION = "LinkSalesChannelStockLocation"
const REGION = ["region", "region.region"]
const CHANNEL = ["sales-channel", "sales_channel.sales-channel"]
/** Taxes and price preferences: each may concern every price. */
const PRICES = [
  "tax-rate",
  "tax.tax-rate",
  "tax-region",
  "tax.tax-region",
  "tax.tax-rate-rule",
  "pricing.price-preference",
]
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
const CHANGED = ["updated", "deleted", "restored"]
const named = (names: string[], actions: string[]) =>
  names.flatMap((name) => actions.map((action) => `${name}.${action}`))

export const config: SubscriberConfig = {
  event: [
    ...named([...REGION, ...CHANNEL, ...GROUPS], CHANGED),
    ...named(PRICES, ["created", ...CHANGED]),
    ...named([LOCATION], ["attached", "detached"]),
  ],
  context: { subscriberId: "svc-catalog-connection" },
}

/** Has everything compared where a whole market may read differently: its region, channel, taxes or locations. */
export default async function marketChanged({ event, container }: SubscriberArgs<unknown>) {
  const ids = eventIds(event.data)
  const name = event.name.replace(/\.[^.]+$/, "")
  if (name === LOCATION) await compareMarkets(container, { kind: "location_link", ids })
  else if (REGION.includes(name)) await compareMarkets(container, { kind: "region", ids })
  else if (CHANNEL.includes(name)) await compareMarkets(container, { kind: "sales_channel", ids })
  else if (PRICES.includes(name)) await compareMarkets(container, { kind: "everything" })
  else if (GROUPS.includes(name)) await compareMarkets(container, { kind: "groups" })
}
