import { SvcError } from "../../../src/client"
import type { SvcModuleService } from "../../../src/modules/svc"
import { type HttpServer, serve } from "../../setup/http-server"
import type { OperationsShop } from "./shop"

const TOKEN = "tok-5c1e-NEVER-STORED-PLAIN"

export function describeOutage(shop: OperationsShop): void {
  describe("a connection whose service is unwell", () => {
    let server: HttpServer
    let answer: { status: number; body: string } = { status: 200, body: "" }
    let retryAfter: string | undefined
    let calls = 0
    let svc: SvcModuleService
    let id: string

    beforeAll(async () => {
      server = await serve((req, res) => {
        req.resume()
        req.on("end", () => {
          calls += 1
          const headers = { ...(retryAfter ? { "retry-after": retryAfter } : {}) }
          res
            .writeHead(answer.status, { "content-type": "application/json", ...headers })
            .end(answer.body)
        })
      })
    })
    afterAll(() => server.stop())
    beforeEach(async () => {
      svc = shop.svc()
      const created = await svc.createSvcConnections({
        name: "Denmark",
        page_uid: "page-1",
        base_url: server.url,
        sales_channel_id: "sc_1",
        region_id: "reg_1",
        storefront_url: "https://shop.example.com",
      })
      id = created.id
      // It has been checked before: only a check proves a token.
      await svc.updateSvcConnections({
        id,
        ...svc.sealToken(id, TOKEN),
        token_accepted_at: new Date(),
      })
      calls = 0
      retryAfter = undefined
    })

    const report = () =>
      svc.connections.calls.inBackground(id, "orders", (client) =>
        client.processOrder("o-1", "key"),
      )
    const failure = async (status: number, body = "{}"): Promise<SvcError> => {
      answer = { status, body }
      try {
        await report()
      } catch (error) {
        if (error instanceof SvcError) return error
        throw error
      }
      throw new Error("the call did not fail")
    }
    const listEvents = () =>
      svc.connections.calls.inBackground(id, "listings", (client) =>
        client.listEvents("live", { limit: 1, offset: 0 }),
      )
    const holdsEnded = async () => {
      for (const hold of await svc.listSvcHolds({})) {
        await svc.updateSvcHolds({ id: hold.id, until: longAgo(1) })
      }
    }
    const longAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

    it.each([403, 410])(
      "has one endpoint left alone that answers so, and tells at the others what is to be told: %i",
      async (status) => {
        answer = { status, body: "{}" }
        await expect(listEvents()).rejects.toMatchObject({ failure: "endpoint", status })
        await expect(listEvents()).rejects.toMatchObject({ code: "svc_paused" })
        expect(calls).toBe(1)
        answer = { status: 200, body: "" }
        await expect(report()).resolves.toBeUndefined()
        expect(await svc.connections.holds.list()).toMatchObject([
          { connection_id: id, endpoint: "listings", failures: 1 },
        ])
        // It says what is missing, and the connection is as well as before.
        const [hold] = await svc.connections.holds.list()
        expect(hold?.reason).toMatchObject(
          status === 403
            ? { code: "svc_forbidden", message: expect.stringContaining("list live events") }
            : { code: "svc_endpoint_closed" },
        )
        expect(await svc.connection(id)).toMatchObject({ status: "active", last_error: null })

        await holdsEnded()
        answer = { status: 200, body: "[]" }
        await expect(listEvents()).resolves.toBeDefined()
        expect(await svc.listSvcHolds({})).toEqual([])
      },
    )

    it("has as much patience as it asks for, at once, and no more of a probe than its answer says", async () => {
      retryAfter = "120"
      await failure(429)
      expect(await failure(429)).toMatchObject({ code: "svc_paused" })
      const [hold] = await svc.connections.holds.list()
      expect(hold?.ms).toBeGreaterThan(100_000)
      // A person's attempt neither waits nor ends the wait where it fails.
      answer = { status: 503, body: "{}" }
      retryAfter = undefined
      await svc.connections.calls
        .now(id, "orders", (client) => client.processOrder("o-1", "key"))
        .catch(() => undefined)
      expect((await svc.connections.holds.list())[0]?.ms).toBeGreaterThan(100_000)
    })

    it("makes work due at once that waited for a new token", async () => {
      const attribution = await svc.createSvcAttributions({
        order_id: "order_1",
        connection_id: id,
        page: "",
        campaign_uid: "c1",
        svc_order_no: "o-1",
        state: "waiting",
        currency_code: "dkk",
        placed_at: longAgo(72),
        next_attempt_at: new Date(Date.now() + 60_000),
      })
      const item = await svc.createSvcCatalogItems({
        connection_id: id,
        product_id: "prod_1",
        title: "Mug",
        next_attempt_at: new Date(Date.now() + 60_000),
      })
      await svc.connections.rows.resume(id, null)
      expect(await svc.retrieveSvcAttribution(attribution.id)).toMatchObject({
        next_attempt_at: null,
      })
      expect(await svc.retrieveSvcCatalogItem(item.id)).toMatchObject({
        next_attempt_at: null,
      })
    })

    it("keeps its token to itself: encrypted in the row, bound to the row", async () => {
      const { api_token } = await svc.connection(id)
      expect(api_token).toMatch(/^v1\.new\./)
      expect(api_token).not.toContain(TOKEN)
      const other = await svc.createSvcConnections({
        name: "Germany",
        page_uid: "page-2",
        base_url: "http://127.0.0.1:1",
        sales_channel_id: "sc_1",
        region_id: "reg_1",
        storefront_url: "https://shop.example.com",
        api_token,
      })
      await expect(
        svc.connections.calls.inBackground(other.id, "orders", (client) =>
          client.processOrder("o-1", "key"),
        ),
      ).rejects.toMatchObject({ code: "secret_unreadable", failure: "broken" })
      expect(calls).toBe(0)
    })
  })
}
