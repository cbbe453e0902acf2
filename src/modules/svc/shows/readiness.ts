import type { CatalogItem } from "../models"
import type { Reason } from "../shared/reason"
import type { KnownEventProduct } from "./show-queries"

/** What keeps a product of a show from being sold in it; ready where nothing does. */
export type Readiness = { ready: boolean; problems: Reason[] }

/** What our catalog knows of the product. */
type KnownItem = Pick<
  CatalogItem,
  "state" | "last_pushed_at" | "reason_code" | "reason_message" | "reason_fix"
>

/** What is wrong with one product of a show, given what the service was told of it. Pure. */
export function readinessProblems(
  product: KnownEventProduct,
  item: KnownItem | undefined,
): Reason[] {
  if (product.deleted_at !== null) {
    return [
      {
        code: "not_in_show",
        message: "The product was removed from the show.",
        fix: "Add it to the show again if it should be sold there.",
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
      fix: "Publish it in the connection's sales channel again, or remove it from the show.",
    })
  } else if (item.state === "invalid" || item.state === "failed") {
    problems.push({
      code: item.reason_code ?? item.state,
      message: item.reason_message ?? "The product could not be sent to the service.",
      fix: item.reason_fix ?? "Open the product in the list of products and send it again.",
    })
  } else if (item.state === "pending" && item.last_pushed_at === null) {
    problems.push({
      code: "not_sent_yet",
      message: item.reason_message ?? "The product waits to be sent to the service.",
      fix: item.reason_fix ?? "Nothing to do: it is sent in a moment.",
    })
  }
  if (!hasPrice(product)) {
    problems.push({
      code: "no_show_price",
      message: "The show has no price for the product.",
      fix: "Set its price in the show.",
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

/** A price of its own, or one of a variant's. */
const hasPrice = ({ price, variants }: KnownEventProduct): boolean =>
  price !== null || variants.some((variant) => variant.price !== null)
