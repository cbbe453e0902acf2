/**
 * The browser SDK as a shop meets it (gap 39): a ready queue, four actions (interface §4.6), three
 * statuses, and the progress of the overlay.
 */

const ACTIONS = Object.freeze({
  SOME_CHECKOUT: "SOME_CHECKOUT",
  UPDATE_CART_CONTENTS: "UPDATE_CART_CONTENTS",
  GET_CART_CONTENTS: "GET_CART_CONTENTS",
  OPEN_CART: "OPEN_CART",
})
export type Action = keyof typeof ACTIONS

const STATUSES = Object.freeze({ SUCCESS: "SUCCESS", PARTIAL: "PARTIAL", FAILURE: "FAILURE" })

/** A product as a shop names it back to us: any of the usual spellings. */
export type NamedProduct = {
  product_id?: string
  productId?: string
  external_id?: string
  variant_id?: string | null
  variantId?: string | null
  name?: string
  sku?: string
}

/** A cart line as the shop tells it (gap 42). */
export type ShopLine = {
  product_id: string
  variant_id: string | null
  sku: string | null
  name: string
  quantity: number
  unit_price: number
  total: number
  image: string | null
  url: string | null
  in_campaign: boolean
}

/** What an action came to. `products`, `total` and `currency` are of GET_CART_CONTENTS. */
export type Answer = {
  status: keyof typeof STATUSES | "UNREGISTERED"
  message?: string
  failedProducts?: { product?: NamedProduct; errorMessage?: string; code?: string }[]
  products?: ShopLine[]
  total?: number
  currency?: string
}

export type ProductChange = {
  action?: "add" | "change" | "remove"
  product_id: string
  variant_id?: string
  sku?: string
  quantity: number
}
/** What an action is called with (gaps 40, 41 and 43). */
export type Payload = {
  campaignUid?: string
  pageUid?: string
  orderNo?: string
  products?: ProductChange[]
  clear_cart?: boolean
  redirect_url?: string
}
export type Handler = (payload: Payload) => Answer | Promise<Answer>
export type Plan = { totalSteps?: number; msPerStep?: number }
export type Reached = { percent?: number; step?: number }
export type Sdk = ReturnType<typeof createSdk>["sdk"]

/** A product of the show, by its ids in the shop. */
export type Spot = { product_id?: string; variant_id?: string }

type Listeners = {
  onOpen: (spot?: Spot) => void
  onRegister: (action: Action) => void
  onPlan: (plan: Plan) => void
  onProgress: (reached: Reached) => void
}

/** How long a handler may take before the shopper is told that the shop does not answer. */
const HANDLER_MS = 30_000

export function createSdk({ onOpen, onRegister, onPlan, onProgress }: Listeners) {
  const handlers = new Map<Action, Handler>()

  const sdk = Object.freeze({
    actions: ACTIONS,
    actionStatuses: STATUSES,
    registerAction(action: Action, handler: Handler): void {
      // A shop's script is not type-checked.
      if (!Object.hasOwn(ACTIONS, action)) {
        throw new TypeError(`svc player: there is no action "${String(action)}"; see sdk.actions`)
      }
      if (typeof handler !== "function") {
        throw new TypeError(`svc player: the handler of ${action} must be a function`)
      }
      handlers.set(action, handler)
      onRegister(action)
    },
    progress: Object.freeze({ plan: onPlan, set: onProgress }),
    /** For a button of the shop's own; at a product of the show where one is named. */
    openPlayer: onOpen,
  })

  /**
   * Calls the shop's handler. Never throws: a handler that throws, hangs or answers nonsense is a
   * FAILURE to the shopper and an explanation in the console to the developer.
   */
  async function run(action: Action, payload: Payload): Promise<Answer> {
    const handler = handlers.get(action)
    if (!handler) return { status: "UNREGISTERED" }
    try {
      const answer = await within(HANDLER_MS, async () => handler(payload))
      if (answer && Object.hasOwn(STATUSES, answer.status)) return answer
      console.error(
        `svc player: the handler of ${action} must answer {status: sdk.actionStatuses.SUCCESS | PARTIAL | FAILURE}, but answered`,
        answer,
      )
    } catch (error) {
      console.error(`svc player: the handler of ${action} failed.`, error)
    }
    return { status: "FAILURE", message: "The shop could not do this. Please try again." }
  }

  return { sdk, run, isRegistered: (action: Action) => handlers.has(action) }
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

type ReadyEntry = (sdk: Sdk) => void

declare global {
  interface Window {
    onSvcReady?: ReadyEntry[]
  }
}

/**
 * Calls every entry of `window.onSvcReady` with the SDK, those to come included. The array stays
 * the page's own: a shop may have kept it.
 */
export function openReadyQueue(sdk: Sdk): void {
  const queue = Array.isArray(window.onSvcReady) ? window.onSvcReady : []
  const call = (entry: ReadyEntry) => {
    try {
      entry(sdk)
    } catch (error) {
      console.error("svc player: an entry of window.onSvcReady failed.", error)
    }
  }
  const waiting = queue.splice(0)
  queue.push = (...entries) => {
    entries.forEach(call)
    return 0
  }
  window.onSvcReady = queue
  waiting.forEach(call)
}
