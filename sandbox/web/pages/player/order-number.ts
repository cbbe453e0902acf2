/**
 * The order number of this shopper's cart (interface §2.3): asked for once per campaign and kept for
 * the browser session, so that a reload goes on with the same one.
 */

type Kept = { orderNo: string; used: boolean }
type Options = { pageUid: string; campaignUid: string; issue: () => Promise<string> }
export type OrderNumber = ReturnType<typeof createOrderNumber>

export function createOrderNumber({ pageUid, campaignUid, issue }: Options) {
  const key = `svc:order:${pageUid}:${campaignUid}`
  let inHand = read()
  let asking: Promise<string> | undefined

  // Storage throws where the browser blocks it; memory alone will do then.
  function read(): Kept | null {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? "null")
    } catch {
      return null
    }
  }

  function keep(value: Kept | null): void {
    inHand = value
    try {
      if (value) sessionStorage.setItem(key, JSON.stringify(value))
      else sessionStorage.removeItem(key)
    } catch {
      // Kept in memory.
    }
  }

  async function ask(): Promise<string> {
    try {
      const orderNo = await issue()
      keep({ orderNo, used: false })
      return orderNo
    } finally {
      asking = undefined
    }
  }

  return {
    /** The number, issued now if there is none. */
    async get(): Promise<string> {
      if (inHand) return inHand.orderNo
      asking ??= ask()
      return asking
    },

    /** The number, or undefined while none was needed. */
    peek: (): string | undefined => inHand?.orderNo,

    /**
     * Notes how many lines of the show the shop's cart holds. One that had some and has none without the
     * player's doing was ordered or emptied by the shop: its number is spent and the next cart gets its own,
     * so that no number ends up on two orders (gap 49). The shop's own lines say nothing of that: they may
     * be the first of the next cart.
     */
    sawCart({ lines, emptiedHere }: { lines: number; emptiedHere: boolean }): void {
      if (!inHand) return
      if (lines > 0 && !inHand.used) keep({ ...inHand, used: true })
      else if (lines === 0 && inHand.used) keep(emptiedHere ? { ...inHand, used: false } : null)
    },
  }
}
