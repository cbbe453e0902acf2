import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { SvcError } from "../../src/client"
import { SVC_MODULE, type SvcModuleService } from "../../src/modules/svc"
import { afterFailure } from "../../src/modules/svc/shared/backoff"
import { describeStore } from "../setup/medusa"

const TOKEN = "tok-5c1e-NEVER-STORED-PLAIN"

describeStore(({ getContainer }) => {
  describe("a connection whose service is unwell", () => {
    let server: Server
    let answer: { status: number; body: string } = { status: 200, body: "" }
    let calls = 0
    let svc: SvcModuleService
    let id: string

    beforeAll(async () => {
      server = createServer((req, res) => {
        req.resume()
        req.on("end", () => {
          calls += 1
          res.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    })
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })
    beforeEach(async () => {
      svc = getContainer().resolve(SVC_MODULE)
      const created = await svc.createSvcConnections({
        name: "Denmark",
        page_uid: "page-1",
        base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        sales_channel_id: "sc_1",
        region_id: "reg_1",
        storefront_url: "https://shop.example.com",
      })
      id = created.id
      await svc.updateSvcConnections({ id, ...svc.sealToken(id, TOKEN) })
      calls = 0
    })

    const report = () => svc.calls.inBackground(id, (client) => client.processOrder("o-1", "key"))
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
    const longAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

    it("is left alone after five failures in a row, whatever characters its answers hold", async () => {
      for (let times = 0; times < 5; times++) {
        // A NUL, and a character that our cut at 500 would halve: a row that cannot be written loses the reason.
        expect((await failure(503, `a\u0000${"x".repeat(497)}\ud83d\ude00`)).status).toBe(503)
      }
      expect(await failure(503)).toMatchObject({ code: "svc_paused", failure: "retry" })
      expect(calls).toBe(5)
      const connection = await svc.connection(id)
      expect(connection.last_error).toMatchObject({ code: "svc_unavailable" })
      expect(JSON.stringify(connection)).not.toContain(TOKEN)
    })

    it("is well as soon as it answers, also where it refuses that one request", async () => {
      for (let times = 0; times < 4; times++) await failure(503)
      expect(await failure(422)).toMatchObject({ failure: "dead" })
      for (let times = 0; times < 4; times++) {
        expect((await failure(503)).code).toBe("svc_unavailable")
      }
      expect(calls).toBe(9)
    })

    it("is closed for good by a probe that was answered, if only by a refusal", async () => {
      for (let times = 0; times < 5; times++) await failure(503)
      await svc.updateSvcConnections({ id, breaker_open_until: longAgo(1) })
      expect(await failure(404)).toMatchObject({ failure: "dead" })
      expect(await svc.connection(id)).toMatchObject({
        breaker_failures: 0,
        breaker_open_until: null,
      })
      answer = { status: 200, body: "" }
      await expect(report()).resolves.toBeUndefined()
    })

    it("sends one probe when its pause is over, however many ask at once", async () => {
      for (let times = 0; times < 5; times++) await failure(503)
      await svc.updateSvcConnections({ id, breaker_open_until: longAgo(1) })
      answer = { status: 503, body: "{}" }
      const results = await Promise.allSettled(Array.from({ length: 8 }, report))
      expect(calls).toBe(6)
      expect(results.filter(({ status }) => status === "rejected")).toHaveLength(8)
    })

    it("never has its work given up while its token is refused, for days if it must be", async () => {
      expect(await failure(401)).toMatchObject({ failure: "broken" })
      const heldBack = await failure(401)
      expect(calls).toBe(1)
      expect(heldBack).toMatchObject({ code: "svc_unauthorized", failure: "broken" })
      const verdict = afterFailure({
        error: heldBack,
        attempts: 200,
        failingForMs: 72 * 3_600_000,
        random: 0.5,
      })
      expect(verdict.kind).toBe("retry")
    })

    it("gives work that waited for a new token a day of its own", async () => {
      const attribution = await svc.createSvcAttributions({
        order_id: "order_1",
        connection_id: id,
        campaign_uid: "c1",
        svc_order_no: "o-1",
        state: "waiting",
        currency_code: "dkk",
        units: 1,
        gross: 100,
        placed_at: longAgo(72),
        failing_since: longAgo(71),
        next_attempt_at: new Date(Date.now() + 60_000),
      })
      const item = await svc.createSvcCatalogItems({
        connection_id: id,
        product_id: "prod_1",
        title: "Mug",
        failing_since: longAgo(71),
        next_attempt_at: new Date(Date.now() + 60_000),
      })
      await svc.connections.resume(id, null)
      expect(await svc.retrieveSvcAttribution(attribution.id)).toMatchObject({
        failing_since: null,
        next_attempt_at: null,
      })
      expect(await svc.retrieveSvcCatalogItem(item.id)).toMatchObject({
        failing_since: null,
        next_attempt_at: null,
      })
    })

    it("keeps its token to itself: encrypted in the row, bound to the row", async () => {
      const { api_token } = await svc.connection(id)
      expect(api_token).toMatch(/^v1\.test\./)
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
        svc.calls.inBackground(other.id, (client) => client.processOrder("o-1", "key")),
      ).rejects.toMatchObject({ code: "svc_unauthorized", failure: "broken" })
      expect(calls).toBe(0)
    })
  })
})
