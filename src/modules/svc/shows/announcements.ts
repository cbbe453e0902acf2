/**
 * What is told on Medusa's event bus when our copy of a show changed: from the state before and after, over both topic
 * families, so that a delivery that changes nothing tells nothing. Pure; `announce-changes.ts` emits.
 */
import type { Family } from "../../../contract"
import { isDeleted, type Row } from "./merge"
import type { EventContent, ProductContent } from "./read-write"

/** What a row has of its content. */
export type KnownEvent = Omit<EventContent, "data">
export type KnownProduct = Pick<ProductContent, "external_id" | "price" | "available" | "variants">

/** What of a row says how people see its record. */
type Seen<Content> = Pick<Row<Content>, "key" | "kind" | "rank" | "hash" | "absentAt" | "content">

const isGone = (row: { rank: number; absentAt: number | null }): boolean =>
  isDeleted(row) || row.absentAt !== null

export type LiveEventPayload = {
  connection_id: string
  event_id: string
  kind: Family
  campaign_uid: string
  name: string
  status: string
  /** Null where the event was not known before. */
  previous_status: string | null
}

export type EventProductPayload = {
  connection_id: string
  campaign_uid: string
  uid: string
  /** The shop's product id, as far as the service told it. */
  external_id: string | null
  price: number | null
  /** The price before; only of `price_changed`. */
  previous_price?: number | null
}

/** Every event that shows emit, and what it carries. */
export type ShowEvents = {
  "svc.live_event.planned": LiveEventPayload
  "svc.live_event.started": LiveEventPayload
  "svc.live_event.ended": LiveEventPayload
  "svc.live_event.cancelled": LiveEventPayload
  "svc.live_event.deleted": LiveEventPayload
  /** Any change of an event, those above among them. */
  "svc.live_event.changed": LiveEventPayload
  "svc.event_product.added": EventProductPayload
  "svc.event_product.price_changed": EventProductPayload
  "svc.event_product.removed": EventProductPayload
  /** Any change of a product, those above among them. */
  "svc.event_product.changed": EventProductPayload
}

export type Announcement = {
  [Name in keyof ShowEvents]: { name: Name; data: ShowEvents[Name] }
}[keyof ShowEvents]

type Phase = "unknown" | "planned" | "started" | "ended" | "cancelled" | "deleted" | "other"

const PHASES: Record<string, Phase> = {
  planned: "planned",
  live: "started",
  processing: "ended",
  vod: "ended",
  cancelled: "cancelled",
}

const phaseOf = (event: Seen<KnownEvent> | null): Phase => {
  if (!event) return "unknown"
  return isGone(event) ? "deleted" : (PHASES[event.content.status] ?? "other")
}

/** Phases that are told also where the event was not known: what is over already is no news. */
const NEWS_OF_UNKNOWN: ReadonlySet<Phase> = new Set(["planned", "started"])

export function announceEvent(
  connectionId: string,
  before: Seen<KnownEvent> | null,
  after: Seen<KnownEvent>,
): Announcement[] {
  const { kind, content } = after
  const isSame = before?.hash === after.hash && before.content.cover_url === content.cover_url
  if (isSame && phaseOf(before) === phaseOf(after)) return []
  const data: LiveEventPayload = {
    connection_id: connectionId,
    event_id: after.key[0] ?? "",
    kind,
    campaign_uid: content.campaign_uid,
    name: content.name,
    status: content.status,
    previous_status: before?.content.status ?? null,
  }
  const changed: Announcement = { name: "svc.live_event.changed", data }
  const [from, to] = [phaseOf(before), phaseOf(after)]
  const isNews = from !== to && (from !== "unknown" || NEWS_OF_UNKNOWN.has(to))
  if (!isNews || to === "other" || to === "unknown") return [changed]
  return [{ name: `svc.live_event.${to}`, data }, changed]
}

export function announceProduct(
  connectionId: string,
  before: Seen<KnownProduct> | null,
  after: Seen<KnownProduct>,
): Announcement[] {
  const wasThere = before !== null && !isGone(before)
  const isThere = !isGone(after)
  if (before?.hash === after.hash && wasThere === isThere) return []
  const [campaign_uid = "", uid = ""] = after.key
  const data: EventProductPayload = {
    connection_id: connectionId,
    campaign_uid,
    uid,
    external_id: after.content.external_id,
    price: after.content.price,
  }
  const changed: Announcement = { name: "svc.event_product.changed", data }
  if (!wasThere && isThere) return [{ name: "svc.event_product.added", data }, changed]
  if (wasThere && !isThere) return [{ name: "svc.event_product.removed", data }, changed]
  if (wasThere && pricesOf(before) !== pricesOf(after)) {
    const priced = { ...data, previous_price: before.content.price }
    return [{ name: "svc.event_product.price_changed", data: priced }, changed]
  }
  return [changed]
}

/** The product's own price and those of its variants, in one spelling. */
const pricesOf = ({ content: { price, variants } }: Seen<KnownProduct>): string =>
  JSON.stringify([
    price,
    variants
      .map((variant) => [variant.uid ?? variant.external_id ?? variant.sku, variant.price])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
  ])

/** What decides which of a record's rows, one per topic family, people see (gap 6). */
type FamilyRow = Pick<Row<unknown>, "kind" | "rank" | "aliveAt" | "occurredAt" | "absentAt">

/**
 * The row that people see: the family that showed the record alive last, unless its listings lack the record. A late
 * deletion in the family it left does not hide it, and one that left without a deletion does not haunt. Whoever writes
 * rows notes it in `shown`, and every statement that reads our copy of the shows goes by that.
 */
export function shownRow<Row extends FamilyRow>(rows: readonly Row[]): Row | null {
  const [first] = [...rows].sort(
    (a, b) =>
      Number(a.absentAt !== null) - Number(b.absentAt !== null) ||
      (b.aliveAt ?? Number.NEGATIVE_INFINITY) - (a.aliveAt ?? Number.NEGATIVE_INFINITY) ||
      Number(isDeleted(a)) - Number(isDeleted(b)) ||
      b.occurredAt - a.occurredAt ||
      (a.kind < b.kind ? -1 : 1),
  )
  return first ?? null
}
