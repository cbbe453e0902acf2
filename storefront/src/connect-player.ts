/**
 * The bridge between the player and the store: registers the four cart actions (interface §4.6)
 * and answers them. Whatever goes wrong, the player gets an answer and never an exception.
 */
import {
  failedProducts,
  idsOf,
  type StoreAnswer,
  type StoreCart,
  type StoreContents,
  type StoreProduct,
  sameOrigin,
  type Translated,
  translate,
} from "./actions.ts"
import { emit, emitChanges } from "./events.ts"
import { defaultMessages, type Messages } from "./messages.ts"
import {
  ACTIONS,
  type ActionAnswer,
  type ActionStatus,
  type FailedProduct,
  joinReadyQueue,
  type SvcAction,
  type SvcSdk,
} from "./player.ts"
import type { PriceChange } from "./price-change.ts"
import type { GetCartId } from "./remember-cart.ts"
import {
  ask,
  cartPath,
  fieldsOf,
  type StoreConnection,
  StoreError,
  withDeadline,
} from "./store-connection.ts"

export interface PlayerOptions extends StoreConnection {
  /** The shopper's cart; `rememberCart()` gives a ready one. */
  getCartId: GetCartId
  /** Opens the shop's cart drawer or page. Without it, `cartUrl` is followed. */
  openCart?: (payload: { orderNo?: string }) => unknown
  /** The shop's cart page. */
  cartUrl?: string
  /**
   * Called with the cart after the player changed it, so that the shop's counter follows; beside it
   * what the store refused and why, and the lines that are not what the shopper saw.
   */
  onCartChanged?: (cart: StoreCart, outcome: ActionOutcome) => unknown
  /** Follows an address; `location.assign` by default. A single-page shop gives its router here. */
  redirect?: (url: string) => unknown
  /** Currency of an empty cart, in the player's "0.00 DKK". */
  currency?: string
  /** The shopper's sentences in the shop's own language. */
  messages?: Partial<Messages>
}

/** How an action that writes went for the shop. */
export interface ActionOutcome {
  failedProducts: FailedProduct[]
  changes: PriceChange[]
}

export interface PlayerConnection {
  /** Stops answering and aborts what is under way. Connect again at any time. */
  disconnect(): void
}

/** An answer before it is put into the SDK's own constants. */
type Answer = Omit<ActionAnswer, "status"> & { status: ActionStatus }

type Perform = (action: SvcAction, payload: unknown, sdk: SvcSdk) => Promise<Answer>

// A page has one shopper and one cart. The SDK has no way to take a handler back, so handlers
// are registered once per SDK and ask who is connected now: connecting again (a page that mounts
// twice, another market) replaces, and never registers twice.
let connected: Perform
const greeted = new WeakSet<SvcSdk>()

function greet(sdk: SvcSdk): void {
  if (greeted.has(sdk)) return
  greeted.add(sdk)
  for (const action of ACTIONS) {
    sdk.registerAction(sdk.actions[action], async (payload) => {
      const { status, ...answer } = await connected(action, payload, sdk)
      emitChanges(answer.changes)
      return { ...answer, status: sdk.actionStatuses[status] }
    })
  }
}

/**
 * Connects the shop to the player, whichever of the two loads first.
 *
 * ```ts
 * const cart = rememberCart({ baseUrl, publishableKey, regionId })
 * connectPlayer({ baseUrl, publishableKey, getCartId: cart.getCartId, openCart: () => drawer.open() })
 * ```
 *
 * On a server it does nothing, so that a page that is rendered there may call it.
 */
export function connectPlayer(options: PlayerOptions): PlayerConnection {
  const stop = new AbortController()
  if (typeof window !== "undefined") {
    connected = createPerform(options, stop.signal)
    joinReadyQueue(greet)
  }
  return {
    disconnect: () => stop.abort(),
  }
}

function createPerform(options: PlayerOptions, stop: AbortSignal): Perform {
  const messages = { ...defaultMessages, ...options.messages }
  let last: Promise<unknown> = Promise.resolve()

  const handlers: Record<
    SvcAction,
    (payload: unknown, signal: AbortSignal, sdk: SvcSdk) => Promise<Answer>
  > = {
    async SOME_CHECKOUT(payload, signal, { progress }) {
      // A player without an overlay, or one that fails, changes nothing.
      tell(() => progress?.plan({ totalSteps: 2, msPerStep: 600 }))
      const translated = translate(payload, messages, 1)
      tell(() => progress?.set({ step: 1 }))
      const answer = await write("some-checkout", translated, signal)
      tell(() => progress?.set({ percent: 100 }))
      const target = sameOrigin(translated.redirectUrl, location)
      // Not before the player has its answer: it takes the link out of the address that stands there then, which has to be the
      // link's own, or going back would follow it again.
      if (target && answer.status !== "FAILURE") setTimeout(follow, 0, target)
      return answer
    },

    UPDATE_CART_CONTENTS: (payload, signal) =>
      write("update-cart-contents", translate(payload, messages, 0), signal),

    async GET_CART_CONTENTS(payload, signal) {
      // Where there is no cart, looking makes none.
      const id = await options.getCartId("read")
      // What another show has sold is not this player's to change.
      const of = encodeURIComponent(String(fieldsOf(payload).campaignUid ?? ""))
      const answer =
        id &&
        (await ask<StoreContents>(
          options,
          cartPath(id, `/svc/cart-contents?campaign_uid=${of}`),
          signal,
        ).catch((error) => {
          if (!isGone(error)) throw error
          return undefined
        }))
      return { status: "SUCCESS", products: [], total: 0, currency: options.currency, ...answer }
    },

    async OPEN_CART(payload) {
      if (options.openCart) {
        const opened = options.openCart((payload ?? {}) as { orderNo?: string })
        // Not waited for: a drawer may answer when it is closed, and everything else would wait.
        Promise.resolve(opened).catch(reportError)
      } else if (options.cartUrl) {
        follow(new URL(options.cartUrl, location.href).href)
      } else {
        return { status: "FAILURE", message: messages.no_cart_page }
      }
      return { status: "SUCCESS" }
    },
  }

  async function write(
    route: string,
    translated: Translated,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { body, originals } = translated
    if (!body.products.length) {
      return { status: "FAILURE", message: messages.rejected, failedProducts: translated.failed }
    }
    const post = (id: string | null | undefined) =>
      ask<StoreAnswer>(options, cartPath(id, `/svc/${route}`), signal, { body })
    const id = await options.getCartId("write")
    const answer = await post(id).catch(async (error) => {
      // A cart dies when it is ordered in another tab or cleaned away. Once is enough: a second
      // loss is not the cart's fault.
      const fresh = isGone(error) ? await options.getCartId("renew", id ?? undefined) : id
      // Two orders with one number cannot both be reported. The player sees an empty basket now, and asks for a new number
      // before the next tap.
      if (fresh === id || isSpent(error)) throw error
      return post(fresh)
    })
    const { status, message, changes, cart } = answer
    const failed = failedProducts(answer, translated, messages)
    if (cart)
      tell(() => options.onCartChanged?.(cart, { failedProducts: failed, changes: changes ?? [] }))
    // What the merchant sells at the catalog price meanwhile is in the basket.
    const refused = failed.filter(({ code }) => code !== "catalog_price")
    const wasRefused = (sent: StoreProduct) =>
      refused.some(({ product }) => product === originals.get(idsOf(sent)))
    const added = body.products.filter(
      (sent) => (sent.action ?? "add") === "add" && sent.quantity !== 0 && !wasRefused(sent),
    )
    if (status !== "FAILURE") emit("svc:added", { ...body, products: added, cart })
    emit("svc:refused", { ...body, products: refused })
    return {
      // What could not be read here never reached the store, whose SUCCESS knows nothing of it.
      status: failed[0] && status === "SUCCESS" ? "PARTIAL" : status,
      message,
      failedProducts: failed[0] && failed,
      changes,
    }
  }

  function follow(url: string): void {
    tell(() => (options.redirect ? options.redirect(url) : location.assign(url)))
  }

  // One at a time: two writes at once would race for the cart, a read in between would show half
  // of it, and a cart page opened before the write is done would lack the product.
  return (action, payload, sdk) => {
    const answer = last
      .then((): Answer | Promise<Answer> =>
        stop.aborted
          ? { status: "FAILURE", message: messages.disconnected }
          : withDeadline(
              options.timeoutMs,
              (signal) => handlers[action](payload, signal, sdk),
              stop,
            ),
      )
      .catch((error: unknown): Answer => {
        const known = error instanceof StoreError
        if (!known) reportError(error)
        const { kind, code, message } = known ? error : new StoreError("broken")
        // The store's refusal says what happened, in the shopper's language. One without a code may be for developers, and
        // of a request that could not be read, or of Medusa's own (`invalid_request_error`), it is.
        const isTold =
          code &&
          (kind === "busy"
            ? !options.messages?.busy && /cart_busy|too_many_requests/.test(code)
            : kind === "rejected" && !/invalid_request|body_too|plain_json/.test(code))
        // It may be done, and another try would add another piece. A link sets its pieces, however often it is followed.
        const isUnsure = action === "UPDATE_CART_CONTENTS" && !/gone|busy|rejected/.test(kind)
        return {
          status: "FAILURE",
          message: isTold
            ? message
            : messages[isUnsure ? "unsure" : isSpent(error) ? "ordered" : kind],
        }
      })
    last = answer
    return answer
  }
}

/** The basket was ordered under the number that the player sent (`cart_completed`). */
const isSpent = (error: unknown) => fieldsOf(fieldsOf(fieldsOf(error).body).params).order_no
const isGone = (error: unknown) => error instanceof StoreError && error.kind === "gone"

/** Runs the shop's own callback. Its mistake belongs in the shop's console, not in the player. */
function tell(callback: () => unknown): void {
  new Promise((done) => done(callback())).catch(reportError)
}
