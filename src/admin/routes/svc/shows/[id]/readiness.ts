import type { TextKey } from "../../../../hooks/use-text"
import type { EventProduct, Reason } from "../../../../lib/types"

type ShownReadiness =
  | { state: "ready" | "removed" | "unavailable" }
  /** `itemId` where sending the product once more may help. */
  | { state: "notReady"; why: (TextKey | Reason)[]; itemId?: string }

/** Problems that we can say in the reader's language; others come with the server's sentence. */
const TEXTS: Record<string, TextKey> = {
  no_show_price: "shows.products.why.noPrice",
  not_in_store: "shows.products.why.notOurs",
  not_sent_yet: "shows.products.why.waiting",
}

/** How the page shows whether a product of a show can be sold. The server decides that (`readiness`). */
export function shownReadiness({ readiness, catalog_item }: EventProduct): ShownReadiness {
  if (readiness.ready) return { state: "ready" }
  const codes = readiness.problems.map(({ code }) => code)
  if (codes.includes("not_in_show")) return { state: "removed" }
  if (codes.every((code) => code === "not_available")) return { state: "unavailable" }
  const why = readiness.problems.map((problem) => TEXTS[problem.code] ?? problem)
  const mayHelp = catalog_item?.state === "failed" || catalog_item?.state === "pending"
  return { state: "notReady", why, ...(mayHelp ? { itemId: catalog_item.id } : {}) }
}
