import type { EventProduct, Reason } from "../../../../lib/types"

type ShownReadiness =
  | { state: "removed" }
  | { state: "ready"; why: Reason[] }
  /** Sells; `why` is what somebody should look at all the same. */
  | { state: "warned"; why: Reason[] }
  /** `itemId` where sending the product once more may help. */
  | { state: "notReady"; why: Reason[]; itemId?: string }

/** How the page shows whether a product of a show can be sold. The server decides that (`readiness`). */
export function shownReadiness({ readiness, catalog_item }: EventProduct): ShownReadiness {
  const { ready, problems: why } = readiness
  if (ready) return { state: why.length > 0 ? "warned" : "ready", why }
  if (why.some(({ code }) => code === "not_in_show")) return { state: "removed" }
  const mayHelp = catalog_item?.state === "failed" || catalog_item?.state === "pending"
  return { state: "notReady", why, ...(mayHelp ? { itemId: catalog_item.id } : {}) }
}
