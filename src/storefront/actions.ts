/**
 * Translation between the player's payloads (gaps 40 to 42) and the store's routes. Pure: nothing
 * here talks to anyone.
 */
import type { Messages } from "./messages"
import type { ActionStatus, FailedProduct, ShownProduct } from "./player"

/** A product as the store's routes take it. Ids and a quantity; never a price. */
export interface StoreProduct {
  /** Left out: quantity 0 removes, a line that exists is set, anything else is added (gap 41). */
  action?: "add" | "change" | "remove"
  /** A product id, a variant id or a sku, in this order of belief (gap 38). */
  product_id: string
  variant_id?: string
  sku?: string
  quantity: number
}

/** Body of `POST /store/carts/:id/svc/some-checkout` and `.../update-cart-contents`. */
export interface StoreBody {
  campaign_uid: unknown
  page_uid: unknown
  order_no: unknown
  products: StoreProduct[]
  clear_cart?: true
}

/** What both routes answer. `cart` is Medusa's cart. */
export interface StoreAnswer {
  status: ActionStatus
  message?: string
  failed_products?: { product?: unknown; code?: string; message?: string }[]
  cart?: StoreCart
}

/** The basket after an action, as the Store API shows it. */
export interface StoreCart {
  id: string
  [field: string]: unknown
}

/** Answer of `GET /store/carts/:id/svc/cart-contents` (gap 42). */
export interface StoreContents {
  status?: ActionStatus
  products: ShownProduct[]
  total: number
  currency: string
}

/** A payload made ready to send: what can be, and what could not be read. */
export interface Translated {
  /** The player's own product beside each product of `body`, for the way back. */
  sent: { original: unknown; product: StoreProduct }[]
  failed: FailedProduct[]
  source: Pick<StoreBody, "campaign_uid" | "page_uid" | "order_no">
  clearCart: boolean
  redirectUrl?: string
}

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {}

const textOf = (...values: unknown[]) => {
  const value = values.find((v) => v !== undefined && v !== null && v !== "")
  return value === undefined ? undefined : String(value)
}

/** The store refuses a whole request for one quantity above this. */
const MAX_QUANTITY = 9_999

/**
 * Reads a payload of SOME_CHECKOUT or UPDATE_CART_CONTENTS, widely: one product that cannot be
 * read must not keep the others from the basket.
 *
 * @param lowest the smallest quantity that makes sense: 0 where it can mean "remove"
 */
export function translate(payload: unknown, messages: Messages, lowest: 0 | 1): Translated {
  const { campaignUid, pageUid, orderNo, products, clear_cart, redirect_url } = fieldsOf(payload)
  const sent: Translated["sent"] = []
  const failed: FailedProduct[] = []
  for (const original of Array.isArray(products) ? products : []) {
    const product = productOf(fieldsOf(original), lowest)
    if (product) {
      sent.push({ original, product })
    } else {
      failed.push({ product: original, errorMessage: messages.unknown_product })
    }
  }
  return {
    sent,
    failed,
    source: { campaign_uid: campaignUid, page_uid: pageUid, order_no: orderNo },
    clearCart: clear_cart === true,
    redirectUrl: textOf(redirect_url),
  }
}

function productOf(from: Fields, lowest: 0 | 1): StoreProduct | null {
  const variant_id = textOf(from.variant_id, from.variantId)
  const sku = textOf(from.sku)
  const product_id = textOf(from.product_id, from.productId, from.externalId, variant_id, sku)
  const { action } = from
  const quantity = Number(from.quantity ?? (action === "remove" ? 0 : 1))
  if (!product_id || !Number.isInteger(quantity) || quantity < lowest || quantity > MAX_QUANTITY) {
    return null
  }
  return {
    product_id,
    variant_id,
    sku,
    quantity,
    ...((action === "add" || action === "change" || action === "remove") && { action }),
  }
}

/**
 * The products that failed, each as the player itself named it: the player finds its card by its
 * own object, not by ours.
 */
export function failedProducts(
  answer: StoreAnswer,
  translated: Translated,
  messages: Messages,
): FailedProduct[] {
  const answered = (answer.failed_products ?? []).map(({ product, message }) => {
    const theirs = fieldsOf(product)
    const match = translated.sent.find(({ product: ours }) =>
      (["product_id", "variant_id", "sku"] as const).every(
        (field) => ours[field] === textOf(theirs[field]),
      ),
    )
    return {
      product: match?.original ?? product,
      errorMessage: message || messages.rejected,
    }
  })
  return [...translated.failed, ...answered]
}

/** `url` as an address of this very site, or null: a link from outside may not lead elsewhere (gap 40). */
export function sameOrigin(url: string | undefined, here: string): string | null {
  if (!url) {
    return null
  }
  try {
    const target = new URL(url, here)
    return target.origin === new URL(here).origin ? target.href : null
  } catch {
    return null
  }
}
