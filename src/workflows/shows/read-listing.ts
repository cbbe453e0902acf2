import type { SvcClient } from "../../client"
import { type Family, isObject, wellFormed } from "../../contract"
import type { Whole } from "../../modules/svc/shows"
import {
  type EventWrite,
  type ListingPage,
  nextPage,
  readListedEvent,
} from "../../modules/svc/shows"

const PAGE = 100
/** More events than any page of the service has, even where its pages are short. */
const MAX_PAGES = 1_000
/** A list that changes while it is read is read again, so often. */
const MAX_ATTEMPTS = 3

/** A family's listing as it was read. The times of the writes are not set: nobody told them. */
export type Listing = {
  writes: EventWrite[]
  /** Null where it was not read to its end. */
  whole: Whole | null
}

/**
 * Reads all pages of a listing (interface §4.5, gap 20). Each page is asked for with the last event of the page before,
 * so that an event that moves up or down meanwhile is noticed.
 *
 * @param onPage is told of each page; throws where the reading shall end
 */
export async function readListing(
  client: SvcClient,
  kind: Family,
  onPage: () => Promise<void>,
): Promise<Listing> {
  const found = new Map<string, EventWrite>()
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const pages: ListingPage[] = []
    let unreadable = 0
    while (pages.length < MAX_PAGES) {
      const next = nextPage(pages)
      if (next.kind === "again") break
      if (next.kind !== "read") {
        const whole = next.kind === "whole" ? { counted: next.counted, unreadable } : null
        return { writes: [...found.values()], whole }
      }
      const { entries, count, more } = await client.listEvents(kind, {
        limit: PAGE,
        offset: next.offset,
      })
      await onPage()
      const ids: string[] = []
      for (const [index, entry] of entries.entries()) {
        const write = readEntry(kind, entry)
        if (write) found.set(write.eventId, write)
        else unreadable += 1
        ids.push(write?.eventId ?? `unreadable entry ${next.offset + index}`)
      }
      pages.push({ ids, count, more })
    }
  }
  // It kept changing: what was seen was there, what was not seen may be there.
  return { writes: [...found.values()], whole: null }
}

function readEntry(kind: Family, entry: unknown): EventWrite | null {
  const data = wellFormed(entry)
  return isObject(data) ? readListedEvent(kind, data) : null
}
