import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  transform,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import reconcileWebhooks from "../../src/jobs/reconcile-webhooks"
import { SVC_MODULE } from "../../src/modules/svc"
import { declaredConnection } from "../../src/modules/svc/connections/declared-connections"
import { declaredConnectionId } from "../../src/modules/svc/connections/declared-id"
import SvcModuleService from "../../src/modules/svc/service"
import { workCatalog } from "../../src/workflows/catalog"
import {
  checkUnheard,
  createConnectionWorkflow,
  updateConnectionWorkflow,
} from "../../src/workflows/connections"
import { workPulls } from "../../src/workflows/shows"
import { pasteWebhookKeyWorkflow } from "../../src/workflows/webhooks"
import { attribution } from "../setup/attribution"
import { connectMarket, seedShop, variantsOf } from "../setup/connected-market"
import { deliver, envelope, liveEvent } from "../setup/deliveries"
import { gate } from "../setup/gate"
import { serve } from "../setup/http-server"
import { untilWaiting } from "../setup/locks"
import { eventually, type Market, runShow } from "../setup/market"
import { describeStore } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"

const TOKEN = "sandbox-token-demo-page"
const any = { validateStatus: () => true }

const failStep = createStep("test-fail", async () => {
  throw new Error("a later step of the merchant's own workflow failed")
})
/** A merchant's workflow that runs two of ours and then fails. */
const changeAndFail = createWorkflow(
  "test-change-and-fail",
  (input: { id: string; storefront_url: string; api_token: string; signature_key: string }) => {
    updateConnectionWorkflow.runAsStep({
      input: transform({ input }, ({ input: { signature_key: _, ...changes } }) => changes),
    })
    pasteWebhookKeyWorkflow.runAsStep({
      input: transform({ input }, ({ input: { id, signature_key } }) => ({
        connection_id: id,
        signature_key,
      })),
    })
    failStep()
    return new WorkflowResponse(input)
  },
)

describeStore(({ api, getContainer, storeUrl }) => {
  describe("connections", () => {
    let sandbox: RunningSandbox
    let market: Market

    beforeAll(async () => {
      sandbox = await startSandbox()
      await seedShop(getContainer())
      market = await connectMarket(api, getContainer(), sandbox, "denmark")
    })
    afterAll(() => sandbox.stop())

    const svc = () => getContainer().resolve(SVC_MODULE)
    const knex = () => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
    const read = async (id = market.connectionId) =>
      (await api.get(`/admin/svc/connections/${id}`, market.admin)).data.connection
    const post = (path: string, body: unknown = {}) =>
      api.post(`/admin/svc/connections${path}`, body, { ...market.admin, ...any })
    const settings = (changes: Record<string, unknown> = {}) => ({
      name: "Second",
      page_uid: "second-page",
      base_url: sandbox.url,
      api_token: "another-token",
      sales_channel_id: market.salesChannelId,
      region_id: market.regionId,
      storefront_url: "http://127.0.0.1:8000/",
      ...changes,
    })

    it("checks what a store's own code hands to the workflows as it checks what comes by a route", async () => {
      const { connectionId } = market
      const update = (input: object) =>
        updateConnectionWorkflow(getContainer()).run({ input: { id: connectionId, ...input } })
      const paste = (signature_key: string) =>
        pasteWebhookKeyWorkflow(getContainer()).run({
          input: { connection_id: connectionId, signature_key },
        })
      for (const run of [
        () => update({ catalog: { country_code: "DNK" } }),
        () => update({ catalog: { pushes: false } }),
        () => update({ report_settings: { report_on: "never" } }),
        () => update({ api_token: "a token\nof two lines" }),
        () => paste("a key\nof two lines"),
      ]) {
        await expect(run()).rejects.toMatchObject({ code: "invalid_request" })
      }
      const { catalog } = await read()
      const { result } = await update({ catalog: { locale: "da-DK" } })
      expect(result.catalog).toMatchObject({ push: true, locale: "da-DK", exclude: null })
      await update({ catalog })
    })

    it("keeps settings that a change does not name, also one that nobody can read, until null puts all of them back", async () => {
      const id = market.connectionId
      const change = async (body: object) => (await post(`/${id}`, body)).data.connection
      const exclude = { metadata: { live: "no" } }
      await change({
        catalog: { locale: "da-DK", exclude },
        report_settings: { needs_consent: true },
      })
      expect(
        await change({
          catalog: { country_code: "dk" },
          report_settings: { report_on: "payment_captured" },
        }),
      ).toMatchObject({
        catalog: { push: true, locale: "da-DK", country_code: "dk", include: null, exclude },
        report_settings: { needs_consent: true, report_on: "payment_captured" },
      })
      const unreadable = { brand_ids: ["b"] }
      await knex()("svc_connection")
        .where({ id })
        .update({ catalog: { push: true, exclude: unreadable } })
      expect((await change({ catalog: { locale: "de-DE" } })).catalog).toMatchObject({
        locale: "de-DE",
        exclude: unreadable,
      })
      expect(await change({ catalog: null, report_settings: null })).toMatchObject({
        catalog: null,
        report_settings: {},
      })
    })

    it("keeps both of two settings that two people save at the same moment", async () => {
      const id = market.connectionId
      const first = await knex().transaction()
      await first("svc_connection").where({ id }).forUpdate()
      const saved = [
        post(`/${id}`, { catalog: { locale: "da-DK" } }),
        post(`/${id}`, { catalog: { country_code: "dk" } }),
      ]
      await untilWaiting(knex(), 2)
      await first.commit()
      expect((await Promise.all(saved)).map(({ status }) => status)).toEqual([200, 200])
      expect((await svc().connection(id)).catalog).toMatchObject({
        locale: "da-DK",
        country_code: "dk",
      })
      expect((await post(`/${id}`, { catalog: null })).status).toBe(200)
    })

    it("hands what a store's own code keeps of it to that code, and is not made or changed where that fails", async () => {
      const heard: unknown[] = []
      const [known] = await knex()("product_sales_channel")
        .where({ sales_channel_id: market.salesChannelId, deleted_at: null })
        .select("product_id AS id")
      const hear = async (told: { additional_data?: Record<string, unknown> }) => {
        if (told.additional_data) heard.push(told)
        if (told.additional_data?.team === "none") {
          // Somebody else saves another field, and stays.
          await knex()("svc_connection")
            .where({ id: market.connectionId })
            .update({ promotions: "exclude" })
          const push = { base: {}, changes: { push: false } }
          await svc().connections.rows.write(market.connectionId, {}, { catalog: push })
          // And a product of its channel changes.
          await svc().catalog.marks.mark([known.id])
          throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "There is no such team.")
        }
      }
      createConnectionWorkflow.hooks.connectionCreated(hear)
      updateConnectionWorkflow.hooks.connectionUpdated(hear)
      const name = async () => (await read()).name
      const before = await name()
      const none = { additional_data: { team: "none" } }

      const refused = await post("", settings(none))
      expect([refused.status, refused.data.message]).toEqual([400, "There is no such team."])
      expect(await svc().listSvcConnections({ page_uid: "second-page" })).toEqual([])
      for (const table of ["svc_catalog_item", "svc_connection_work", "svc_hold"]) {
        const rows = await knex()(table).pluck("connection_id")
        expect([table, rows.filter((id) => id !== market.connectionId)]).toEqual([table, []])
      }
      await post(`/${market.connectionId}`, { catalog: null })
      const lost = { name: "Lost", catalog: { locale: "da-DK" } }
      const kept = await post(`/${market.connectionId}`, { ...lost, ...none })
      expect([kept.status, await name()]).toEqual([400, before])
      const { promotions, catalog } = await read()
      expect([promotions, catalog.push, catalog.locale]).toEqual(["exclude", false, undefined])
      await post(`/${market.connectionId}`, { catalog: null })
      // Nor does it leave its page, whose webhook could not be had back.
      await post(`/${market.connectionId}/webhook`)
      const webhooks = () => svc().listSvcWebhooks({ connection_id: market.connectionId })
      const [registered] = await webhooks()
      const elsewhere = sandbox.url.replace("127.0.0.1", "localhost")
      const moved = { base_url: elsewhere, api_token: market.apiToken, ...none }
      expect((await post(`/${market.connectionId}`, moved)).status).toBe(400)
      expect((await read()).base_url).toBe(sandbox.url)
      expect((await webhooks())[0]?.webhook_uid).toBe(registered?.webhook_uid)
      expect(registered?.webhook_uid).toBeTruthy()

      expect((await post(`/${market.connectionId}`, { promotions: "allow" })).status).toBe(200)
      const additional_data = { team: "north" }
      const { data, status } = await post("", settings({ additional_data }))
      expect(status).toBe(200)
      expect(data.connection).not.toHaveProperty("additional_data")
      await post(`/${market.connectionId}`, { additional_data })
      expect(heard.slice(3)).toEqual([
        { connection_id: data.connection.id, additional_data },
        { connection_id: market.connectionId, additional_data },
      ])
      await api.delete(`/admin/svc/connections/${data.connection.id}`, market.admin)
      await api.delete(`/admin/svc/connections/${market.connectionId}/webhook`, market.admin)
    })

    it("names the webhook that is left at the service where a connection leaves its page or is deleted", async () => {
      const { connectionId: id, apiToken: api_token } = await connectMarket(
        api,
        getContainer(),
        sandbox,
        "europe",
      )
      const register = async () => {
        const { data } = await post(`/${id}/webhook`)
        return { webhook_uid: data.webhook.webhook_uid, url: data.webhook.url }
      }
      const fails = () =>
        sandbox.control("/faults", { on: "webhooks", kind: "status", status: 500 })
      const first = await register()
      await fails()
      const elsewhere = { base_url: sandbox.url.replace("127.0.0.1", "localhost"), api_token }
      const moved = await post(`/${id}`, elsewhere)
      expect(moved.data).toMatchObject({
        connection: { id, base_url: elsewhere.base_url },
        webhook_left: { ...first, code: "svc_unavailable", message: expect.any(String) },
      })
      await sandbox.endFaults()
      const second = await register()
      expect((await post(`/${id}`, { name: "Stays" })).data.webhook_left).toBeNull()
      await fails()
      const deleted = await api.delete(`/admin/svc/connections/${id}`, market.admin)
      expect(deleted.data).toMatchObject({
        id,
        deleted: true,
        webhook_left: { ...second, code: "svc_unavailable" },
      })
      await sandbox.endFaults()
    })

    /** Also where a test fails: the store waits for its requests before it ends. */
    const ends: (() => unknown)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    it("leaves its old page also where the process that moves it is killed before that", async () => {
      const service = await startSandbox()
      ends.push(service.stop)
      const there = await connectMarket(api, getContainer(), service, "europe")
      const { connectionId: id, apiToken: api_token, pageUid: page_uid } = there
      const register = async () => (await post(`/${id}/webhook`)).data.webhook.webhook_uid
      const atTheService = async () => {
        const { subscribers } = await service.client.subscribers.list()
        return subscribers.flatMap(({ uid, url }) => (url.includes(id) ? uid : []))
      }
      const kept = (table: string) => knex()(table).where({ connection_id: id })
      /** The process that moves it stands still behind its row, as one that is killed there, until it is let go. */
      const killedInMove = async (base_url: string) => {
        const standstill = gate()
        ends.push(standstill.open)
        const { rows } = svc().connections
        jest.spyOn(rows, "resume").mockImplementationOnce(() => standstill.opened.then(() => false))
        const saving = post(`/${id}`, { base_url, api_token })
        await eventually(
          async () => (await svc().connection(id)).base_url,
          (seen) => seen === base_url,
        )
        return {
          goesOn: async () => {
            standstill.open()
            return (await saving).data
          },
        }
      }
      const minutesPass = async () => {
        await knex().raw(
          `UPDATE svc_connection SET left_page = left_page || '{"at": "2026-01-01T00:00:00Z"}' WHERE id = ?`,
          [id],
        )
        await reconcileWebhooks(getContainer())
      }
      const away = "http://127.0.0.1:9"

      await register()
      await service.control("/events", { page_uid, kind: "live", name: "Of the old page" })
      await eventually(
        () => kept("svc_live_event"),
        (shows) => shows.length > 0,
      )
      const moving = await killedInMove(away)
      // It may be at work, and answers what the service has not removed.
      await reconcileWebhooks(getContainer())
      expect(await atTheService()).toHaveLength(1)
      await minutesPass()
      expect(await atTheService()).toEqual([])
      for (const table of ["svc_webhook", "svc_delivery", "svc_live_event"]) {
        expect(await kept(table)).toEqual([])
      }
      expect(await svc().connection(id)).toMatchObject({ base_url: away, left_page: null })
      expect(await moving.goesOn()).toMatchObject({ webhook_left: null })

      // A webhook that is registered behind it is the new page's, and stays.
      await post(`/${id}`, { base_url: service.url, api_token })
      const before = await register()
      const again = await killedInMove(service.url.replace("127.0.0.1", "localhost"))
      const webhook_uid = await register()
      expect(webhook_uid).not.toBe(before)
      await minutesPass()
      expect(await again.goesOn()).toMatchObject({ webhook_left: null })
      expect(await atTheService()).toEqual([webhook_uid])
      expect(await kept("svc_webhook")).toMatchObject([{ webhook_uid }])

      // Whoever saves it once more, or deletes it, leaves the page as well.
      const saved = await killedInMove(away)
      expect((await post(`/${id}`, { base_url: away, api_token })).data.webhook_left).toBeNull()
      expect(await atTheService()).toEqual([])
      await saved.goesOn()
      await post(`/${id}`, { base_url: service.url, api_token })
      await register()
      const deleted = await killedInMove(away)
      const { data } = await api.delete(`/admin/svc/connections/${id}`, market.admin)
      expect(data).toMatchObject({ id, deleted: true, webhook_left: null })
      expect(await atTheService()).toEqual([])
      await deleted.goesOn()
    })

    it("keeps no token that is saved while somebody deletes it", async () => {
      const { data } = await post("", settings({ page_uid: "deleted-page" }))
      const { id } = data.connection
      const row = () => knex()("svc_connection").where({ id }).first<{ api_token: string | null }>()
      // As `forget` does it, and it has not ended yet.
      const deletion = await knex().transaction()
      await deletion("svc_connection")
        .where({ id })
        .update({ api_token: null, deleted_at: new Date() })
      const save = post(`/${id}`, { api_token: "a-token-that-came-late" })
      await untilWaiting(knex(), 1, { like: 'update "svc_connection" set%"api_token"%' })
      await deletion.commit()
      const answer = await save
      expect([answer.status, answer.data.code]).toEqual([404, "connection_not_found"])
      expect(await row()).toMatchObject({ api_token: null })
    })

    it("is good only where the service has accepted its token: it is asked as the connection is saved", async () => {
      const of = (answer: { data: { connection: Record<string, unknown> } }) =>
        answer.data.connection
      const wrong = of(await post("", settings()))
      expect(wrong).toMatchObject({
        status: "broken",
        last_error: { code: "svc_unauthorized" },
        last_check: { ok: false, reason: { code: "svc_unauthorized" } },
      })
      const closed = of(
        await post("", settings({ page_uid: "closed", base_url: "http://127.0.0.1:9" })),
      )
      expect(closed).toMatchObject({
        status: "broken",
        last_check: { ok: false, reason: { code: "svc_unreachable" } },
      })
      // A web server that is not the service: it answers, and knows nothing of the address.
      const other = of(
        await post("", settings({ page_uid: "other", base_url: `${sandbox.url}/not-the-service` })),
      )
      expect(other).toMatchObject({ status: "broken", last_check: { ok: false } })

      const good = { api_token: TOKEN, base_url: sandbox.url }
      const id = market.connectionId
      expect(of(await post(`/${id}`, { api_token: "wrong" }))).toMatchObject({ status: "broken" })
      // Another token is another question: the answer to the old one must not be shown for it.
      expect(of(await post(`/${id}`, { api_token: "wrong as well" }))).toMatchObject({
        status: "broken",
        last_check: { ok: false },
      })
      const mended = of(await post(`/${id}`, good))
      expect(mended).toMatchObject({ status: "active", last_check: { ok: true, reason: null } })
      expect(mended.checked_at).toBe((mended.last_check as { at: string }).at)
      // A name needs no check, and the last one stays.
      expect(of(await post(`/${id}`, { name: "Renamed" })).last_check).toEqual(mended.last_check)
    })

    it("is not checked yet before anybody asked, and is asked when a process starts", async () => {
      const row = await svc().createSvcConnections({
        ...settings({ page_uid: "unasked" }),
        ...svc().sealToken("svccon_unasked", TOKEN),
        id: "svccon_unasked",
      })
      expect(await read(row.id)).toMatchObject({ status: "unchecked", last_check: null })
      await checkUnheard(getContainer())
      expect(await read(row.id)).toMatchObject({ status: "active", last_check: { ok: true } })
      // The clock of the process that asked last was wrong.
      const wrong = "2099-01-01T00:00:00.000Z"
      await knex()("svc_connection")
        .where({ id: row.id })
        .update({ last_check: { at: wrong, ok: true, duration_ms: 1, reason: null } })
      await checkUnheard(getContainer())
      expect((await read(row.id)).last_check.at).not.toBe(wrong)
    })

    it("refuses what cannot be read with a code, and takes no sign for a wildcard", async () => {
      const headers = { ...market.admin.headers, "content-type": "application/json" }
      const raw = (body: string, type = "application/json", path = "") =>
        api.post(`/admin/svc/connections${path}`, body, {
          ...any,
          headers: { ...headers, "content-type": type },
          transformRequest: (data: string) => data,
        })
      const get = (path: string) => api.get(`/admin/svc${path}`, { ...market.admin, ...any })
      const answers = [
        await raw("{bad"),
        await raw(JSON.stringify({ name: "x".repeat(110_000) })),
        await raw('{"name": "a\\u0000b"}'),
        await raw("name=x", "application/x-www-form-urlencoded"),
        await api.post("/store/carts/cart_x/svc/some-checkout", "{", {
          ...any,
          headers: { ...market.store.headers, "content-type": "application/json" },
          transformRequest: (data: string) => data,
        }),
        await get("/connections/a%00b"),
        await get("/products?connection_id=%00"),
        await get("/deliveries?surprise=1"),
        await get("/products/reasons?state=%00"),
        await get("/products/shows?product_id=a%00"),
        await get("/orders/campaigns?campaign_uid=%00"),
        await raw(
          '{"catalog": {"include": {"metadata": {"k": "\\ud800"}}}}',
          undefined,
          `/${market.connectionId}`,
        ),
      ]
      // What is counted by an id of a path is kept in memory: no id is as long.
      const long = await get(`/connections/${"a".repeat(2_100)}`)
      expect([long.status, long.data.message]).toEqual([
        404,
        "There is nothing under this address.",
      ])
      expect(answers.map(({ status, data }) => [status, data.type, data.code])).toEqual([
        [400, "invalid_data", "invalid_request"],
        [413, "invalid_data", "body_too_large"],
        [400, "invalid_data", "invalid_request"],
        [415, "invalid_data", "not_plain_json"],
        [400, "invalid_data", "invalid_request"],
        [404, "not_found", "not_found"],
        ...Array(6).fill([400, "invalid_data", "invalid_request"]),
      ])
      expect((await get("/connections?q=%25")).data).toMatchObject({ connections: [], count: 0 })
      expect((await get("/connections?offset=5")).data).toMatchObject({ connections: [], count: 1 })
    })

    it("is refused with a code and a sentence where it cannot be, and no token is repeated", async () => {
      const refused: [Record<string, unknown>, number, string][] = [
        [{ page_uid: "demo-page" }, 409, "connection_exists"],
        // Whichever of the two sold, half of the taps would be the other's.
        [{ page_uid: "demo-page", base_url: `${sandbox.url}/staging` }, 409, "connection_exists"],
        [{ base_url: "https://a:b@c.example" }, 400, "invalid_url"],
        [{ sales_channel_id: "sc_gone" }, 400, "sales_channel_not_found"],
        [{ region_id: "reg_gone" }, 400, "region_not_found"],
        [{ api_token: "" }, 400, "invalid_request"],
        [{ api_token: "another-token\n2" }, 400, "invalid_request"],
        [{ page_uid: "../x" }, 400, "invalid_request"],
        [{ surprise: 1 }, 400, "invalid_request"],
        // The path of a product would be a part of the query.
        [{ storefront_url: "https://shop.example/da?currency=dkk" }, 400, "invalid_request"],
      ]
      for (const [changes, status, code] of refused) {
        const answer = await post("", settings(changes))
        expect([changes, answer.status, answer.data.code]).toEqual([changes, status, code])
        expect(answer.data.message.length).toBeGreaterThan(20)
        expect(JSON.stringify(answer.data)).not.toContain("another-token")
      }
    })

    it("is made once, however often Save is pressed and however the address is written", async () => {
      const twice = { page_uid: "twice" }
      const answers = await Promise.all([
        post("", settings(twice)),
        post("", settings({ ...twice, base_url: `${sandbox.url.replace("http", "HTTP")}/` })),
      ])
      expect(answers.map(({ status, data }) => [status, data.code]).sort()).toEqual([
        [200, undefined],
        [409, "connection_exists"],
      ])
    })

    it("takes a page that another one takes at the same moment as it takes one that another has", async () => {
      const created = [
        await post("", settings({ page_uid: "one" })),
        await post("", settings({ page_uid: "two" })),
      ]
      const ids: string[] = created.map(({ data }) => data.connection.id)
      // Both have looked for a twin by then, and found none.
      const other = await knex().transaction()
      await other("svc_connection").whereIn("id", ids).forUpdate().select("id")
      const moving = Promise.all(ids.map((id) => post(`/${id}`, { page_uid: "wanted" })))
      await untilWaiting(knex(), 2)
      await other.commit()
      const answers = await moving
      expect(answers.map(({ status, data }) => [status, data.code]).sort()).toEqual([
        [200, undefined],
        [409, "connection_exists"],
      ])
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.data.message).toMatch(/^The page "wanted" is connected already by "Second"/)
    })

    /** A connection as the options of a store declare it: of the market's page, unless it says otherwise. */
    const declaredAs = (changes: { name: string } & Record<string, unknown>) =>
      declaredConnection.parse({
        pageUid: market.pageUid,
        baseUrl: sandbox.url,
        apiToken: TOKEN,
        salesChannelId: market.salesChannelId,
        regionId: market.regionId,
        storefrontUrl: "http://127.0.0.1:8000",
        ...changes,
      })

    type Declared = ReturnType<typeof declaredAs>
    /** What a process with this list does. */
    const processOf = async <T>(list: Declared[], work: () => Promise<T>): Promise<T> => {
      const before = svc().options.connections
      svc().options.connections = list
      try {
        return await work()
      } finally {
        svc().options.connections = before
      }
    }
    const declare = (...list: Declared[]) => processOf(list, () => svc().adoptDeclaredConnections())
    /** What it does each minute. */
    const keep = (...list: Declared[]) =>
      processOf(list, () => SvcModuleService.prototype.keepDeclaredConnections.call(svc()))
    /** No process has said for a while that it has a connection in its list. */
    const elevenMinutesPass = () =>
      knex()("svc_connection").update({ declared_at: new Date(Date.now() - 11 * 60_000) })
    const nobodyDeclares = async () => {
      await elevenMinutesPass()
      await declare()
    }

    it("that is declared in code takes over the one made by hand, is read-only, and is switched off but kept when its declaration goes", async () => {
      const own = `/${market.connectionId}`
      const declared = declaredAs({ name: "Declared" })
      await processOf([declared], async () => {
        await svc().adoptDeclaredConnections()
        expect(await read()).toMatchObject({
          name: "Declared",
          managed_by: "environment",
          api_token: { configured: true },
        })
        const refused = [
          await post(own, { name: "Mine" }),
          await api.delete(`/admin/svc/connections${own}`, { ...market.admin, ...any }),
        ]
        for (const answer of refused) {
          expect([answer.status, answer.data.code]).toEqual([400, "connection_read_only"])
        }
        expect((await post(`${own}/check`)).data.check.ok).toBe(true)
      })
      await pasteWebhookKeyWorkflow(getContainer()).run({
        input: { connection_id: market.connectionId, signature_key: "kept" },
      })
      const announced = async () => {
        const { data } = await api.get("/store/svc/live-events", market.store)
        return data.live_events.map(({ event_id }: { event_id: string }) => event_id)
      }
      await deliver({
        url: `${storeUrl}/hooks/svc/${market.connectionId}`,
        key: "kept",
        body: envelope("live_event.created", liveEvent("e-known"), { pageUid: market.pageUid }),
      })
      await eventually(announced, (ids) => ids.length === 1)
      await nobodyDeclares()
      // A slip in the configuration: nothing is lost, and the first page says what happened.
      expect(await read()).toMatchObject({
        managed_by: "admin",
        status: "undeclared",
        last_error: { code: "undeclared", fix: expect.stringMatching(/Declare it again/) },
      })
      // No basket gets a price of its shows: the shop says nothing of them.
      expect(await announced()).toEqual([])
      // A check cannot ask anybody without a token, and must not hide why.
      await post(`${own}/check`)
      expect(await read()).toMatchObject({
        status: "undeclared",
        last_error: { code: "undeclared" },
      })
      expect(
        await deliver({
          url: `${storeUrl}/hooks/svc/${market.connectionId}`,
          key: "kept",
          body: envelope("live_event.created", liveEvent("e-kept"), { pageUid: market.pageUid }),
        }),
      ).toMatchObject({ status: 200 })
      expect(await svc().listSvcWebhooks({ connection_id: market.connectionId })).toMatchObject([
        { signature_key: expect.any(String) },
      ])
      // Declared again it is the same connection, at the same address for the service.
      await processOf([declared], async () => {
        await svc().adoptDeclaredConnections()
        expect(await read()).toMatchObject({
          id: market.connectionId,
          managed_by: "environment",
          // Or "active" at once, where a job has called the service meanwhile.
          status: expect.stringMatching(/^(unchecked|active)$/),
        })
        expect((await post(`${own}/check`)).data.connection.status).toBe("active")
      })
      // Or the merchant takes it over with a token.
      await nobodyDeclares()
      expect((await post(own, { api_token: TOKEN })).data.connection).toMatchObject({
        status: "active",
        managed_by: "admin",
      })
      // A page has one connection in a sales channel: declared at another address, it is this one.
      const baseUrl = `${sandbox.url}/moved`
      await declare(declaredAs({ name: "Declared", baseUrl }))
      expect(await read()).toMatchObject({ base_url: baseUrl, managed_by: "environment" })
    })

    it("whose declaration is gone keeps its work, says why it waits, and is looked at no more than one that is held", async () => {
      const id = market.connectionId
      const declared = declaredAs({ name: "Declared" })
      const syncOf = async () => (await api.get(path("/sync"), market.admin)).data.sync
      const path = (rest: string) => `/admin/svc/connections/${id}${rest}`
      await processOf([declared], async () => {
        await svc().adoptDeclaredConnections()
        await post(`/${id}/sync`)
        await eventually(syncOf, ({ status }) => status === "completed")
      })
      await nobodyDeclares()
      await workCatalog(getContainer())
      const reading = jest.spyOn(svc().catalog.storeProducts, "read")
      const [mug] = await variantsOf(getContainer(), "havn-mug")
      await api.post(`/admin/products/${mug?.product_id}`, { title: "Edited" }, market.admin)
      const waiting = () =>
        knex()("svc_catalog_item").where({ connection_id: id }).whereRaw("wanted > acknowledged")
      await eventually(waiting, (rows) => rows.length === 1)
      // An edit of a product that was just sent waits for a moment.
      await waiting().update({ next_attempt_at: null })
      for (const _ of [1, 2, 3]) await workCatalog(getContainer())
      expect(reading.mock.calls.length).toBeLessThanOrEqual(1)
      reading.mockRestore()
      expect((await syncOf()).reason).toMatchObject({ code: "undeclared" })

      await waiting().update({ updated_at: new Date(Date.now() - 600_000) })
      const { problems } = (await api.get("/admin/svc/health", { ...market.admin, ...any })).data
        .health
      const codes = problems.map(({ code }: { code: string }) => code)
      expect(codes).toEqual(["undeclared", "webhook_not_registered"])
    })

    it("that is declared in code has the address that its name gives it, also after it was deleted or moved to another page", async () => {
      const name = "Denmark in code"
      const id = declaredConnectionId(name)
      const named = async () =>
        (await api.get("/admin/svc/connections?order=created_at", market.admin)).data.connections
          .filter((one: { name: string }) => one.name === name)
          .map((one: Record<string, string>) => [one.id, one.page_uid, one.status])
      const remove = () => api.delete(`/admin/svc/connections/${id}`, { ...market.admin, ...any })
      await declare(declaredAs({ name, pageUid: "named-page" }))
      await nobodyDeclares()
      expect(await named()).toEqual([[id, "named-page", "undeclared"]])
      const deleted = await remove()
      expect([deleted.status, deleted.data.deleted]).toEqual([200, true])
      expect(await named()).toEqual([])
      // What said which store it was connected by is gone with it: this one may have another address by now.
      await knex()("svc_connection").where({ id }).update({ store_host: "before.example.com" })
      // The service still has the old address: declared again, it is answered again.
      await declare(declaredAs({ name, pageUid: "named-page" }))
      expect(await named()).toEqual([[id, "named-page", "unchecked"]])
      expect((await svc().connection(id)).store_host).toBeNull()
      // A page that was mistyped is no other connection.
      await declare(declaredAs({ name, pageUid: "right-page" }))
      expect(await named()).toEqual([[id, "right-page", "unchecked"]])
      // Deleted, and its page is somebody else's by the time that it is declared at another one.
      await nobodyDeclares()
      await remove()
      expect((await post("", settings({ page_uid: "right-page" }))).status).toBe(200)
      await declare(declaredAs({ name, pageUid: "third-page" }))
      expect(await read(id)).toMatchObject({ page_uid: "third-page", managed_by: "environment" })
    })

    it("that is declared in code stays so while a process with an older list starts beside the others", async () => {
      const newer = declaredAs({ name: "Declared" })
      const check = () => processOf([newer], async () => post(`/${market.connectionId}/check`))
      await declare(newer)
      await check()
      const good = { status: "active", managed_by: "environment", last_error: null }
      expect(await read()).toMatchObject(good)

      await declare()
      expect(await read()).toMatchObject(good)
      expect((await check()).data.check.ok).toBe(true)

      // While one process has it, it stays; ten minutes after the last one has ended it is switched off.
      await processOf([newer], elevenMinutesPass)
      await keep(newer)
      await keep()
      expect(await read()).toMatchObject(good)
      await elevenMinutesPass()
      await keep()
      expect(await read()).toMatchObject({ status: "undeclared", managed_by: "admin" })
      // One that has it after all, and could not say so, takes it back.
      await keep(newer)
      expect(await read()).toMatchObject({ status: "unchecked", managed_by: "environment" })
    })

    it("that is declared in code is the newer list's once the process with the older one, which was started again meanwhile, has ended", async () => {
      const name = "Rolled"
      const id = declaredConnectionId(name)
      const older = declaredAs({ name, pageUid: "older-page" })
      const newer = declaredAs({ name, pageUid: "newer-page" })
      const page = async () => {
        const { page_uid, managed_by } = await read(id)
        return [page_uid, managed_by]
      }
      for (const list of [older, newer, older]) await declare(list)
      // Both run: neither takes it from the other.
      for (const list of [newer, older, newer]) await keep(list)
      expect(await page()).toEqual(["older-page", "environment"])
      await elevenMinutesPass()
      await keep(newer)
      expect(await page()).toEqual(["newer-page", "environment"])
      // Somebody with neither switched it off meanwhile.
      await declare(older)
      await nobodyDeclares()
      await keep(newer)
      expect(await page()).toEqual(["newer-page", "environment"])
      // What a person has deleted stays deleted.
      await svc().connections.rows.forget([id])
      await keep(newer)
      expect(await svc().connections.rows.find(id)).toBeNull()
    })

    it("that is declared in code with other settings has them once the process with the older ones has ended", async () => {
      const name = "Set in code"
      const id = declaredConnectionId(name)
      const older = declaredAs({ name, pageUid: "set-page" })
      const newer = declaredAs({
        name,
        pageUid: "set-page",
        pricesIncludeVat: false,
        promotions: "exclude",
        reports: { on: "payment_captured" },
        catalog: { exclude: { metadata: { Season: "old" } } },
        feedToken: "f".repeat(32),
      })
      const row = async () => svc().connection(id)
      for (const list of [older, newer]) await declare(list)
      const feed = async () => (await read(id)).feed
      expect(await feed()).toEqual({ configured: true, created_at: null })
      // As somebody had opened one in the admin, before the page was declared.
      await knex()("svc_connection").where({ id }).update({ feed_token_created_at: new Date() })
      await declare(older)
      expect(await feed()).toEqual({ configured: false, created_at: null })
      await keep(newer)
      expect(await row()).toMatchObject({ prices_include_vat: true, catalog: null })
      await elevenMinutesPass()
      await keep(newer)
      expect(await row()).toMatchObject({
        prices_include_vat: false,
        promotions: "exclude",
        report_settings: { report_on: "payment_captured" },
        catalog: { exclude: { metadata: { Season: "old" } } },
      })
      // Whoever has what the row says keeps it, without writing it anew.
      const before = await row()
      await knex()("svc_connection")
        .where({ id })
        .update({ declared_at: new Date(0) })
      await keep(newer)
      const { declared_at, updated_at } = await row()
      expect(declared_at?.getTime()).toBeGreaterThan(0)
      expect(updated_at).toEqual(before.updated_at)
    })

    it("that is declared in code at another page keeps the webhook's key and the inbox, because the list with the page before may come back", async () => {
      const name = "Coming back"
      const id = declaredConnectionId(name)
      const key = "of the newer page"
      const older = declaredAs({ name, pageUid: "first-page" })
      const newer = declaredAs({ name, pageUid: "second-page", apiToken: "another" })
      await declare(older)
      await declare(newer)
      await pasteWebhookKeyWorkflow(getContainer()).run({
        input: { connection_id: id, signature_key: key },
      })
      const deliverTo = (pageUid: string) =>
        deliver({
          url: `${storeUrl}/hooks/svc/${id}`,
          key,
          body: envelope("live_event.created", liveEvent("e-back"), { pageUid }),
        })
      expect((await deliverTo("second-page")).status).toBe(200)
      await declare(older)
      expect((await deliverTo("second-page")).status).toBe(401)
      await elevenMinutesPass()
      await keep(newer)
      expect((await deliverTo("second-page")).status).toBe(200)
      expect(await knex()("svc_delivery").where({ connection_id: id })).toHaveLength(2)
      expect(await svc().listSvcWebhooks({ connection_id: id })).toHaveLength(1)
    })

    it("that is declared in another process alone is not judged by this one, which has no token for it", async () => {
      const declared = declaredAs({ name: "Declared" })
      const { connectionId: id } = market
      await declare(declared)
      await processOf([declared], async () => post(`/${id}/check`))
      await knex()("svc_connection").where({ id }).update({ last_check: null })
      await svc().shows.pulls.request("requested", [id])
      const listings = () =>
        knex()("svc_connection_work").where({ connection_id: id, kind: "listings" })
      await processOf([], async () => {
        await checkUnheard(getContainer())
        await workPulls(getContainer())
        expect((await post(`/${id}/check`)).data.check).toMatchObject({
          ok: false,
          error: { code: "svc_paused" },
        })
      })
      expect(await read(id)).toMatchObject({ status: "active", last_error: null, last_check: null })
      expect(await listings()).toMatchObject([{ reason_code: null, attempts: 0 }])
      await processOf([declared], async () => {
        await checkUnheard(getContainer())
        await workPulls(getContainer())
      })
      expect(await read(id)).toMatchObject({ last_check: { ok: true } })
      const [read1] = await listings()
      expect(read1.acknowledged).toBe(read1.wanted)
    })

    it("that is declared in code with a good token again calls at once, however long its breaker would hold", async () => {
      const declared = declaredAs({ name: "Token in code", apiToken: "mistyped" })
      await declare(declared)
      const check = await processOf([declared], async () => post(`/${market.connectionId}/check`))
      expect(check.data.check.ok).toBe(false)
      await knex()("svc_hold").update({ until: new Date(Date.now() + 3_600_000) })
      const mended = { ...declared, apiToken: TOKEN }
      await declare(mended)
      const { calls } = svc().connections
      const listed = await processOf([mended], () =>
        calls.inBackground(market.connectionId, "listings", (client) => client.listWebhooks()),
      )
      expect(listed).toMatchObject({ subscribers: expect.any(Array) })
    })

    it("that is declared in code with another address is not good until that address accepted the token", async () => {
      const name = "Address in code"
      const id = declaredConnectionId(name)
      const at = (baseUrl: string) => declaredAs({ name, pageUid: "moving-page", baseUrl })
      await declare(at(sandbox.url))
      const checked = await processOf([at(sandbox.url)], async () => post(`/${id}/check`))
      expect(checked.data.connection.status).toBe("active")
      await declare(at(sandbox.url))
      expect(await read(id)).toMatchObject({ status: "active", last_check: { ok: true } })
      await declare(at(`${sandbox.url}/moved`))
      expect(await read(id)).toMatchObject({ status: "unchecked", last_check: null })
    })

    it("that is declared in code is made once, however many processes start together", async () => {
      const declared = declaredAs({ name: "Declared", pageUid: "declared-page" })
      await processOf([declared], () =>
        Promise.all([1, 2, 3].map(() => svc().adoptDeclaredConnections())),
      )
      const { data } = await api.get("/admin/svc/connections?q=declared-page", market.admin)
      expect(data).toMatchObject({ count: 1, connections: [{ managed_by: "environment" }] })
    })

    it("calls no saved address that the store no longer allows, and says so", async () => {
      const save = (id: string, base_url: string) =>
        svc().createSvcConnections({
          ...settings({ page_uid: id, base_url }),
          ...svc().sealToken(id, TOKEN),
          id,
        })
      await save("svccon_http", sandbox.url)
      await save("svccon_private", sandbox.url.replace("http:", "https:"))
      const calls = async () => (await sandbox.client.journal.find({ limit: 1 })).count
      const before = await calls()
      svc().options.allowInsecureUrls = false
      for (const id of ["svccon_http", "svccon_private"]) {
        const { data } = await post(`/${id}/check`)
        expect(data).toMatchObject({
          check: { ok: false, reachable: false },
          connection: {
            status: "broken",
            last_error: {
              code: "svc_insecure",
              fix: expect.stringMatching(/https:\/\/|SVC_ALLOW_INSECURE_URLS/),
            },
          },
        })
      }
      expect(await calls()).toBe(before)
    })

    it("asks for the token again when the address changes, and keeps it when the field stays empty", async () => {
      const renamed = await post(`/${market.connectionId}`, { name: "Renamed", api_token: "" })
      expect(renamed.data.connection).toMatchObject({
        name: "Renamed",
        api_token: { configured: true },
      })
      expect((await post(`/${market.connectionId}/check`)).data.check.ok).toBe(true)

      const moved = await post(`/${market.connectionId}`, { base_url: `${sandbox.url}/other` })
      expect([moved.status, moved.data.code]).toEqual([400, "token_required"])
    })

    it("is as it was when a later step of a merchant's own workflow fails, and so is its webhook's key", async () => {
      const id = market.connectionId
      const { storefront_url } = await svc().connection(id)
      const fail = (signature_key: string) =>
        changeAndFail(getContainer()).run({
          input: {
            ...{ id, signature_key },
            ...{ storefront_url: "http://127.0.0.1:8001", api_token: "mistyped" },
          },
        })
      const imports = async () => (await svc().listSvcCatalogImports({ connection_id: id })).length
      const before = await imports()
      const verdict = async () => {
        const { status, token_refused, last_error, last_check } = await svc().connection(id)
        return { status, token_refused, last_error, last_check }
      }
      const ofGoodToken = await verdict()
      expect(ofGoodToken.status).toBe("active")
      // By shape: a workflow hands an error on as a copy, which is no `Error`.
      const failure = { message: expect.stringContaining("merchant's own workflow") }

      // There was no key: nothing is left of it.
      await expect(fail("first")).rejects.toMatchObject(failure)
      expect((await svc().connection(id)).storefront_url).toBe(storefront_url)
      expect(await verdict()).toEqual(ofGoodToken)
      expect(await svc().listSvcWebhooks({ connection_id: id })).toEqual([])
      // The change would send the whole catalog once more: that import was begun, and is cancelled.
      expect(await imports()).toBe(before + 1)
      expect((await svc().catalog.walks.latestImport(id))?.status).not.toBe("running")

      // There is one: it stays, and the other does not become a candidate.
      await pasteWebhookKeyWorkflow(getContainer()).run({
        input: { connection_id: id, signature_key: "good" },
      })
      const [known] = await svc().listSvcWebhooks({ connection_id: id })
      await expect(fail("second")).rejects.toMatchObject(failure)
      expect(await svc().listSvcWebhooks({ connection_id: id })).toMatchObject([
        { signature_key: known?.signature_key, candidate_key: null },
      ])
    })

    it("shows a refused token in one line with what to do, and is well again with a good one", async () => {
      await post(`/${market.connectionId}`, { api_token: "wrong" })
      const failed = await post(`/${market.connectionId}/check`)
      expect(failed.status).toBe(200)
      expect(failed.data.check).toMatchObject({ ok: false, reachable: true, token_accepted: false })
      expect(failed.data.connection).toMatchObject({
        status: "broken",
        last_error: { code: "svc_unauthorized", fix: expect.stringMatching(/API token/) },
      })
      const health = await api.get("/admin/svc/health", { ...market.admin, ...any })
      expect(health.status).toBe(503)
      expect(health.data.health).toMatchObject({
        status: "critical",
        problems: [
          { severity: "critical", code: "svc_unauthorized" },
          { severity: "warning", code: "webhook_not_registered" },
          { severity: "warning", code: "catalog_not_imported" },
        ].map((problem) => ({ ...problem, connection_id: market.connectionId })),
      })

      await post(`/${market.connectionId}`, { api_token: TOKEN })
      const good = await post(`/${market.connectionId}/check`)
      expect(good.data).toMatchObject({
        check: { ok: true, reachable: true, token_accepted: true, error: null },
        connection: { status: "active", last_error: null },
      })
      await post(`/${market.connectionId}/webhook`)
      await post(`/${market.connectionId}/sync`)
      await eventually(
        async () => (await api.get("/admin/svc/health", { ...market.admin, ...any })).data.health,
        ({ status, problems }) => status === "ok" && problems.length === 0,
      )
    })

    it("says that its token cannot be read where the key is gone, and asks for no other one", async () => {
      const id = market.connectionId
      // As a key that is not there any more has left it.
      const { api_token } = svc().sealToken("another", TOKEN)
      await knex()("svc_connection").where({ id }).update({ api_token, api_token_fingerprint: "x" })
      const unreadable = { code: "secret_unreadable", fix: expect.stringMatching(/^Put the key/) }
      const { data } = await post(`/${id}/check`)
      expect(data).toMatchObject({
        check: { ok: false, error: unreadable },
        connection: { status: "broken", last_error: unreadable },
      })
      await expect(
        svc().connections.calls.inBackground(id, "listings", async () => "called"),
      ).rejects.toMatchObject({ code: "secret_unreadable", failure: "broken" })
    })

    it("stays broken when an answer comes that accepted no token", async () => {
      const inBackground = () =>
        svc().connections.calls.inBackground(market.connectionId, "listings", (client) =>
          client.listEvents("live", { limit: 1, offset: 0 }),
        )
      const refusing = { on: "live_events", kind: "status", status: 404 }

      await post(`/${market.connectionId}`, { api_token: "wrong" })
      // One call is let through, to find out whether the token is taken again.
      await knex()("svc_hold").update({ until: new Date(Date.now() - 1_000) })
      await sandbox.control("/faults", { rules: [refusing] })
      await expect(inBackground()).rejects.toMatchObject({ code: "svc_endpoint_closed" })
      expect(await read()).toMatchObject({
        status: "broken",
        last_error: { code: "svc_unauthorized" },
      })
      // Nothing else goes out meanwhile: it would be given up for an answer that says nothing about it.
      await expect(inBackground()).rejects.toMatchObject({ code: "svc_unauthorized", status: null })

      await sandbox.control("/faults", { rules: [{ on: "webhooks", kind: "reset" }] })
      expect(
        (await post(`/${market.connectionId}`, { api_token: TOKEN })).data.connection,
      ).toMatchObject({ status: "broken" })
      await sandbox.control("/faults", { rules: [refusing] })
      await expect(inBackground()).rejects.toMatchObject({ code: "svc_endpoint_closed" })
      expect(await read()).toMatchObject({
        status: "broken",
        last_error: { code: "svc_unreachable" },
      })

      await sandbox.endFaults()
      // The endpoint is asked again when its hold is over.
      await knex()("svc_hold").update({ until: new Date(Date.now() - 1_000) })
      await inBackground()
      // Any web server may answer a list; the token that was entered is proven by a check, as the job makes it too.
      expect(await read()).toMatchObject({ status: "broken" })
      await post(`/${market.connectionId}/check`)
      expect(await read()).toMatchObject({ status: "active", last_error: null })
    })

    describe("its first steps", () => {
      type Setup = {
        complete: boolean
        steps: { name: string; state: string; reason: { code: string } | null }[]
      }
      const setupOf = async (id: string) => {
        const { data } = await api.get(`/admin/svc/connections/${id}/setup`, market.admin)
        return data.setup as Setup
      }
      const step = ({ steps }: Setup, name: string) => steps.find((one) => one.name === name)
      const made = async (changes: Record<string, unknown>) => {
        const { data } = await post("", settings(changes))
        return data.connection.id as string
      }

      it("are done as far as rows show that somebody looked, and follow what happens", async () => {
        const id = market.connectionId
        expect(step(await setupOf(id), "service")).toMatchObject({ state: "done" })
        expect(step(await setupOf(id), "market")).toMatchObject({ state: "done" })
        expect(step(await setupOf(id), "storefront")).toMatchObject({ state: "open" })
        expect(step(await setupOf(id), "test_order")).toMatchObject({ state: "open" })
        // A page that is there, and one at a port where nobody listens.
        await post(`/${id}`, { storefront_url: `${sandbox.url}/_sandbox/health` })
        const looked = await post(`/${id}/setup/storefront`)
        expect(step(looked.data.setup, "storefront")).toMatchObject({ state: "done" })
        await post(`/${id}`, { storefront_url: "http://127.0.0.1:9" })
        expect(step(await setupOf(id), "storefront")).toMatchObject({ state: "open" })
        const again = await post(`/${id}/setup/storefront`)
        expect(step(again.data.setup, "storefront")).toMatchObject({
          state: "failed",
          reason: { code: "storefront_unreachable", params: { problem: "ECONNREFUSED" } },
        })
      })

      it("are of the page that the connection has now, whatever was tried with another one", async () => {
        const id = await made({
          page_uid: "tried-page",
          api_token: TOKEN,
          catalog: { push: false },
        })
        const page = `${sandbox.url} tried-page`
        const tried = { connection_id: id, page, campaign_uid: "tried" }
        await knex()("svc_cart_order_number").insert({
          ...tried,
          id: "svccno_tried",
          cart_id: "cart_tried",
          order_no: "tried",
          used_at: new Date(),
        })
        await knex()("svc_attribution").insert(
          attribution(id, "tried", { ...tried, svc_order_no: "tried" }),
        )
        await knex()("svc_catalog_item").insert({
          id: "svcprod_tried",
          connection_id: id,
          product_id: "prod_tried",
          state: "synced",
          acknowledged: 1,
          acknowledged_target: page,
        })
        // Sent because it changed: nobody has started an import.
        expect(step(await setupOf(id), "import")?.state).toBe("open")
        await knex()("svc_catalog_import").insert({
          id: "svcimp_tried",
          connection_id: id,
          kind: "import",
          status: "completed",
          started_at: new Date(),
          finished_at: new Date(),
        })
        const states = async () => {
          const setup = await setupOf(id)
          return ["import", "player", "test_order"].map((name) => step(setup, name)?.state)
        }
        expect(await states()).toEqual(["done", "done", "done"])
        // Placed as a test, which nobody is told of.
        await knex()("svc_attribution").where({ id: "svcatt_tried" }).update({
          state: "excluded",
          reason_code: "test_order",
          reason_message: "It is a test.",
          reason_fix: "Place another.",
        })
        expect(step(await setupOf(id), "test_order")).toMatchObject({
          state: "failed",
          reason: { code: "test_order" },
        })
        await post(`/${id}`, { page_uid: "untried-page" })
        const [imported, ...others] = await states()
        expect(imported).not.toBe("done")
        expect(others).toEqual(["open", "open"])
      })

      it("name the region in whose currency nothing has a price", async () => {
        const { data } = await api.post(
          "/admin/regions",
          { name: "Japan", currency_code: "jpy", countries: [] },
          market.admin,
        )
        const setup = await setupOf(
          await made({ page_uid: "wrong-region", region_id: data.region.id }),
        )
        expect(step(setup, "market")).toMatchObject({
          state: "failed",
          reason: { code: "no_prices", params: { currency: "JPY" } },
        })

        // One price anywhere in the channel is enough, whichever of its products has it.
        const { rows: sets } = await knex().raw<{ rows: { id: string }[] }>(
          `SELECT min(priced.price_set_id) AS id FROM product_sales_channel sold
           JOIN product ON product.id = sold.product_id AND product.status = 'published'
           JOIN product_variant variant ON variant.product_id = product.id
           JOIN product_variant_price_set priced ON priced.variant_id = variant.id
           WHERE sold.sales_channel_id = ? GROUP BY product.id ORDER BY product.id`,
          [market.salesChannelId],
        )
        expect(sets.length).toBeGreaterThan(10)
        const { marketFits } = svc().connections
        const pair = { channelId: market.salesChannelId, regionId: data.region.id as string }
        for (const { id } of [sets[0], sets.at(-1)].flatMap((set) => set ?? [])) {
          await knex()("price").insert({
            id: "price_in_yen",
            price_set_id: id,
            currency_code: "jpy",
            amount: 900,
            raw_amount: { value: "900" },
          })
          expect(await marketFits.read(pair)).toMatchObject({ has_prices: true })
          await knex()("price").where({ id: "price_in_yen" }).delete()
        }
        expect(await marketFits.read(pair)).toMatchObject({ has_prices: false })
      })

      it.each<[string, number, string, string, string]>([
        ["that knows no such address", 404, "text/html", "<h1>Not here</h1>", "not_the_service"],
        ["that says nothing", 200, "application/json", "", "not_the_service"],
        // The interface does not show the list (§4.4): a form that is new to us may be the service's.
        ["whose list cannot be read", 200, "application/json", '{"entries":[]}', "svc_unreadable"],
        ["that says yes to everything", 200, "application/json", '{"data":[]}', "not_the_service"],
        ["that shows a web page", 200, "text/html", "<h1>Welcome</h1>", "not_the_service"],
      ])("take no server for the service %s", async (_what, status, type, page, code) => {
        const { url: base_url, stop } = await serve((request, response) => {
          request.resume()
          response.writeHead(status, { "content-type": type }).end(page)
        })
        try {
          const body = { base_url, api_token: TOKEN }
          const { data } = await api.post("/admin/svc/service-check", body, market.admin)
          expect(data.check).toMatchObject({ ok: false, token_accepted: false, error: { code } })
          const id = await made({ page_uid: "somebody", base_url })
          const { calls } = svc().connections
          const row = await svc().connection(id)
          // Work that it accepts is no proof either.
          await calls
            .inBackground(id, "orders", (client) => client.processOrder("some-1", "key"))
            .catch(() => undefined)
          await calls
            .paced(row, (client) => client.pushProducts(['{"id":"p1"}']))
            .catch(() => undefined)
          expect((await read(id)).status).toBe("broken")
          const setup = await setupOf(id)
          expect(step(setup, "service")).toMatchObject({ state: "failed" })
          expect(JSON.stringify(data)).not.toMatch(/Not here|Welcome/)
        } finally {
          await stop()
        }
      })

      it("can be tried before anything is saved, and nothing of it stays", async () => {
        const before = await api.get("/admin/svc/connections", market.admin)
        const check = async (body: object) =>
          (await api.post("/admin/svc/service-check", body, { ...market.admin, ...any })).data
        expect(await check({ base_url: sandbox.url, api_token: TOKEN })).toMatchObject({
          check: { ok: true, token_accepted: true },
        })
        expect(await check({ base_url: sandbox.url, api_token: "wrong" })).toMatchObject({
          check: { ok: false, token_accepted: false, error: { code: "svc_unauthorized" } },
        })
        expect(await check({ base_url: "http://127.0.0.1:9", api_token: TOKEN })).toMatchObject({
          check: { ok: false, reachable: false, error: { code: "svc_unreachable" } },
        })
        expect(await check({ base_url: "nowhere", api_token: TOKEN })).toMatchObject({
          code: "invalid_url",
        })
        expect((await api.get("/admin/svc/connections", market.admin)).data).toEqual(before.data)
      })
    })

    it("leaves nothing behind at the service or here when it is deleted, but keeps the ledger", async () => {
      await post(`/${market.connectionId}/webhook`)
      const subscribers = () => sandbox.client.subscribers.list({ page_uid: "demo-page" })
      expect((await subscribers()).subscribers).toHaveLength(1)
      await api.post(`/admin/svc/connections/${market.connectionId}/sync`, {}, market.admin)
      const items = async (): Promise<number> =>
        (await api.get("/admin/svc/products", market.admin)).data.count
      await eventually(items, (count) => count > 0)
      const [mug] = await variantsOf(getContainer(), "havn-mug")
      if (!mug) throw new Error("no mug")
      const show = await runShow(sandbox, market, [{ variant: mug, price: 129 }])
      // Nothing may be on its way any more: a delivery that comes between is another test.
      await eventually(
        async () => ({
          sent: (await sandbox.client.deliveries.list()).deliveries.map(({ state }) => state),
          kept: await knex()("svc_delivery").pluck("outcome"),
          products: await knex()("svc_event_product").where({ campaign_uid: show.campaignUid }),
        }),
        ({ sent, kept, products }) =>
          products.length > 0 &&
          sent.every((state) => state === "delivered") &&
          !kept.includes("received"),
      )
      await workPulls(getContainer())
      const { campaignUid: campaign_uid, orderNo: svc_order_no } = show
      await knex()("svc_attribution").insert(
        attribution(market.connectionId, "sold", { campaign_uid, svc_order_no }),
      )
      const amount = (name: string, value: number) => ({
        [name]: value,
        [`raw_${name}`]: JSON.stringify({ value: String(value), precision: 20 }),
      })
      await knex()("svc_ledger_entry").insert({
        id: "svcled_sold",
        order_id: "order_sold",
        source: "v1:line",
        kind: "sale",
        product_id: mug.product_id,
        connection_id: market.connectionId,
        campaign_uid: show.campaignUid,
        ...amount("quantity", 1),
        ...amount("amount", 129),
        ...amount("tax", 0),
        ...amount("discount", 0),
        currency_code: "dkk",
        occurred_at: new Date(),
      })
      await knex()("svc_refused_delivery").insert({
        id: "svcref_gone",
        connection_id: market.connectionId,
        reason: "wrong_page",
        count: 1,
        last_at: new Date(),
      })

      const deleted = await api.delete(
        `/admin/svc/connections/${market.connectionId}`,
        market.admin,
      )
      expect(deleted.data).toEqual({
        id: market.connectionId,
        object: "svc_connection",
        deleted: true,
        webhook_left: null,
      })
      expect((await subscribers()).subscribers).toEqual([])
      expect(await items()).toBe(0)
      const list = async (path: string) => (await api.get(`/admin/svc/${path}`, market.admin)).data
      expect(await list("deliveries")).toMatchObject({ count: 0 })
      expect(await list("live-events")).toMatchObject({ count: 0 })
      expect(await list("orders")).toMatchObject({ count: 1 })
      expect((await list("campaigns")).campaigns).toMatchObject([
        { campaign_uid: show.campaignUid, name: "Evening at the kiln", gross: 129 },
      ])
      expect(await knex()("svc_event_product")).toEqual([])
      expect(await knex()("svc_refused_delivery").where({ id: "svcref_gone" })).toEqual([])
      expect(await knex()("svc_connection").where({ id: market.connectionId })).toMatchObject([
        { api_token: null },
      ])
      for (const path of ["", "/setup", "/sync", "/webhook"]) {
        const gone = await api.get(`/admin/svc/connections/${market.connectionId}${path}`, {
          ...market.admin,
          ...any,
        })
        expect([path, gone.status, gone.data.code]).toEqual([path, 404, "connection_not_found"])
      }
    })

    it("is closed to everybody without an admin session or key", async () => {
      for (const path of [
        "connections",
        "products",
        "deliveries",
        "live-events",
        "orders",
        "campaigns",
        "health",
      ]) {
        const answer = await api.get(`/admin/svc/${path}`, any)
        expect([path, answer.status]).toEqual([path, 401])
      }
    })
  })
})
