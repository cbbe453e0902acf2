/**
 * The bridge between the player and the store: registers the four cart actions (interface §4.6)
 * and answers them. Whatever goes wrong, the player gets an answer and never an exception.
 */
import {
  failedProducts,
  type StoreAnswer,
  type StoreBody,
  type StoreCart,
  type StoreContents,
  sameOrigin,
  type Translated,
  translate,
} from "./actions"
import { defaultMessages, type Messages } from "./messages"
import {
  ACTIONS,
  type ActionAnswer,
  type ActionStatus,
  joinReadyQueue,
  type SvcAction,
  type SvcSdk,
} from "./player"
import type { GetCartId } from "./remember-cart"
import {
  DEFAULT_TIMEOUT_MS,
  idSegment,
  type StoreConnection,
  StoreError,
  storeRequest,
  withDeadline,
} from "./store-connection"

export interface PlayerOptions extends StoreConnection {
  /** The shopper's basket; `rememberCart()` gives a ready one. */
  getCartId: GetCartId
  /** Opens the shop's basket drawer or page. Without it, `cartUrl` is followed. */
  openCart?: (payload: { orderNo?: string }) => unknown
  /** The shop's basket page. */
  cartUrl?: string
  /** Called with the basket after the player changed it, so that the shop's counter follows. */
  onCartChanged?: (cart: StoreCart) => unknown
  /** Follows an address; `location.assign` by default. A single-page shop gives its router here. */
  redirect?: (url: string) => unknown
  /** Currency of an empty basket, in the player's "0.00 DKK". */
  currency?: string
  /** The shopper's sentences in the shop's own language. */
  messages?: Partial<Messages>
}

export interface PlayerConnection {
  /** Stops answering and aborts what is under way. Connect again at any time. */
  disconnect(): void
}

/** An answer before it is put into the SDK's own constants. */
type Answer = Omit<ActionAnswer, "status"> & { status: ActionStatus }

type Perform = (action: SvcAction, payload: unknown, sdk: SvcSdk) => Promise<Answer>

// A page has one shopper and one basket. The SDK has no way to take a handler back, so handlers
// are registered once per SDK and ask who is connected now: connecting again (a page that mounts
// twice, another market) replaces, and never registers twice.
let connected: Perform | undefined
const greeted = new WeakSet<SvcSdk>()

function greet(sdk: SvcSdk): void {
  if (greeted.has(sdk)) {
    return
  }
  greeted.add(sdk)
  for (const action of ACTIONS) {
    sdk.registerAction(sdk.actions[action], async (payload) => {
      const { status, ...answer } = await (connected ?? refuse)(action, payload, sdk)
      return { ...answer, status: sdk.actionStatuses[status] }
    })
  }
}

const refuse: Perform = async () => ({ status: "FAILURE", message: defaultMessages.disconnected })

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
  if (typeof window === "undefined") {
    return { disconnect() {} }
  }
  const stop = new AbortController()
  const perform = createPerform(options, stop.signal)
  connected = perform
  joinReadyQueue(greet)
  return {
    disconnect() {
      stop.abort()
      if (connected === perform) {
        connected = undefined
      }
    },
  }
}

function createPerform(options: PlayerOptions, stop: AbortSignal): Perform {
  const messages = { ...defaultMessages, ...options.messages }
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  // The deadline is the whole action's, so a request in it must not end sooner by its own.
  const store = { ...options, timeoutMs }
  let last: Promise<unknown> = Promise.resolve()

  const handlers: Record<
    SvcAction,
    (payload: unknown, signal: AbortSignal, sdk: SvcSdk) => Promise<Answer>
  > = {
    async SOME_CHECKOUT(payload, signal, sdk) {
      const progress = overlay(sdk)
      const translated = translate(payload, messages, 1)
      progress.step(1)
      const answer = await write("some-checkout", translated, signal)
      progress.done()
      const target = sameOrigin(translated.redirectUrl, location.href)
      if (target && answer.status !== "FAILURE") {
        follow(target)
      }
      return answer
    },

    async UPDATE_CART_CONTENTS(payload, signal) {
      const translated = translate(payload, messages, 0)
      return write("update-cart-contents", translated, signal)
    },

    async GET_CART_CONTENTS(_payload, signal) {
      const basket = await contents(signal)
      return basket
        ? { ...basket, status: basket.status ?? "SUCCESS" }
        : { status: "SUCCESS", products: [], total: 0, currency: options.currency }
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

  /** The basket's contents, or null where there is no basket: looking makes none. */
  async function contents(signal: AbortSignal): Promise<StoreContents | null> {
    const id = await options.getCartId("read")
    if (!id) {
      return null
    }
    try {
      const path = `/store/carts/${idSegment(id)}/svc/cart-contents`
      return await storeRequest<StoreContents>(store, path, undefined, signal)
    } catch (error) {
      if (isGone(error)) {
        return null
      }
      throw error
    }
  }

  async function write(
    route: "some-checkout" | "update-cart-contents",
    translated: Translated,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (translated.sent.length === 0) {
      return {
        status: "FAILURE",
        message: messages.rejected,
        failedProducts: translated.failed,
      }
    }
    const body: StoreBody = {
      ...translated.source,
      products: translated.sent.map(({ product }) => product),
      ...(translated.clearCart && { clear_cart: true }),
    }
    const post = (id: string | null | undefined) => {
      if (!id) {
        throw new StoreError("gone", "The shop gave no basket")
      }
      return storeRequest<StoreAnswer>(
        store,
        `/store/carts/${idSegment(id)}/svc/${route}`,
        body,
        signal,
      )
    }
    const id = await options.getCartId("write")
    const answer = await post(id).catch(async (error: unknown) => {
      // A basket dies when it is ordered in another tab or cleaned away. Once is enough: a second
      // loss is not the basket's fault.
      if (!isGone(error)) {
        throw error
      }
      const fresh = await options.getCartId("renew")
      if (fresh === id) {
        throw error
      }
      return post(fresh)
    })
    if (answer.cart) {
      tell(() => options.onCartChanged?.(answer.cart as StoreCart))
    }
    const failed = failedProducts(answer, translated, messages)
    return {
      // What could not be read here never reached the store, whose SUCCESS knows nothing of it.
      status: answer.status === "SUCCESS" && failed.length > 0 ? "PARTIAL" : answer.status,
      message: answer.message ?? (answer.status === "FAILURE" ? messages.rejected : undefined),
      ...(failed.length > 0 && { failedProducts: failed }),
    }
  }

  function follow(url: string): void {
    tell(() => (options.redirect ? options.redirect(url) : location.assign(url)))
  }

  // One at a time: two writes at once would race for the basket, a read in between would show half
  // of it, and a basket page opened before the write is done would lack the product.
  return (action, payload, sdk) => {
    const answer = last
      .then(() => withDeadline(timeoutMs, (signal) => handlers[action](payload, signal, sdk), stop))
      .catch((error: unknown): Answer => {
        const known = error instanceof StoreError
        if (!known) {
          reportError(error)
        }
        return { status: "FAILURE", message: messages[known ? error.kind : "broken"] }
      })
    last = answer
    return answer
  }
}

const isGone = (error: unknown) => error instanceof StoreError && error.kind === "gone"

/** Runs the shop's own callback. Its mistake belongs in the shop's console, not in the player. */
function tell(callback: () => unknown): void {
  try {
    Promise.resolve(callback()).catch(reportError)
  } catch (error) {
    reportError(error)
  }
}

/** The overlay over a social checkout; a player without one, or one that fails, changes nothing. */
function overlay(sdk: SvcSdk): { step(step: number): void; done(): void } {
  const { progress } = sdk
  tell(() => progress?.plan({ totalSteps: 2, msPerStep: 600 }))
  return {
    step: (step) => tell(() => progress?.set({ step })),
    done: () => tell(() => progress?.set({ percent: 100 })),
  }
}
