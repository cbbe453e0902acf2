import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SvcError } from "../../client"
import { SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import { reasonFor, reasonOf } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import {
  type ClaimedWork,
  CONFIRM_AFTER_MS,
  type ListingTime,
  PULL_CAUSES,
  WARM_MS,
} from "../../modules/svc/shows"
import { createConnectionWorker, dueHere, isElsewhere } from "../shared"
import { announceChanges } from "./announce-changes"
import { readListing } from "./read-listing"
import { settlePrices } from "./settle-prices"

/** Renewed with each page: whoever is killed is followed soon. */
const LEASE_MS = 30_000
const RETRY_MS = 60_000
/** Shows that the log names. */
const NAMED = 10

const worker = createConnectionWorker({
  name: "reading the listings",
  debounceMs: 50,
  pass: async (container, connectionId) => {
    if (await isElsewhere(container.resolve(SVC_MODULE), connectionId)) return
    // Listings that fall due meanwhile do not wait until all prices are looked up.
    do await pullListings(container, connectionId)
    while (await settlePrices(container, connectionId))
  },
  dueInMs: async (container, connectionId) => {
    const svc = container.resolve(SVC_MODULE)
    return dueHere(svc, await svc.shows.pulls.work.dueInMs(connectionId, ["listings", "prices"]))
  },
})

/** Reads due listings soon; the minute job finds what this wake-up missed. */
export const wakePulls = worker.wake
/** Reads what is due now, or joins whoever does. */
export const workPulls = worker.work

/**
 * Reads the listings of a connection where they are due (gap 20): what happened while nothing was sent is never sent
 * later (interface §3.2).
 */
async function pullListings(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const pull = await svc.shows.pulls.work.claim(connectionId, LEASE_MS)
  if (!pull) return
  const listing = await svc.shows.pulls.time(connectionId)
  const startedAt = new Date(listing.startedAt)
  try {
    const cause = pull.cause ?? "requested"
    const found = await correct(container, svc, pull, listing)
    // What is open is marked as the reading ends: whoever is killed then leaves it to the next.
    await svc.shows.projection.write(connectionId, async (trx) => {
      // Where a second look does not settle it, it takes an hour without deliveries and sales.
      const lookAgainMs = cause === "confirm" && !found.isNew ? WARM_MS : CONFIRM_AFTER_MS
      const confirmInMs = found.isOpen ? lookAgainMs : null
      const reading = { startedAt, isWhole: found.isWhole }
      const finished = await svc.shows.pulls.finish(trx, pull, reading, confirmInMs)
      // At the second reading of what was missed too: the first answers may be as old as a listing.
      const missed = pull.missed_at !== null || found.told.size > 0
      if (finished) await svc.shows.lookups.want(trx, missed)
    })
    const names = [...found.told]
    if (names.length > 0) {
      logger.info(
        `svc: the listings of ${connectionId} told of ${names.length} shows what no delivery had (read because ${PULL_CAUSES[cause]}): ${names.slice(0, NAMED).join(", ")}`,
      )
    }
  } catch (error) {
    const problem = sqlProblem(error)
    logger.warn(`svc: the events of ${connectionId} could not be listed: ${problem}`)
    const reason =
      error instanceof SvcError ? reasonOf(error) : reasonFor("unexpected", { problem })
    await svc.shows.projection.write(connectionId, async (trx) => {
      const again = { inMs: RETRY_MS, reason }
      const retried = await svc.shows.pulls.retry(trx, pull, startedAt, again)
      // Products do not wait for lists, which may never be given.
      if (retried && pull.missed_at !== null) await svc.shows.lookups.want(trx, true)
    })
  }
}

async function correct(
  container: MedusaContainer,
  svc: SvcModuleService,
  pull: ClaimedWork,
  listing: ListingTime,
) {
  const { connection_id: connectionId } = pull
  const found = {
    told: new Set<string>(),
    isWhole: true,
    isOpen: false,
    isNew: false,
  }
  for (const kind of ["live", "shoppable"] as const) {
    const read = await svc.connections.calls.inBackground(connectionId, "listings", (client) =>
      readListing(client, kind, () => renew(svc, pull)),
    )
    const { writes, whole } = read
    found.isWhole &&= whole?.unreadable === 0
    const corrected = await svc.shows.listings.correct(connectionId, kind, writes, {
      ...listing,
      whole,
    })
    if (!corrected) throw new Error("The connection was deleted meanwhile.")
    for (const name of corrected.told) found.told.add(name)
    found.isOpen ||= corrected.isOpen
    found.isNew ||= corrected.isNew
    void announceChanges(container, corrected.announcements)
  }
  return found
}

/** @throws where another worker has it by now, which then does the rest */
async function renew(svc: SvcModuleService, pull: ClaimedWork): Promise<void> {
  if (!(await svc.shows.pulls.work.renew(pull, LEASE_MS)))
    throw new Error("Another worker reads them.")
}
