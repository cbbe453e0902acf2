import { workPulls } from "../../../src/workflows/shows"
import { attribution } from "../../setup/attribution"
import { deliver, envelope, liveEvent } from "../../setup/deliveries"
import { MONITORING_TOKEN, type OperationsShop } from "./shop"

export function describeMetrics(shop: OperationsShop): void {
  describe("metrics", () => {
    const { api, ask, knex, svc } = shop
    const read = (authorization?: string) =>
      api.get("/hooks/svc/metrics", {
        headers: authorization === undefined ? {} : { authorization },
        validateStatus: () => true,
      })
    const metrics = async () => (await read(`Bearer ${MONITORING_TOKEN}`)).data as string

    it("are there for whoever has the token, and for nobody where none is set", async () => {
      const good = await read(`Bearer ${MONITORING_TOKEN}`)
      expect([good.status, good.headers["content-type"]]).toEqual([
        200,
        "text/plain; charset=utf-8; version=0.0.4",
      ])
      for (const wrong of [
        undefined,
        "",
        "Bearer",
        `Bearer ${MONITORING_TOKEN}x`,
        MONITORING_TOKEN,
      ])
        expect((await read(wrong)).status).toBe(401)
      // The admin's key is not this token.
      expect((await ask("get", "/hooks/svc/metrics")).status).toBe(401)
      svc().options.monitoringToken = undefined
      expect((await read(`Bearer ${MONITORING_TOKEN}`)).status).toBe(404)
    })

    it("say how far work lags, what was refused, and what is held", async () => {
      const { connectionId } = shop.denmark
      await ask("post", `/admin/svc/connections/${connectionId}/webhook/key`, {
        signature_key: "key",
      })
      // A first key has the listings read, and each answer says that the token is good.
      await workPulls(shop.getContainer())
      const url = `${shop.storeUrl}/hooks/svc/${connectionId}`
      const refused = await deliver({
        url,
        key: "wrong",
        headers: { "x-svc-page-uid": "demo-page" },
        body: envelope("live_event.created", liveEvent("e")),
      })
      expect(refused.status).toBe(401)
      await knex()("svc_connection").update({
        name: 'Denmark "north"',
      })
      await knex()("svc_hold").insert({
        id: "svchold_1",
        connection_id: connectionId,
        endpoint: "orders",
        failures: 5,
        until: new Date(Date.now() + 60_000),
        reason_code: "svc_timeout",
        reason_message: "It did not answer.",
        reason_fix: "Nothing to do.",
      })
      await knex()("svc_attribution").insert(
        attribution(connectionId, "old", {
          state: "waiting",
          placed_at: new Date(Date.now() - 3_600_000),
          next_attempt_at: new Date(Date.now() + 3_600_000),
        }),
      )
      const text = await metrics()
      expect(text).toMatch(/^svc_health_status [12]$/m)
      expect(text).toMatch(/^svc_queue_depth\{queue="orders"\} 1$/m)
      expect(text).toMatch(/^svc_queue_lag_seconds\{queue="deliveries"\} 0$/m)
      const [, age] = /^svc_oldest_unreported_order_seconds (\S+)$/m.exec(text) ?? []
      expect(Number(age)).toBeGreaterThanOrEqual(3_600)
      expect(text).toContain(
        `svc_deliveries_refused_total{connection="${connectionId}",reason="wrong_key",status="401"} 1`,
      )
      expect(text).toContain(`svc_endpoint_held{connection="${connectionId}",endpoint="orders"} 1`)
      expect(text).toContain(
        `svc_connection_active{connection="${connectionId}",name="Denmark \\"north\\""} 1`,
      )
      // One failed call is no refused token.
      const isActive = async () => /^svc_connection_active\{.*\} (\d)$/m.exec(await metrics())?.[1]
      const connection = shop.knex()("svc_connection").where({ id: connectionId })
      await connection.clone().update({ status: "broken" })
      expect(await isActive()).toBe("1")
      await connection.clone().update({ token_refused: true })
      expect(await isActive()).toBe("0")
      // What Prometheus reads: every line is a comment or a sample.
      for (const line of text.trimEnd().split("\n"))
        expect(line).toMatch(/^(# (HELP|TYPE) svc_\w+ .+|svc_\w+(\{.*\})? -?[\d.e+-]+)$/)
    })
  })

  describe("one id for one flow", () => {
    const { api, svc } = shop
    /** Ids that the service was sent, the latest first. */
    const sent = async () =>
      (await shop.sandbox.client.journal.find({ order: "desc", limit: 10 })).entries.map(
        ({ request }) => request.headers["x-request-id"],
      )
    const check = (id?: string) =>
      api.post(
        `/admin/svc/connections/${shop.denmark.connectionId}/check`,
        {},
        { headers: { ...shop.denmark.admin.headers, ...(id ? { "x-request-id": id } : {}) } },
      )

    it("is the caller's, is answered, reaches the service, and stands in the log of the call", async () => {
      const debug = jest.spyOn(shop.getContainer().resolve("logger"), "debug")
      const answer = await check("order-42.trace_7")
      expect(answer.headers["x-request-id"]).toBe("order-42.trace_7")
      expect(await sent()).toContain("order-42.trace_7")
      const lines = debug.mock.calls.map(([line]) => String(line))
      // Others may call at the same time.
      const line =
        lines.find((text) => text.startsWith("svc: call ") && text.includes("order-42")) ?? ""
      expect(JSON.parse(line.slice("svc: call ".length))).toEqual({
        connection_id: shop.denmark.connectionId,
        request_id: "order-42.trace_7",
        what: "list the webhooks",
        method: "GET",
        path: "/api/v1/webhooks",
        status: 200,
        duration_ms: expect.any(Number),
      })
      debug.mockRestore()
    })

    it("is made where none was sent, or one that would break a log", async () => {
      const ids: string[] = []
      for (const given of [undefined, "two words", "x".repeat(200)]) {
        const answer = await check(given)
        ids.push(answer.headers["x-request-id"])
        expect(await sent()).toContain(answer.headers["x-request-id"])
      }
      expect(new Set(ids).size).toBe(3)
      for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
      const before = await sent()
      await svc().connections.calls.now(shop.denmark.connectionId, "webhooks", (client) =>
        client.listWebhooks(),
      )
      const made = (await sent()).filter((id) => !before.includes(id))
      expect(made.length).toBeGreaterThan(0)
      for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    })
  })
}
