import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { SVC_MODULE } from "../modules/svc"
import type SvcModuleService from "../modules/svc/service"
import { CatalogChanges } from "../modules/svc/sql/catalog-changes"
import { markConnections } from "../workflows/catalog"
import { eventIds } from "../workflows/catalog/event-ids"

const LOCATION = "LinkSalesChannelStockLocation"

export const config: SubscriberConfig = {
  event: ["region.updated", "region.deleted", `${LOCATION}.attached`, `${LOCATION}.detached`],
  context: { subscriberId: "svc-catalog-market" },
}

/** Marks whole connections: their region has another currency, or their channel another stock location. */
export default async function marketChanged({ event, container }: SubscriberArgs<unknown>) {
  const ids = eventIds(event.data)
  const ofLocation = event.name.startsWith(LOCATION)
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const connections = await new CatalogChanges(svc.database()).connectionsOf({
    regions: ofLocation ? [] : ids,
    locationLinks: ofLocation ? ids : [],
  })
  await markConnections(container, connections)
}
