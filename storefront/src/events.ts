/**
 * What happens to the cart through the player and the SDK, as events of the window: for analytics,
 * for a notice, for any script on the page.
 *
 * ```ts
 * window.addEventListener("svc:added", ({ detail }) => analytics.track("Product Added", detail))
 * ```
 */
import type { StoreCart, StoreProduct } from "./actions.ts"
import type { FailedProduct } from "./player.ts"
import type { PriceChange } from "./price-change.ts"

/** Where an action came from, as the player said it. */
interface ActionSource {
  campaign_uid: unknown
  page_uid: unknown
  order_no: unknown
}

export interface SvcEvents {
  /** The player put products into the cart; so does a show's link. */
  "svc:added": ActionSource & { products: StoreProduct[]; cart: StoreCart | undefined }
  /**
   * Products that did not go in as asked, each with a sentence and, where the store refused it, a code. Of one with the code
   * `quantity_limited` some pieces may be in. What was sold at the catalog price is in, and so in `svc:added`.
   */
  "svc:refused": ActionSource & { products: FailedProduct[] }
  /** The store put lines right that no longer held. Each change is told once. */
  "svc:price_changed": { lines: PriceChange[] }
  /** {@link completeCart} placed the order. */
  "svc:ordered": { order: { id: string } }
}

declare global {
  interface WindowEventMap {
    "svc:added": CustomEvent<SvcEvents["svc:added"]>
    "svc:refused": CustomEvent<SvcEvents["svc:refused"]>
    "svc:price_changed": CustomEvent<SvcEvents["svc:price_changed"]>
    "svc:ordered": CustomEvent<SvcEvents["svc:ordered"]>
  }
}

/** Where there is no window, on a server, nobody listens; of no products there is nothing to tell. */
export function emit<Name extends keyof SvcEvents>(
  name: Name,
  detail: SvcEvents[Name] & { products?: unknown[]; lines?: unknown[] },
): void {
  const { products, lines = products } = detail
  if (lines?.length !== 0) globalThis.dispatchEvent?.(new CustomEvent(name, { detail }))
}

const told = new Set<string>()

/** The store names a change until the shopper has agreed to it; listeners hear of it once. */
export function emitChanges(changes: PriceChange[] = []): void {
  emit("svc:price_changed", {
    lines: changes.filter(({ id }) => !id || (!told.has(id) && told.add(id))),
  })
}
