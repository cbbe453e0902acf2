import type { Query } from "./client"

/**
 * Query keys of one kind of thing: `all` > `lists` > `list(query)` and `all` > `details` > `detail(id)`, so that a
 * change invalidates exactly what it concerns.
 */
function keysOf<Name extends string>(name: Name) {
  const all = ["svc", name] as const
  return {
    all,
    lists: () => [...all, "list"] as const,
    list: (query: Query = {}) => [...all, "list", query] as const,
    details: () => [...all, "detail"] as const,
    detail: (id: string) => [...all, "detail", id] as const,
  }
}

export const connectionKeys = keysOf("connections")
export const setupKeys = keysOf("setup")
export const syncKeys = keysOf("sync")
export const webhookKeys = keysOf("webhook")
export const productKeys = keysOf("products")
export const deliveryKeys = keysOf("deliveries")
export const liveEventKeys = keysOf("live-events")
export const orderKeys = keysOf("orders")
export const campaignKeys = keysOf("campaigns")
export const overviewKeys = keysOf("overview")
export const resultKeys = keysOf("results")
export const healthKeys = keysOf("health")
export const regionKeys = keysOf("regions")
export const publishableKeyKeys = keysOf("publishable-keys")
export const marketKeys = keysOf("markets")
export const ruleKeys = keysOf("rules")
export const salesChannelKeys = keysOf("sales-channels")
