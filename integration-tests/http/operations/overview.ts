/** The overview: shows of several connections are judged at once, each by what its own connection knows. */
import type { OperationsShop } from "./shop"

export function describeOverview(shop: OperationsShop): void {
  const { ask, knex } = shop

  describe("the overview", () => {
    it("judges each show's products by its own connection and its own campaign", async () => {
      const { connectionId, salesChannelId, regionId } = shop.denmark
      const made = await ask("post", "/admin/svc/connections", {
        name: "Another market",
        page_uid: "another-page",
        base_url: shop.sandbox.url,
        api_token: "another-token",
        sales_channel_id: salesChannelId,
        region_id: regionId,
        storefront_url: "http://127.0.0.1:8000",
      })
      const other: string = made.data.connection.id
      const now = new Date()
      const yesterday = new Date(now.getTime() - 86_400_000)
      const shows = [
        { name: "sells", connection_id: connectionId, campaign_uid: "same", deadline: null },
        { name: "failed there", connection_id: other, campaign_uid: "same", deadline: null },
        { name: "over", connection_id: connectionId, campaign_uid: "over", deadline: yesterday },
      ]
      const told = {
        occurred_at: now,
        rank: 1,
        hash: "h",
        sightings: "[]",
        alive_at: now,
        data: "{}",
      }
      await knex()("svc_live_event").insert(
        shows.map((show, n) => ({
          ...show,
          ...told,
          id: `svcev_${n}`,
          event_id: `event-${show.campaign_uid}`,
          kind: "live",
          status: "planned",
          is_published: true,
        })),
      )
      await knex()("svc_event_product").insert(
        shows.map(({ connection_id, campaign_uid }, n) => ({
          ...told,
          id: `svcevp_${n}`,
          connection_id,
          campaign_uid,
          uid: "product",
          kind: "live",
          external_id: "prod_in_shows",
          price: 99,
          raw_price: { value: "99" },
          variants: "[]",
        })),
      )
      await knex()("svc_catalog_item").insert(
        [connectionId, other].map((connection_id) => ({
          id: `svcprod_${connection_id}`,
          connection_id,
          product_id: "prod_in_shows",
          state: connection_id === other ? "failed" : "synced",
          acknowledged: 1,
        })),
      )
      const { status, data } = await ask("get", "/admin/svc/overview")
      expect(status).toBe(200)
      const notReady = data.current_shows.map((show: Record<string, unknown>) => [
        show.name,
        show.product_count,
        show.not_ready,
      ])
      expect(
        Object.fromEntries(notReady.map(([name, ...counts]: unknown[]) => [name, counts])),
      ).toEqual({
        sells: [1, 0],
        "failed there": [1, 1],
        over: [1, 1],
      })
    })
  })
}
