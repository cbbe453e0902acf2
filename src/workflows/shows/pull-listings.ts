import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type SvcClient, SvcError } from "../../client"
import { type Family, wellFormed } from "../../contract"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { reasonOf } from "../../modules/svc/shared/reason"
import type { ListingTime } from "../../modules/svc/shows/merge"
import { type EventWrite, readWrite } from "../../modules/svc/shows/read-write"
import { createWorker } from "../shared"

const PAGE = 100
/** 20,000 events: more than any page has. It ends a listing that never ends. */
const MAX_PAGES = 200
const LEASE_MS = 10 * 60_000
const RETRY_MS = 5 * 60_000
/** A clock skew is measured on a delivery, so it may be wrong by the time that the delivery took. */
const SKEW_MARGIN_MS = 10_000
/** With an unknown clock skew, the clocks may differ by as much as a delivery's timestamp may (gap 7). */
const UNKNOWN_SKEW_MS = 5 * 60_000

/**
 * Reads the listings of every connection that is due (gap 20): after the webhook was registered or activated, after
 * silence, and nightly. What happened while nothing was sent is never sent later (interface §3.2).
 */
async function pullDueListings(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const claimed = await svc.subscribers.claimPulls(LEASE_MS)
  for (const { id, connection_id: connectionId, clock_skew_ms: skew } of claimed) {
    try {
      const startedAt = await svc.projection.now()
      await pullListings(svc, logger, connectionId, {
        startedAt,
        asOf: startedAt - (skew === null ? UNKNOWN_SKEW_MS : skew + SKEW_MARGIN_MS),
      })
      await svc.subscribers.pulled(id, new Date(startedAt))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      logger.warn(`svc: the events of ${connectionId} could not be listed: ${message}`)
      await svc.subscribers.pullFailed(
        id,
        RETRY_MS,
        error instanceof SvcError ? reasonOf(error) : unexpected(message),
      )
    }
  }
}

const worker = createWorker({
  name: "reading the listings",
  debounceMs: 50,
  pass: pullDueListings,
})

/** Reads due listings soon; the minute job finds what this wake-up missed. */
export const wakePulls = worker.wake
/** Reads what is due now, or joins whoever does. */
export const workPulls = worker.work

const unexpected = (message: string) => ({
  code: "unexpected",
  message,
  fix: "Nothing to do: we try again by ourselves.",
})

async function pullListings(
  svc: SvcModuleService,
  logger: Logger,
  connectionId: string,
  listing: ListingTime,
): Promise<void> {
  for (const kind of ["live", "shoppable"] as const) {
    const { entries, complete } = await svc.call(connectionId, (client) => readAll(client, kind))
    const writes: EventWrite[] = []
    const problems: string[] = []
    for (const entry of entries) {
      const read = readEntry(kind, entry, listing)
      if (typeof read === "string") problems.push(read)
      else writes.push(read)
    }
    if (problems.length > 0) {
      logger.warn(
        `svc: ${problems.length} listed ${kind} events of ${connectionId} could not be read: ${problems[0]}`,
      )
    }
    for (let start = 0; start < writes.length; start += PAGE) {
      await svc.projection.applyListing(connectionId, writes.slice(start, start + PAGE), listing)
    }
    if (!complete || problems.length > 0) continue
    const marked = await svc.projection.markUnlisted(
      connectionId,
      kind,
      writes.map((write) => write.eventId),
      listing,
    )
    if (marked === null) {
      logger.warn(
        `svc: most ${kind} events of ${connectionId} are missing from the service's list; they are kept, because the list looks like a part of one.`,
      )
    }
  }
}

/** A listed event is read like one that was updated. */
function readEntry(kind: Family, entry: unknown, listing: ListingTime): EventWrite | string {
  const data = wellFormed(entry)
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return "The entry is not an object."
  }
  const read = readWrite({
    entity: "event",
    family: kind,
    change: "updated",
    occurredAt: listing.asOf,
    data: data as Record<string, unknown>,
  })
  if (!read.ok) return read.problem
  return read.entity === "event" ? read.write : "The entry is not an event."
}

/**
 * All pages of a listing. `complete` only where the service says how many there are and all were read; a bare list
 * may be a first page.
 */
async function readAll(
  client: SvcClient,
  kind: Family,
): Promise<{ entries: unknown[]; complete: boolean }> {
  const entries: unknown[] = []
  let first: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.listEvents(kind, { limit: PAGE, offset: entries.length })
    const head = JSON.stringify(answer.entries[0])
    // A service that ignores `offset` answers the first page again and again.
    if (answer.entries.length === 0 || (page > 0 && head === first)) {
      return { entries, complete: answer.count === entries.length }
    }
    first ??= head
    entries.push(...answer.entries)
    if (answer.count !== null && entries.length >= answer.count) {
      return { entries, complete: answer.count === entries.length }
    }
    if (answer.count === null && answer.entries.length < PAGE) return { entries, complete: false }
  }
  return { entries, complete: false }
}
