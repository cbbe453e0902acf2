/** How a process that only serves requests has the workers of another process look at their rows. */

import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, EventPriority, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

/** Told on Medusa's event bus: `{worker}`, the name of one, and `{connections}` where it is known whose work it is. */
export const WAKE_WORKER = "svc.wake-worker"

/** Connections that there may be work for; "any" has the worker find out. */
export type Concerned = readonly string[] | "any"

type WakeHere = (container: MedusaContainer, concerned: Concerned) => void

const workers = new Map<string, WakeHere>()

/** Makes a worker known by its name; one worker has it. */
export function registerWorker(name: string, wakeHere: WakeHere): void {
  workers.set(name, wakeHere)
}

/** For the subscriber of `WAKE_WORKER`: the pass is made in this process, soon. */
export function wakeHere(
  container: MedusaContainer,
  name: string,
  concerned: Concerned = "any",
): void {
  workers.get(name)?.(container, concerned)
}

export const servesOnly = (container: MedusaContainer): boolean =>
  container.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.workerMode === "server"

/** Between two messages: under load there would be one for each request, and each costs as much as a request. */
const PAUSE_MS = 20

type Telling = { under_way: boolean; next: Set<string> | "any" | null }

/**
 * One value for each store: two applications in one process (tests) must not share it.
 *
 * @param make is given the latest container of that store: the first one may be that of a request, which ends
 */
export function perStore<T>(
  make: (latest: () => MedusaContainer) => T,
): (container: MedusaContainer) => T {
  const known = new WeakMap<Knex, { container: MedusaContainer; value: T }>()
  return (container) => {
    const store = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    const entry = known.get(store)
    if (entry) {
      entry.container = container
      return entry.value
    }
    const latest = { container }
    const made = Object.assign(latest, { value: make(() => latest.container) })
    known.set(store, made)
    return made.value
  }
}

/**
 * Tells the workers of other processes. One message at a time: an event bus that is away must not gather one for each
 * reason, so those that come meanwhile go into the next message.
 */
export function createTeller(worker: string) {
  const tellingOf = perStore<Telling>(() => ({ under_way: false, next: null }))

  return async (container: MedusaContainer, concerned: Concerned): Promise<void> => {
    const telling = tellingOf(container)
    if (concerned === "any" || telling.next === "any") telling.next = "any"
    else telling.next = new Set([...(telling.next ?? []), ...concerned])
    if (telling.under_way) return
    telling.under_way = true
    try {
      while (telling.next) {
        const connections = telling.next === "any" ? {} : { connections: [...telling.next] }
        telling.next = null
        await container
          .resolve(Modules.EVENT_BUS)
          // Ahead of what a bulk change of the catalog has queued; `internal` keeps it out of the log.
          .emit(
            { name: WAKE_WORKER, data: { worker, ...connections } },
            { internal: true, priority: EventPriority.CRITICAL },
          )
        await sleep(PAUSE_MS, undefined, { ref: false })
      }
    } catch (error) {
      logFailure(container, `the workers could not be told of ${worker}`, error)
    } finally {
      telling.under_way = false
    }
  }
}

export function logFailure(container: MedusaContainer, what: string, error: unknown): void {
  const reason = messageOf(error)
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .error(`svc: ${what}: ${reason}. The next minute's job goes on.`)
}
