import type { MedusaContainer } from "@medusajs/framework/types"
import { type KnownEvent, type ResultRow, SVC_MODULE } from "../../modules/svc"
import { withReadiness } from "./judged-products"
import { withProducts } from "./read-shows"

/** A show that runs or comes: how many of its products cannot be bought now, and what it has sold. */
export type CurrentShow = {
  event: KnownEvent
  /** Products that are in the show now. */
  products: number
  notReady: number
  /** They sell, but somebody should look at them. */
  warned: number
  /** One row for each currency. */
  results: ResultRow[]
}

/** A show that is over, and what it earned. */
export type PastShow = { event: KnownEvent; results: ResultRow[] }

const CURRENT = 6
const PAST = 8

/** What the merchant wants to know on the evening: what runs and comes, and what the last ones brought. */
export async function readOverview(
  container: MedusaContainer,
): Promise<{ current: CurrentShow[]; past: PastShow[] }> {
  const svc = container.resolve(SVC_MODULE)
  const [next, ended] = await Promise.all([
    svc.shows.queries.currentEvents({ status: ["live", "planned"] }, CURRENT),
    svc.shows.queries.pastEvents(PAST),
  ])
  const [current, results] = await Promise.all([
    withProducts(container, next),
    resultsOf(container, [...next, ...ended]),
  ])
  const inShow = current.map((event) => ({
    ...event,
    products: event.products.filter(({ deleted_at }) => deleted_at === null),
  }))
  const judged = await withReadiness(svc, inShow)
  return {
    current: judged.map(({ products, ...event }) => {
      const ready = products.filter(({ readiness }) => readiness.ready)
      return {
        event,
        products: products.length,
        notReady: products.length - ready.length,
        warned: ready.filter(({ readiness }) => readiness.problems.length > 0).length,
        results: results(event),
      }
    }),
    past: ended.map((event) => ({ event, results: results(event) })),
  }
}

async function resultsOf(
  container: MedusaContainer,
  events: KnownEvent[],
): Promise<(event: KnownEvent) => ResultRow[]> {
  if (events.length === 0) return () => []
  const rows = await container.resolve(SVC_MODULE).orders.results.list({
    groupBy: "campaign",
    filters: {
      connection_id: [...new Set(events.map(({ connection_id }) => connection_id))],
      campaign_uid: [...new Set(events.map(({ campaign_uid }) => campaign_uid))],
    },
    from: null,
    to: null,
    timezone: "UTC",
    order: { column: "net", direction: "DESC" },
  })
  return ({ connection_id, campaign_uid }) =>
    rows.filter((row) => row.connection_id === connection_id && row.campaign_uid === campaign_uid)
}
