/** What the player asks of the service: the show, an order number, and word of changes. */

import type { ChangedThing } from "../../../store/changes"
import type { Show } from "../../player-api"

export type { Show }
export type Product = Show["products"][number]
export type Variant = Product["variants"][number]

/** What a show is made of, and what decides whether it sells; orders and deliveries do not concern it. */
const OF_A_SHOW: ChangedThing[] = ["events", "event_products", "campaigns", "clock", "profiles"]

type Ids = { pageUid?: string | undefined; campaignUid?: string | undefined }

/** @param base  the service's address, with a slash at its end */
export function createService(base: string) {
  async function ask<T>(path: string, body?: object): Promise<T | null> {
    const response = await fetch(new URL(path, base), {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      credentials: "omit",
      signal: AbortSignal.timeout(10_000),
    })
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }

  return {
    /** @returns null where there is no such show, or none is running */
    loadShow({ pageUid, campaignUid }: Ids): Promise<Show | null> {
      const query = new URLSearchParams()
      if (pageUid) query.set("page_uid", pageUid)
      if (campaignUid) query.set("campaign_uid", campaignUid)
      return ask(`player-api/show?${query}`)
    },

    /** A new order number for this shopper's cart. */
    async issueOrderNumber({ pageUid, campaignUid }: Ids): Promise<string> {
      const ids = { page_uid: pageUid, campaign_uid: campaignUid }
      const answer = await ask<{ order_no?: string }>("player-api/checkout", ids)
      if (!answer?.order_no) throw new Error("player-api/checkout gave no order number")
      return answer.order_no
    },

    /** Calls `onChange` whenever a show changed, and after a lost connection is back. */
    followShows(onChange: () => void): void {
      const stream = new EventSource(new URL("player-api/stream", base))
      let lost = false
      stream.addEventListener("changed", ({ data }) => {
        const { what }: { what: ChangedThing[] } = JSON.parse(data)
        if (what.some((thing) => OF_A_SHOW.includes(thing))) onChange()
      })
      stream.addEventListener("error", () => {
        lost = true
      })
      stream.addEventListener("open", () => {
        if (lost) onChange()
        lost = false
      })
    },
  }
}
