/**
 * The basket in the player. The shop's basket is the truth (GET_CART_CONTENTS); what the shopper
 * just did is shown at once on top of it, and goes again when the shop says otherwise.
 *
 * Changes reach the shop one after the other: two actions at once on one basket would race for its
 * lock in the shop.
 */
import { UNREACHABLE } from "./answers.js"
import { hasVariants, priceOf } from "./variants.js"

/** Waits this long for another press of + or - before the shop is asked. */
const STEPPER_MS = 350

/**
 * @typedef {object} Line a basket line (gap 42)
 * @property {string} product_id
 * @property {string | null} variant_id
 * @property {string | null} sku
 * @property {string} name
 * @property {number} quantity
 * @property {number} unit_price
 * @property {number} total
 * @property {string | null} image
 * @property {string | null} url
 * @property {boolean} in_campaign
 * @property {string} key
 * @property {boolean} pending the shop has not confirmed this yet
 */

/**
 * @param {object} options
 * @param {string} options.pageUid
 * @param {string} options.campaignUid
 * @param {(action: string, payload?: object) => Promise<import("./sdk.js").Answer>} options.run
 * @param {ReturnType<typeof import("./order-number.js").createOrderNumber>} options.orderNumber
 * @param {(externalId: string, variantId?: string | null) => import("./service.js").Product | undefined} options.productOf
 * @param {() => void} options.onChange
 */
export function createBasket({ pageUid, campaignUid, run, orderNumber, productOf, onChange }) {
  /** @type {Line[]} */
  let confirmed = []
  let totals = { total: 0, currency: "" }
  /** Quantities the shopper asked for and the shop has not confirmed. @type {Map<string, any>} */
  const wanted = new Map()
  const timers = new Map()
  let status = "unknown"
  let message = ""
  let queue = Promise.resolve()

  // A simple product has one variant in the shop that svc never hears of (gap 32).
  const keyOf = (productId, variantId) => {
    const product = productOf(productId, variantId)
    return product && !hasVariants(product) ? productId : `${productId}:${variantId ?? ""}`
  }

  const inTurn = (work) => {
    queue = queue.then(work, work)
    return queue
  }

  /** The line as UPDATE_CART_CONTENTS names it (gaps 38 and 41). */
  function named({ product_id, variant_id, sku }) {
    const product = productOf(product_id, variant_id)
    const variant = product?.variants?.find((one) => one.external_id === variant_id)
    const simple = product && !hasVariants(product)
    return {
      product_id,
      ...(!simple && variant_id && { variant_id }),
      ...((variant?.sku ?? sku) && { sku: variant?.sku ?? sku }),
    }
  }

  /** @param {boolean} [emptiedHere] the player itself has just taken something out */
  async function read(emptiedHere = false) {
    const answer = await run("GET_CART_CONTENTS", { campaignUid, pageUid })
    if (answer.status === "UNREGISTERED") {
      status = "unregistered"
    } else if (answer.status === "FAILURE" || !Array.isArray(answer.products)) {
      status = "unavailable"
      message = answer.message ?? ""
    } else {
      status = "ready"
      confirmed = answer.products.map((line) => ({
        ...line,
        key: keyOf(line.product_id, line.variant_id),
        pending: false,
      }))
      totals = { total: answer.total, currency: answer.currency }
      orderNumber.sawBasket({ lines: confirmed.length, emptiedHere })
    }
    onChange()
    return answer
  }

  /** Sends one change. What was shown for it goes, unless the shopper asked for more meanwhile. */
  async function send(change, key) {
    const want = wanted.get(key)
    try {
      const orderNo = await orderNumber.get()
      const payload = { campaignUid, pageUid, orderNo, products: [change] }
      const answer = await run("UPDATE_CART_CONTENTS", payload)
      if (answer.status !== "UNREGISTERED") {
        await read(change.action === "remove")
      }
      return answer
    } catch (error) {
      console.error("svc player: the order number could not be had.", error)
      return UNREACHABLE
    } finally {
      if (wanted.get(key) === want) {
        wanted.delete(key)
      }
      onChange()
    }
  }

  /** Sends the quantity that is wanted when its turn comes, not the one of the first press. */
  const sendQuantity = (line) =>
    inTurn(() => {
      const want = wanted.get(line.key)
      if (!want) {
        return { status: "SUCCESS" }
      }
      const change =
        want.quantity === 0
          ? { action: "remove", ...named(line), quantity: 0 }
          : { action: "change", ...named(line), quantity: want.quantity }
      return send(change, line.key)
    })

  return {
    get status() {
      return status
    },
    get message() {
      return message
    },
    get currency() {
      return totals.currency
    },

    /** @returns {Line[]} as the shopper should see them now */
    lines() {
      const shown = confirmed.map((line) => {
        const want = wanted.get(line.key)
        return want
          ? {
              ...line,
              quantity: want.quantity,
              total: line.unit_price * want.quantity,
              pending: true,
            }
          : line
      })
      const added = [...wanted]
        .filter(([key]) => !confirmed.some((line) => line.key === key))
        .map(([key, { line, quantity }]) => ({
          ...line,
          key,
          quantity,
          total: line.unit_price * quantity,
          pending: true,
        }))
      return [...shown, ...added].filter((line) => line.quantity > 0)
    },

    /** The shop's own total, or the sum of what is shown while something is under way. */
    total() {
      return wanted.size === 0
        ? totals.total
        : this.lines().reduce((sum, line) => sum + line.total, 0)
    },

    isPending: () => wanted.size > 0,

    refresh: () => inTurn(() => read()),

    /**
     * @param {import("./service.js").Product} product
     * @param {import("./service.js").Variant | undefined} variant
     * @param {number} quantity
     */
    add(product, variant, quantity) {
      const line = {
        product_id: product.external_id,
        variant_id: variant?.external_id ?? null,
        sku: variant?.sku ?? product.sku,
        name: product.name,
        unit_price: priceOf(product, variant),
        image: product.image,
        url: null,
        in_campaign: true,
      }
      const key = keyOf(line.product_id, line.variant_id)
      const before = this.lines().find((one) => one.key === key)?.quantity ?? 0
      wanted.set(key, { line, quantity: before + quantity })
      onChange()
      return inTurn(() => send({ action: "add", ...named(line), quantity }, key))
    },

    /** @param {Line} line @param {number} quantity 0 removes */
    setQuantity(line, quantity) {
      wanted.set(line.key, { line, quantity })
      onChange()
      clearTimeout(timers.get(line.key))
      return new Promise((resolve, reject) => {
        timers.set(
          line.key,
          setTimeout(
            () => sendQuantity(line).then(resolve, reject),
            quantity === 0 ? 0 : STEPPER_MS,
          ),
        )
      })
    },
  }
}
