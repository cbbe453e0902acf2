import type { CatalogItem } from "../models"
import type { Reason } from "../shared/reason"
import type { KnownEventProduct } from "./show-queries"

/** What keeps a product of a show from being sold in it; ready where nothing does. */
export type Readiness = { ready: boolean; problems: Reason[] }

/** Pure: what is wrong with one product of a show, given what the service was told of it. */
export function readinessProblems(
  product: KnownEventProduct,
  item: Pick<CatalogItem, "state" | "reason_code" | "reason_message" | "reason_fix"> | undefined,
): Reason[] {
  if (product.deleted_at !== null) {
    return [
      {
        code: "not_in_show",
        message: "The product was taken out of the show.",
        fix: "Add it to the show again if it shall be sold there.",
      },
    ]
  }
  const problems: Reason[] = []
  if (!item) {
    problems.push({
      code: "not_in_store",
      message: "The show's product is not one of this sales channel's products.",
      fix: "Add the product to the sales channel and publish it, or choose another product in the show.",
    })
  } else if (item.state === "removed") {
    problems.push({
      code: "not_for_sale",
      message: "The product is not for sale in this store any more.",
      fix: "Publish it in the connection's sales channel again, or take it out of the show.",
    })
  } else if (item.state === "invalid" || item.state === "failed") {
    problems.push({
      code: item.reason_code ?? item.state,
      message: item.reason_message ?? "The product could not be sent to the service.",
      fix: item.reason_fix ?? "Open the product in the list of products and send it again.",
    })
  }
  if (!product.available) {
    problems.push({
      code: "not_available",
      message: "The service shows the product as not available.",
      fix: "Check its stock, or make it available in the show.",
    })
  }
  return problems
}
