import type { CartReason } from "./codes"
import { type Candidate, matchVariant, type ProductRef } from "./match-variant"
import type { Line, StoreVariant } from "./situation"

/** What a cart action asks for one product. */
export type LineRequest = {
  ref: ProductRef
  /** `checkout`: set per order number, so that a reloaded link or a double click counts once (gap 44). */
  action: "add" | "set" | "checkout" | "remove"
  /** Null where a line is to be set and the player does not say to how many: it keeps what it has. */
  quantity: number | null
  variantId: string
  /** Null where the store has the variant no more; then it can only be removed. */
  variant: StoreVariant | null
}

/** A product as a cart action names it, before it was found. */
export type RequestedProduct = ProductRef & { action: LineRequest["action"] | null }

export type FailedProduct = CartReason & { product: ProductRef }

/**
 * Finds what a request means: a line that is to be removed in the cart, everything else in the store (gap 38). A product
 * that was deleted, unpublished or taken out of the sales channel can still be removed from the cart.
 *
 * @returns the request, or why it means nothing, which alone has a `code`
 */
export function resolveRequest(
  { action, ...ref }: RequestedProduct,
  variants: StoreVariant[],
  lines: Line[],
): LineRequest | FailedProduct {
  if (action === "remove" || ref.quantity === 0) {
    const there = matchVariant(ref, variantsOf(lines))
    if (!("code" in there)) {
      return { ref, action: "remove", quantity: 0, variantId: there.variantId, variant: null }
    }
    if (there.code === "variant_required") return { product: ref, ...there }
  }
  const variant = matchVariant(ref, variants)
  if ("code" in variant) return { product: ref, ...variant }
  const { variantId } = variant
  const present = lines.some((line) => line.variantId === variantId)
  return { ref, variantId, variant, ...resolveAction(action, ref.quantity, present) }
}

/** Each variant of the cart's lines once, as something that may be meant. */
const variantsOf = (lines: Line[]): Candidate[] => [
  ...new Map(
    lines.flatMap(({ variantId, productId, sku }): [string, Candidate][] =>
      variantId ? [[variantId, { variantId, productId: productId ?? "", sku, forSale: true }]] : [],
    ),
  ).values(),
]

/**
 * Reads action and quantity of one product as gap 41 does: without an action, quantity 0 removes, a line that exists is
 * set, and any other is added.
 */
function resolveAction(
  action: LineRequest["action"] | null,
  quantity: number | undefined,
  inCart: boolean,
): Pick<LineRequest, "action" | "quantity"> {
  if (action === "remove" || quantity === 0) return { action: "remove", quantity: 0 }
  if (action === "set" || (!action && inCart)) return { action: "set", quantity: quantity ?? null }
  return { action: action ?? "add", quantity: quantity ?? 1 }
}

/**
 * Two entries for one variant in one payload are one request, as if they were made one after the other: pieces that
 * are added count on top of the entry before, all else replaces it.
 */
export function mergeRequests(requests: LineRequest[]): LineRequest[] {
  const merged = new Map<string, LineRequest>()
  for (const request of requests) {
    const earlier = merged.get(request.variantId)
    const adds = request.action === "add" || request.action === "checkout"
    // It keeps what the entry before has made of the line.
    if (earlier && earlier.action !== "remove" && request.quantity === null) continue
    if (!earlier || !adds || earlier.quantity === null) merged.set(request.variantId, request)
    else if (earlier.action === "remove")
      merged.set(request.variantId, { ...request, action: "set" })
    else {
      const quantity = earlier.quantity + (request.quantity ?? 1)
      merged.set(request.variantId, { ...request, action: earlier.action, quantity })
    }
  }
  return [...merged.values()]
}
