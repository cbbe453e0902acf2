/** The sandbox's referee against the store's receiver: every rule of the interface that a receiver can break. */
import { check, type ShopState } from "../../../sandbox/index"
import { KEY, type WebhooksShop } from "./shop"

export function describeReferee(shop: WebhooksShop): void {
  const { get, hookUrl, keyIsKnown, pasteKey } = shop

  describe("before the referee", () => {
    beforeEach(keyIsKnown)

    /** What an admin sees, as the referee asks for it. */
    async function state(): Promise<ShopState> {
      const { live_events } = await get("/live-events?limit=200")
      const found: ShopState = { events: [], products: [] }
      for (const { id, event_id, name, deleted_at, product_count } of live_events) {
        found.events.push({ id: event_id, name, deleted: deleted_at !== null })
        // Most of the many shows that the referee tells of have none.
        if (product_count === 0) continue
        const { live_event } = await get(`/live-events/${id}`)
        for (const product of live_event.products) {
          const { uid, price, deleted_at: removed } = product
          found.products.push({ uid, price, deleted: removed !== null })
        }
      }
      return found
    }

    it("breaks no rule of the interface", async () => {
      const { findings } = await check({
        url: hookUrl(),
        key: KEY,
        patienceMs: 120_000,
        shop: {
          state,
          setKey: async (key) => {
            expect((await pasteKey(key)).status).toBe(200)
          },
        },
      })
      expect(findings.filter(({ verdict }) => verdict === "broken")).toEqual([])
      // The test store is reached over plain http.
      expect(
        findings.filter(({ verdict }) => verdict === "undecided").map(({ rule }) => rule),
      ).toEqual(["is-https"])
    })
  })
}
