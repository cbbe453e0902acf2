/** What a section is given to draw and act with. */
import { ApiError } from "./api.js"

/**
 * @typedef {object} Page an account of the service
 * @property {string} uid
 * @property {string} name
 * @property {string} api_token
 * @property {string} currency
 * @property {{ rate: number, included: boolean }} vat
 *
 * @typedef {object} Context
 * @property {Page} page the page that is looked at
 * @property {Page[]} pages
 * @property {any} clock as `GET /_sandbox/clock` answers
 * @property {Record<string, any>} local what a section remembers while it is open
 * @property {(patch: Record<string, any>) => void} set changes `local`
 * @property {() => number} now the sandbox's time, ms
 * @property {(key: string) => boolean} isBusy
 * @property {(key: string) => string | undefined} errorOf
 * @property {(key: string, work: () => unknown, done?: string) => Promise<void>} act
 * @property {(text: string, tone?: "good" | "bad") => void} tell
 */

/** How long a word at the bottom of the page stays. */
const TOAST_MS = { good: 2500, bad: 8000 }

/** @param {{ onChange: () => void, reload: () => Promise<void> }} options */
export function createContext({ onChange, reload }) {
  const busy = new Set()
  const errors = new Map()
  let nextToast = 0

  const ctx = {
    pages: [],
    page: null,
    clock: null,
    clockSeenAt: 0,
    connected: true,
    local: {},
    /** @type {{ id: number, text: string, tone: "good" | "bad" }[]} */
    toasts: [],

    set(patch) {
      Object.assign(ctx.local, patch)
      onChange()
    },

    now() {
      if (!ctx.clock) {
        return Date.now()
      }
      return ctx.clock.now + (ctx.clock.running ? Date.now() - ctx.clockSeenAt : 0)
    },

    isBusy: (key) => busy.has(key),
    errorOf: (key) => errors.get(key),
    clearErrors: () => errors.clear(),

    async act(key, work, done) {
      busy.add(key)
      errors.delete(key)
      onChange()
      try {
        const result = await work()
        await reload()
        if (done && result !== false) {
          ctx.tell(done)
        }
      } catch (error) {
        console.error(error)
        const text =
          error instanceof ApiError ? error.message : `That did not work: ${error.message}`
        errors.set(key, text)
        ctx.tell(text, "bad")
      } finally {
        busy.delete(key)
        onChange()
      }
    },

    tell(text, tone = "good") {
      const toast = { id: nextToast++, text, tone }
      ctx.toasts = [...ctx.toasts.slice(-2), toast]
      onChange()
      setTimeout(() => {
        ctx.toasts = ctx.toasts.filter((one) => one !== toast)
        onChange()
      }, TOAST_MS[tone])
    },
  }
  return ctx
}
