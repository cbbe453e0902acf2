/**
 * Translation between the player's payloads (gaps 40 to 42) and the store's routes. Pure: nothing
 * here talks to anyone.
 */
import type { Messages } from "./messages.ts"
import type { ActionStatus, FailedProduct, ShownProduct } from "./player.ts"
import type { PriceChange } from "./price-change.ts"
import { fieldsOf } from "./store-connection.ts"

/** A product as the store's routes take it. Ids and a quantity; never a price. */
export interface StoreProduct {
  /** Left out: quantity 0 removes, a line that exists is set, anything else is added (gap 41). */
  action?: (typeof ACTIONS_ON_A_PRODUCT)[number]
  /** A product id, a variant id or a sku, in this order of belief (gap 38). */
  product_id: string
  variant_id?: string
  sku?: string
  /** Left out: a line that exists keeps its pieces, and of anything else one is added. */
  quantity?: number
}

/** Body of `POST /store/carts/:id/svc/some-checkout` and `.../update-cart-contents`. */
interface StoreBody {
  campaign_uid: unknown
  page_uid: unknown
  order_no: unknown
  products: StoreProduct[]
  clear_cart?: true | undefined
}

/** What both routes answer. `cart` is Medusa's cart. */
export interface StoreAnswer {
  status: ActionStatus
  message?: string
  failed_products?: { product?: unknown; code?: string; message?: string }[]
  /** Lines that are not what the shopper saw, until the shopper has agreed to them. */
  changes?: PriceChange[]
  cart?: StoreCart
}

/** The cart after an action, as the Store API shows it. */
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
  changes?: PriceChange[]
}

/** A payload made ready to send: what can be, and what could not be read. */
export interface Translated {
  body: StoreBody
  /** The player's own product by its ids, see {@link idsOf}, for the way back. */
  originals: Map<string, unknown>
  failed: FailedProduct[]
  redirectUrl: unknown
}

const textOf = (...values: unknown[]) => {
  const value = values.find(Boolean)
  return value ? String(value) : undefined
}

/** What names a product in the store's answer. An id that is null counts as one that is missing. */
export function idsOf(product: unknown): string {
  const { product_id, variant_id, sku } = fieldsOf(product)
  return String([product_id, variant_id, sku])
}

const ACTIONS_ON_A_PRODUCT = ["add", "change", "remove"] as const

/** The store refuses a whole request for one quantity above this, and for more products. */
const MAX_QUANTITY = 9_999
const MAX_PRODUCTS = 50

/**
 * Reads a payload of SOME_CHECKOUT or UPDATE_CART_CONTENTS, widely: one product that cannot be
 * read must not keep the others from the cart.
 *
 * @param lowest the smallest quantity that makes sense: 0 where it can mean "remove"
 */
export function translate(payload: unknown, messages: Messages, lowest: 0 | 1): Translated {
  const from = fieldsOf(payload)
  const originals = new Map<string, unknown>()
  const products: StoreProduct[] = []
  const failed: FailedProduct[] = []
  for (const original of Array.isArray(from.products) ? from.products : []) {
    const product = productOf(fieldsOf(original), lowest)
    if (product && products.length < MAX_PRODUCTS) {
      originals.set(idsOf(product), original)
      products.push(product)
    } else failed.push({ product: original, errorMessage: messages.rejected })
  }
  return {
    body: {
      // A number is an id as well.
      campaign_uid: textOf(from.campaignUid),
      page_uid: textOf(from.pageUid),
      order_no: textOf(from.orderNo),
      products,
      clear_cart: (from.clear_cart ?? from.clearCart) === true || undefined,
    },
    originals,
    failed,
    redirectUrl: from.redirect_url ?? from.redirectUrl,
  }
}

function productOf(from: Record<string, unknown>, lowest: 0 | 1): StoreProduct | null {
  const variant_id = textOf(from.variant_id, from.variantId)
  const sku = textOf(from.sku)
  // The shop's own id, where the service names that beside one of its own (interface §2.7).
  const product_id = textOf(from.externalId, from.product_id, from.productId, variant_id, sku)
  const asked = textOf(from.action)?.toLowerCase()
  const action = ACTIONS_ON_A_PRODUCT.find((known) => known === asked)
  // A quantity that the player does not say is the store's to decide: it knows how many are there.
  const said = from.quantity ?? (lowest || undefined)
  // A field that is being edited is empty, which `Number` takes for 0: it would take the product out.
  const quantity = Number(String(said ?? 1).trim() || "none")
  // A word that nobody here knows may mean "take it out": then nothing is put in.
  if (asked && !action) return null
  if (!product_id || quantity % 1 !== 0 || quantity < lowest || quantity > MAX_QUANTITY) {
    return null
  }
  return {
    product_id,
    variant_id,
    sku,
    quantity: said === undefined ? said : quantity,
    action,
  }
}

/**
 * The products that failed, each as the player itself named it: the player finds its card by its
 * own object, not by ours.
 */
export function failedProducts(
  answer: Pick<StoreAnswer, "failed_products">,
  { originals, failed }: Translated,
  messages: Messages,
): FailedProduct[] {
  const answered = (answer.failed_products ?? []).map(({ product, code, message }) => ({
    product: originals.get(idsOf(product)) ?? product,
    errorMessage: message || messages.rejected,
    code,
  }))
  return [...failed, ...answered]
}

/** `url` as an address of this very site, or null: a link from outside may not lead elsewhere (gap 40). */
export function sameOrigin(url: unknown, here: Pick<Location, "href" | "origin">): string | null {
  if (!url) return null
  try {
    const { origin, href } = new URL(String(url), here.href)
    return origin === here.origin ? href : null
  } catch {
    return null
  }
}
