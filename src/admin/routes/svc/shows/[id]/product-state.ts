import type { EventProduct } from "../../../../lib/types"

/** How the page shows whether a product of a show can be sold. The server decides that (`readiness`). */
export function stateOf({ readiness: { ready, problems } }: Pick<EventProduct, "readiness">) {
  // Sells, and somebody should look at it all the same.
  if (ready) return problems.length > 0 ? "warned" : "ready"
  return problems.some(({ code }) => code === "not_in_show") ? "removed" : "notReady"
}

/** The row of a product that may be well once it was sent again. */
export function unsentOf(
  product: Pick<EventProduct, "readiness" | "catalog_item">,
): string | undefined {
  const { id, state } = product.catalog_item ?? {}
  const shown = stateOf(product)
  const mayHelp =
    (state === "failed" && shown === "warned") ||
    ((state === "failed" || state === "pending") && shown === "notReady")
  return mayHelp ? id : undefined
}
