/**
 * The order number of this shopper's basket (interface §2.3): asked for once per campaign and kept
 * for the browser session, so that a reload goes on with the same one.
 */

/**
 * @param {object} options
 * @param {string} options.pageUid
 * @param {string} options.campaignUid
 * @param {() => Promise<string>} options.issue
 * @param {Pick<Storage, "getItem" | "setItem" | "removeItem">} [options.storage]
 */
export function createOrderNumber({ pageUid, campaignUid, issue, storage = sessionStorage }) {
  const key = `svc:order:${pageUid}:${campaignUid}`
  let inHand = read()
  let asking = null

  // Storage throws where the browser blocks it; memory alone will do then.
  function read() {
    try {
      return JSON.parse(storage.getItem(key) ?? "null")
    } catch {
      return null
    }
  }

  function keep(value) {
    inHand = value
    try {
      value ? storage.setItem(key, JSON.stringify(value)) : storage.removeItem(key)
    } catch {}
  }

  return {
    /** The number, issued now if there is none. @returns {Promise<string>} */
    get() {
      if (inHand) {
        return Promise.resolve(inHand.orderNo)
      }
      asking ??= issue()
        .then((orderNo) => {
          keep({ orderNo, used: false })
          return orderNo
        })
        .finally(() => {
          asking = null
        })
      return asking
    },

    /** The number, or null while none was needed. @returns {string | null} */
    peek: () => inHand?.orderNo ?? null,

    /**
     * Notes what the shop's basket holds. A basket that was full and is empty without the player's
     * doing was ordered or thrown away by the shop: its number is spent, and the next basket gets
     * its own, so that no number ends up on two orders (gap 49).
     */
    sawBasket({ lines, emptiedHere }) {
      if (!inHand) {
        return
      }
      if (lines > 0 && !inHand.used) {
        keep({ ...inHand, used: true })
      } else if (lines === 0 && inHand.used) {
        keep(emptiedHere ? { ...inHand, used: false } : null)
      }
    },
  }
}
