/** Milliseconds; as long as a cache between us and the shoppers may keep it. What is told here is shown at once. */
const LIVES_MS = 2_000
/**
 * More than the lists that storefronts ask for within that time: whoever asks for others makes room. Each may be
 * megabytes, and anybody can ask for as many as there are limits.
 */
const MOST_LISTS = 20

type Kept = { until: number; connectionIds: readonly string[]; list: Promise<unknown> }
export const kept = new Map<string, Kept>()

/**
 * The storefront's list of shows from this process's memory, so that a crowd that reloads costs one reading in two
 * seconds, with or without a caching module.
 *
 * @param connectionIds whose changes make it be read again
 */
export function cachedLiveList<T extends object>(
  key: unknown,
  connectionIds: readonly string[],
  read: () => Promise<T>,
): Promise<T> {
  const name = JSON.stringify(key)
  // Not by the clock: one that is put back would freeze the list for as long as that.
  const now = performance.now()
  for (const [other, { until }] of kept) if (until <= now) kept.delete(other)
  // The key says what is read.
  const known = kept.get(name)
  if (known) return known.list as Promise<T>
  const list = read()
  if (kept.size >= MOST_LISTS) kept.clear()
  kept.set(name, { until: now + LIVES_MS, connectionIds, list })
  list.catch(() => kept.delete(name))
  return list
}

/** To be called when a show of the connection changed. */
export function forgetLiveList(connectionId: string): void {
  for (const [name, { connectionIds }] of kept)
    if (connectionIds.includes(connectionId)) kept.delete(name)
}
