import type { ICachingModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** Seconds. What passes by itself, a deadline, is noticed after this at the latest; what is told, at once. */
const TTL_S = 5

/** How often each connection's list was forgotten by this process. */
const forgotten = new Map<string, number>()
const timesForgotten = (connectionIds: string[]): string =>
  connectionIds.map((id) => forgotten.get(id) ?? 0).join()

const tagOf = (connectionId: string): string => `svc:live-events:${connectionId}`

const caching = (container: MedusaContainer): ICachingModuleService | undefined =>
  container.resolve(Modules.CACHING, { allowUnregistered: true })

/**
 * The storefront's list of shows from the cache, so that a crowd that reloads costs one reading in five seconds. A cache
 * that is down costs speed, never an answer.
 *
 * @param connectionIds whose changes make it be read again
 */
export async function cachedLiveList<T extends object>(
  container: MedusaContainer,
  key: unknown,
  connectionIds: string[],
  read: () => Promise<T>,
): Promise<T> {
  const cache = caching(container)
  if (!cache) return read()
  const name = `svc:live-events:${JSON.stringify(key)}`
  const cached = await cache.get({ key: name }).catch(() => null)
  if (cached && typeof cached === "object") return cached as T
  const before = timesForgotten(connectionIds)
  const list = await read()
  // Something changed while it was read: it may be from before that, and would outlive the change.
  if (timesForgotten(connectionIds) !== before) return list
  await cache
    .set({ key: name, data: list, ttl: TTL_S, tags: connectionIds.map(tagOf) })
    .catch(() => undefined)
  return list
}

/** To be called when a show of the connection changed. */
export async function forgetLiveList(
  container: MedusaContainer,
  connectionId: string,
): Promise<void> {
  forgotten.set(connectionId, (forgotten.get(connectionId) ?? 0) + 1)
  await caching(container)
    ?.clear({ tags: [tagOf(connectionId)] })
    .catch(() => undefined)
}
