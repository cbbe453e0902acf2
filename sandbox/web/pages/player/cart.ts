/**
 * The cart in the player. The shop's cart is the truth (GET_CART_CONTENTS); what the shopper just
 * did is shown at once on top of it, and disappears again when the shop says otherwise.
 *
 * Changes reach the shop one after the other: two actions at once would compete for the cart's lock
 * in the shop.
 */

import { sum, times } from "../shared/money"
import { UNREACHABLE } from "./answers"
import type { OrderNumber } from "./order-number"
import type { Action, Answer, Payload, ShopLine } from "./sdk"
import type { Product, Variant } from "./service"
import { hasVariants, priceOf } from "./variants"

/** Waits this long for another press of + or - before the shop is asked. */
const STEPPER_MS = 350

/** @property pending  the shop has not confirmed this yet */
export type Line = ShopLine & { key: string; pending: boolean }
/** A quantity that the shopper asked for and the shop has not confirmed. */
type Wanted = { line: ShopLine; quantity: number }

type Options = {
  pageUid: string
  campaignUid: string
  run: (action: Action, payload: Payload) => Promise<Answer>
  orderNumber: OrderNumber
  productOf: (externalId: string, variantId?: string | null) => Product | undefined
  onChange: () => void
}
export type Cart = ReturnType<typeof createCart>

export function createCart(options: Options) {
  const { pageUid, campaignUid, run, orderNumber, productOf, onChange } = options
  let confirmed: Line[] = []
  let total = 0
  let currency = ""
  /** What the shop said instead of telling its cart. */
  let problem: string | null = null
  const wanted = new Map<string, Wanted>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let queue: Promise<unknown> = Promise.resolve()

  // A product without variants has one variant in the shop that svc never hears of (gap 32).
  function keyOf({ product_id, variant_id }: ShopLine): string {
    const product = productOf(product_id, variant_id)
    return product && !hasVariants(product) ? product_id : `${product_id}:${variant_id ?? ""}`
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work, work)
    queue = turn
    return turn
  }

  const withQuantity = (line: ShopLine, quantity: number): Line => ({
    ...line,
    key: keyOf(line),
    quantity,
    total: times(line.unit_price, quantity),
    pending: true,
  })

  /** The lines as the shopper should see them now. */
  function lines(): Line[] {
    const shown = confirmed.map((line) => {
      const want = wanted.get(line.key)
      return want ? withQuantity(line, want.quantity) : line
    })
    const added = [...wanted]
      .filter(([key]) => !confirmed.some((line) => line.key === key))
      .map(([, { line, quantity }]) => withQuantity(line, quantity))
    return [...shown, ...added].filter(({ quantity }) => quantity > 0)
  }

  /** The line as UPDATE_CART_CONTENTS names it (gaps 38 and 41). */
  function named({ product_id, variant_id, sku }: ShopLine) {
    const product = productOf(product_id, variant_id)
    const variant = product?.variants.find(({ external_id }) => external_id === variant_id)
    const simple = product && !hasVariants(product)
    const known = variant?.sku ?? sku
    return {
      product_id,
      ...(!simple && variant_id && { variant_id }),
      ...(known && { sku: known }),
    }
  }

  /** @param emptiedHere  the player itself has just taken something out */
  async function read(emptiedHere = false): Promise<Answer> {
    const answer = await run("GET_CART_CONTENTS", { campaignUid, pageUid })
    if (answer.status === "UNREGISTERED") {
      problem = null
    } else if (answer.status === "FAILURE" || !Array.isArray(answer.products)) {
      problem = answer.message || "The basket could not be shown."
    } else {
      problem = null
      confirmed = answer.products.map((line) => ({ ...line, key: keyOf(line), pending: false }))
      total = answer.total ?? 0
      currency = answer.currency ?? ""
      const lines = confirmed.filter((line) => line.in_campaign).length
      orderNumber.sawCart({ lines, emptiedHere })
    }
    onChange()
    return answer
  }

  type Change = { action: "add" | "change" | "remove"; quantity: number }

  /** Sends one change. What was shown for it goes, unless the shopper asked for more meanwhile. */
  async function send({ action, quantity }: Change, line: ShopLine): Promise<Answer> {
    const key = keyOf(line)
    const want = wanted.get(key)
    try {
      const orderNo = await orderNumber.get()
      const products = [{ action, ...named(line), quantity }]
      const payload = { campaignUid, pageUid, orderNo, products }
      const answer = await run("UPDATE_CART_CONTENTS", payload)
      // The shop may have sold it at its own price: that is no line of the show's, and under the number all the same.
      const sold = answer.status === "SUCCESS" || answer.status === "PARTIAL"
      if (action === "add" && sold) orderNumber.sawCart({ lines: 1, emptiedHere: false })
      // Only the last line's removal explains a cart without the show. Where others of it were left, the
      // shop placed the order meanwhile, and its number must not be used again.
      const othersLeft = confirmed.some((one) => one.in_campaign && one.key !== key)
      if (answer.status !== "UNREGISTERED") await read(action === "remove" && !othersLeft)
      return answer
    } catch (error) {
      console.error("svc player: no order number could be had.", error)
      return UNREACHABLE
    } finally {
      if (wanted.get(key) === want) wanted.delete(key)
      onChange()
    }
  }

  return {
    lines,
    problem: () => problem,
    currency: () => currency,
    isPending: () => wanted.size > 0,
    refresh: () => inTurn(() => read()),

    /** Resolves when the shop has answered everything that the shopper asked for. */
    async settled(): Promise<void> {
      while (wanted.size > 0) {
        await queue.catch(() => undefined)
        // A press of + or - is not in the queue yet.
        await new Promise((resolve) => setTimeout(resolve, STEPPER_MS / 5))
      }
    },

    /** The shop's own total, or the sum of what is shown while something is under way. */
    total: () => (wanted.size === 0 ? total : sum(lines().map((line) => line.total))),

    add(product: Product, variant: Variant | undefined, quantity: number): Promise<Answer> {
      const price = priceOf(product, variant)
      const line: ShopLine = {
        product_id: product.external_id,
        variant_id: variant?.external_id ?? null,
        sku: variant?.sku ?? product.sku,
        name: product.name,
        quantity,
        unit_price: price,
        total: times(price, quantity),
        image: product.image,
        url: null,
        in_campaign: true,
      }
      const key = keyOf(line)
      const before = lines().find((one) => one.key === key)?.quantity ?? 0
      wanted.set(key, { line, quantity: before + quantity })
      onChange()
      return inTurn(() => send({ action: "add", quantity }, line))
    },

    /** @param quantity  0 removes */
    setQuantity(line: Line, quantity: number): Promise<Answer> {
      wanted.set(line.key, { line, quantity })
      onChange()
      clearTimeout(timers.get(line.key))
      // When its turn comes the quantity that is wanted then is sent, not the one of the first press.
      const sendWanted = async (): Promise<Answer> => {
        const want = wanted.get(line.key)
        if (!want) return { status: "SUCCESS" }
        const action = want.quantity === 0 ? "remove" : "change"
        return send({ action, quantity: want.quantity }, line)
      }
      return new Promise((resolve, reject) => {
        const wait = quantity === 0 ? 0 : STEPPER_MS
        const timer = setTimeout(() => inTurn(sendWanted).then(resolve, reject), wait)
        timers.set(line.key, timer)
      })
    },
  }
}
