/**
 * The browser SDK as a shop meets it (gap 39): a ready queue, four actions (interface §4.6), three
 * statuses, and the progress of the overlay.
 */

export const ACTIONS = Object.freeze({
  SOME_CHECKOUT: "SOME_CHECKOUT",
  UPDATE_CART_CONTENTS: "UPDATE_CART_CONTENTS",
  GET_CART_CONTENTS: "GET_CART_CONTENTS",
  OPEN_CART: "OPEN_CART",
})

export const STATUSES = Object.freeze({
  SUCCESS: "SUCCESS",
  PARTIAL: "PARTIAL",
  FAILURE: "FAILURE",
})

/** How long a handler may take before the shopper is told that the shop does not answer. */
const HANDLER_MS = 30_000

/**
 * @typedef {object} Answer what an action came to
 * @property {"SUCCESS" | "PARTIAL" | "FAILURE" | "UNREGISTERED"} status
 * @property {string} [message]
 * @property {{ product: any, errorMessage: string }[]} [failedProducts]
 * @property {any[]} [products] GET_CART_CONTENTS only
 * @property {number} [total] GET_CART_CONTENTS only
 * @property {string} [currency] GET_CART_CONTENTS only
 */

/**
 * @param {object} listeners
 * @param {(action: string) => void} listeners.onRegister
 * @param {(plan: { totalSteps: number, msPerStep: number }) => void} listeners.onPlan
 * @param {(at: { percent: number } | { step: number }) => void} listeners.onProgress
 */
export function createSdk({ onRegister, onPlan, onProgress }) {
  const handlers = new Map()

  const sdk = Object.freeze({
    actions: ACTIONS,
    actionStatuses: STATUSES,
    registerAction(action, handler) {
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
  })

  /**
   * Calls the shop's handler. Never throws: a handler that throws, hangs or answers nonsense is a
   * FAILURE to the shopper and an explanation in the console to the developer.
   *
   * @param {keyof typeof ACTIONS} action
   * @param {object} [payload]
   * @returns {Promise<Answer>}
   */
  async function run(action, payload) {
    const handler = handlers.get(action)
    if (!handler) {
      return { status: "UNREGISTERED" }
    }
    try {
      const answer = await within(HANDLER_MS, async () => handler(payload))
      if (answer && Object.hasOwn(STATUSES, answer.status)) {
        return answer
      }
      console.error(
        `svc player: the handler of ${action} must answer {status: sdk.actionStatuses.SUCCESS | PARTIAL | FAILURE}, but answered`,
        answer,
      )
    } catch (error) {
      console.error(`svc player: the handler of ${action} failed.`, error)
    }
    return { status: STATUSES.FAILURE, message: "The shop could not do this. Please try again." }
  }

  return { sdk, run, isRegistered: (action) => handlers.has(action) }
}

async function within(ms, work) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Calls every entry of `window.onSvcReady` with the SDK, those to come included. The array stays
 * the page's own: a shop may have kept it.
 */
export function openReadyQueue(sdk) {
  const queue = Array.isArray(window.onSvcReady) ? window.onSvcReady : []
  const call = (entry) => {
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
