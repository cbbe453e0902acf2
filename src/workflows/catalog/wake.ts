import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { drainCatalog, nextCatalogWork } from "./drain"

/** Long enough for the events of one change to arrive together, short against what a person notices. */
const DEBOUNCE_MS = 200
/** Beyond this the job of each minute is in time. */
const MAX_ALARM_MS = 55_000
/** A worker that could not even look at its rows does not spin. */
const MIN_ALARM_MS = 250

/** One per process and store. Only a wake-up: what is to be done stands in the rows. */
type Waker = { timer: NodeJS.Timeout | null; running: Promise<void> | null; again: boolean }
const wakers = new WeakMap<Knex, Waker>()

function wakerOf(container: MedusaContainer): Waker {
  const store = container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
  const waker = wakers.get(store) ?? { timer: null, running: null, again: false }
  wakers.set(store, waker)
  return waker
}

/** Says that there may be work. Returns at once; many calls make one pass. */
export function wakeCatalog(container: MedusaContainer): void {
  const waker = wakerOf(container)
  if (waker.running) waker.again = true
  else setAlarm(container, waker, DEBOUNCE_MS)
}

/** Works until nothing is due; joins a pass that is under way. */
export async function workCatalog(container: MedusaContainer): Promise<void> {
  const waker = wakerOf(container)
  if (waker.timer) clearTimeout(waker.timer)
  waker.timer = null
  if (waker.running) {
    waker.again = true
    return waker.running
  }
  waker.running = pass(container, waker).finally(() => {
    waker.running = null
  })
  await waker.running
}

async function pass(container: MedusaContainer, waker: Waker): Promise<void> {
  try {
    do {
      waker.again = false
      await drainCatalog(container)
    } while (waker.again)
    const nextInMs = await nextCatalogWork(container)
    if (nextInMs !== null && nextInMs <= MAX_ALARM_MS) {
      setAlarm(container, waker, Math.max(nextInMs, MIN_ALARM_MS))
    }
  } catch (error) {
    // The rows are still due, and the next pass finds them.
    const message = error instanceof Error ? error.message : String(error)
    container.resolve("logger").error(`svc: the catalog worker stopped: ${message}`)
  }
}

function setAlarm(container: MedusaContainer, waker: Waker, inMs: number): void {
  if (waker.timer) {
    if (inMs > DEBOUNCE_MS) return
    clearTimeout(waker.timer)
  }
  waker.timer = setTimeout(() => {
    waker.timer = null
    void workCatalog(container)
  }, inMs)
  waker.timer.unref()
}
