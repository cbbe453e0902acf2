import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { type ChangeKind, SVC_MODULE } from "../../modules/svc"
import type { Concerned } from "../../modules/svc/catalog"
import { messageOf } from "../../modules/svc/shared/error-message"
import { perStore } from "../shared"
import { wakeCatalog } from "./worker"

/**
 * One change in the admin emits a dozen events, so events that arrive while a statement runs are gathered and marked by
 * the next one. Each event handler waits for the statement that marks its event: an event bus that confirms handled
 * events must confirm only what stands in the rows. It waits for nothing else, because the Redis bus handles the store's
 * events one after the other.
 */
type Gathering = { changes: Map<ChangeKind, Set<string>>; done: Promise<void> }
type Marking = { next: Gathering | null; last: Promise<unknown> }
const markingOf = perStore<Marking>(() => ({ next: null, last: Promise.resolve() }))

/** Waits before a mark that failed is written once more: an event bus forgets an event whose handler failed. */
const RETRIES_MS = [50, 500, 2_000, 10_000, 30_000]
/**
 * Changes that nobody can trace to their products have everything compared; when many come, one after the other, a
 * comparison begins this often at most.
 */
const UNEXPLAINED_MS = 10 * 60_000

/** Marks the products that show what changed, for every connection concerned, and wakes the worker. */
export function markChanged(
  container: MedusaContainer,
  kind: ChangeKind,
  ids: string[],
): Promise<void> {
  const marking = markingOf(container)
  marking.next ??= gather(container, marking)
  const { changes, done } = marking.next
  const known = changes.get(kind) ?? new Set<string>()
  for (const id of ids) known.add(id)
  changes.set(kind, known)
  return done
}

function gather(container: MedusaContainer, marking: Marking): Gathering {
  const changes: Gathering["changes"] = new Map()
  const done = (async () => {
    await marking.last
    // Medusa emits the events of one step together: wait for all of them.
    await setImmediate()
    // Events from here on are gathered for the next statement.
    marking.next = null
    await untilWritten(container, async () => {
      const svc = container.resolve(SVC_MODULE)
      const { connectionIds, unexplained } = await svc.catalog.marks.markChanged(changes)
      wakeCatalog(container, connectionIds)
      if (unexplained) {
        wakeCatalog(container, await svc.catalog.walks.openCompare("all", UNEXPLAINED_MS))
      }
    })
  })()
  marking.last = done.catch(() => undefined)
  return { changes, done }
}

/** Tries a mark until it stands, for about 40 s: a database that is busy or restarts must lose none. */
async function untilWritten(container: MedusaContainer, write: () => Promise<void>): Promise<void> {
  for (const ms of [...RETRIES_MS, null]) {
    try {
      return await write()
    } catch (error) {
      if (ms === null) throw error
      const problem = messageOf(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .warn(`svc: changed products could not be marked, we try again: ${problem}`)
      await sleep(ms)
    }
  }
}

/** Has everything compared for the connections that a change of a whole market concerns, and wakes the worker. */
export async function compareMarkets(
  container: MedusaContainer,
  concerned: Concerned,
): Promise<void> {
  const { catalog, options } = container.resolve(SVC_MODULE)
  // A merchant's own mapper may show what a product belongs to.
  const whose = concerned === "grouping" && options.mapProduct ? "all" : concerned
  await untilWritten(container, async () => {
    wakeCatalog(container, await catalog.walks.openCompare(whose))
  })
}
