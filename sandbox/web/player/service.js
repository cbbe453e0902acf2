/** What the player asks of the service: the show, an order number, and word of changes. */

/**
 * @typedef {object} Variant
 * @property {string} external_id the shop's variant id
 * @property {string} sku
 * @property {string[]} names one per option, for example `["M", "Blue"]`
 * @property {number} [price] in major units; the product's where it is missing
 *
 * @typedef {object} Product a product of the show (interface §2.7)
 * @property {string} uid the event product's
 * @property {string} external_id the shop's product id
 * @property {string} sku
 * @property {string} name
 * @property {string | null} image
 * @property {number} price the show's price, in major units
 * @property {number} suggested_retail_price
 * @property {boolean} available
 * @property {number} [min_purchase_qty]
 * @property {number} [max_qty_per_customer]
 * @property {number} [default_quantity_to_add]
 * @property {Variant[]} [variants]
 *
 * @typedef {object} Show
 * @property {{ id: string, campaign_uid: string, page_uid: string, name: string, status: string, cover: string, currency: string }} event
 * @property {Product[]} products
 */

/** What a show is made of; orders and deliveries change it not. */
const OF_A_SHOW = new Set(["events", "event_products", "campaigns"])

/** @param {string} base the service's address, with a slash at its end */
export function createService(base) {
  async function ask(path, body) {
    const response = await fetch(new URL(path, base), {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      credentials: "omit",
      signal: AbortSignal.timeout(10_000),
    })
    if (response.status === 404) {
      return null
    }
    if (!response.ok) {
      throw new Error(`${path} answered ${response.status}`)
    }
    return response.json()
  }

  return {
    /** @returns {Promise<Show | null>} null where there is no such show, or none is running */
    loadShow({ pageUid, campaignUid }) {
      const query = new URLSearchParams()
      pageUid && query.set("page_uid", pageUid)
      campaignUid && query.set("campaign_uid", campaignUid)
      return ask(`player-api/show?${query}`)
    },

    /** A new order number for this shopper's basket. */
    async issueOrderNumber({ pageUid, campaignUid }) {
      const answer = await ask("player-api/checkout", {
        page_uid: pageUid,
        campaign_uid: campaignUid,
      })
      if (!answer?.order_no) {
        throw new Error("player-api/checkout gave no order number")
      }
      return answer.order_no
    },

    /**
     * Calls `onChange` whenever a show changed, and after a lost connection is back.
     * @param {string | null} campaignUid null: any show
     */
    followShows(campaignUid, onChange) {
      const url = new URL("player-api/stream", base)
      campaignUid && url.searchParams.set("campaign_uid", campaignUid)
      const stream = new EventSource(url)
      let lost = false
      stream.addEventListener("changed", ({ data }) => {
        JSON.parse(data).what.some((thing) => OF_A_SHOW.has(thing)) && onChange()
      })
      stream.addEventListener("error", () => {
        lost = true
      })
      stream.addEventListener("open", () => {
        lost && onChange()
        lost = false
      })
    },
  }
}
