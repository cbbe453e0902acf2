/**
 * `/api/v1/liveEvents` and `/api/v1/shoppables` (interface §4.5), in the shape of gap 20 or as wrong
 * as a profile asks for.
 */

import { randomInt, randomUUID } from "node:crypto"
import { z } from "zod"
import { parse, slice, window } from "../contract/input"
import type { ApiLiveEventV1 } from "../contract/payloads"
import { eventPayload } from "../domain/payloads"
import type { Context } from "../store/context"
import type { LiveEvent } from "../store/tables"

type Kind = "live" | "shoppable"

/** The sandbox's own limits; the interface shows none. */
const STANDARD_LIMIT = 50
const LARGEST_LIMIT = 100

/** @returns the body of the answer, newest event first */
export function listing(context: Context, pageUid: string, kind: Kind, query: unknown): unknown {
  const { profiles } = context
  const asked = parse(z.object(window), query)
  const known = eventsOf(context, pageUid, kind)
  const listed = withMissingItems(context, known)
  const paged = profiles.get("paging") === "limit_offset"
  const drifted = paged && asked.offset > 0 ? afterDrift(context, listed) : listed
  const own = profiles.get("listing_cap")
  const cap = own || LARGEST_LIMIT
  const page = paged
    ? slice(drifted, asked, Math.min(STANDARD_LIMIT, cap), cap)
    : drifted.slice(0, own || undefined)
  const data = page.map((event) => withFields(context, event))
  // Only `partial` counts what it does not list, so that whoever compares can see it.
  const count = profiles.get("listing_items") === "partial" ? known.length : drifted.length

  const name = kind === "live" ? "liveEvents" : "shoppables"
  const shapes = {
    data: { data, count },
    array: data,
    items: { items: data, total: count },
    named: { [name]: data },
    uncounted: { data },
    page_count: { data, count: page.length },
  }
  return shapes[profiles.get("listing")]
}

function eventsOf(context: Context, pageUid: string, kind: Kind): ApiLiveEventV1[] {
  const events = [...context.tables.events.values()].filter(({ page_uid }) => page_uid === pageUid)
  events.reverse()
  const age = context.profiles.get("listing_age")
  if (age > 0) return events.flatMap((event) => ofKind(kind, asOf(context, event, age)))
  if (context.profiles.get("listing_items") === "stale") {
    // As a cache would have them: without what is new, with what was deleted.
    return events.flatMap(({ announced }) => ofKind(kind, announced.at(-2)?.data))
  }
  return events
    .filter((event) => event.kind === kind && event.deleted_at === null)
    .map((event) => eventPayload(context, event))
}

/** As it was `age` seconds ago, where it was there. */
function asOf({ clock }: Context, event: LiveEvent, age: number): ApiLiveEventV1 | undefined {
  const then = clock.now() - age * 1000
  if (event.deleted_at !== null && event.deleted_at <= then) return undefined
  return event.announced.filter(({ at }) => at <= then).at(-1)?.data
}

function ofKind(kind: Kind, data: ApiLiveEventV1 | undefined): ApiLiveEventV1[] {
  if (!data) return []
  return (data.event.currentStatus === "clip" ? "shoppable" : "live") === kind ? [data] : []
}

/** What `few` leaves of an event: enough to name it, and how far its life has come. */
const FEW = ["id", "campaignId", "eventName", "currentStatus"]

/** An event as the listing shows it: §4.5 does not say that it has every field of §2.6. */
function withFields(context: Context, listed: ApiLiveEventV1): unknown {
  const { id, event } = listed
  const few = Object.fromEntries(FEW.map((name) => [name, Reflect.get(event, name)]))
  switch (context.profiles.get("listing_fields")) {
    case "few":
      return { id, event: few }
    case "null": {
      const none = Object.fromEntries(Object.keys(event).map((name) => [name, null]))
      return { id, event: { ...none, ...few }, campaign: null }
    }
    case "own": {
      const signed = (address: string) => address && `${address}?signed=${randomUUID()}`
      const coverPhotoPath = signed(event.coverPhotoPath)
      const own = { viewers: randomInt(1_000), updatedAt: Date.now() }
      return { ...listed, event: { ...event, coverPhotoPath, ...own } }
    }
    case "unlinked":
      return { ...listed, event: { ...event, campaignId: undefined }, campaign: undefined }
    default:
      return listed
  }
}

function withMissingItems(context: Context, known: ApiLiveEventV1[]): ApiLiveEventV1[] {
  switch (context.profiles.get("listing_items")) {
    case "empty":
      return []
    case "partial":
    case "partial_counted":
      return known.filter((_, i) => i % 2 === 1)
    default:
      return known
  }
}

/**
 * The list as a second page meets it when something happened after the first page: with its newest
 * event deleted, everything moves up and one event is on neither page; with a new event, everything
 * moves down and one event is on both.
 */
function afterDrift(context: Context, listed: ApiLiveEventV1[]): ApiLiveEventV1[] {
  const [newest] = listed
  switch (context.profiles.get("listing_drift")) {
    case "deletion":
      return listed.slice(1)
    case "creation":
      return newest ? [newest, ...listed] : listed
    default:
      return listed
  }
}
