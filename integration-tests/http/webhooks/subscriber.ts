/** Our subscriber at the service: made, taken over, changed, removed. */
import { TEST_TOPIC, TOPICS } from "../../../src/contract"
import reconcileWebhooks from "../../../src/jobs/reconcile-webhooks"
import { checkUnheard } from "../../../src/workflows/connections"
import { workPulls } from "../../../src/workflows/shows"
import { soon, type WebhooksShop } from "./shop"

export function describeSubscriber(shop: WebhooksShop): void {
  const {
    agesAgo,
    ask,
    createEvent,
    disableSubscriber,
    events,
    get,
    hookUrl,
    knex,
    storeUrl,
    subscribers,
    svc,
    webhookPath,
  } = shop

  describe("the subscriber at the service", () => {
    const api1 = (method: string, path: string, body?: unknown) =>
      fetch(`${shop.sandbox.url}/api/v1/webhooks${path}`, {
        method,
        headers: {
          authorization: `Token ${shop.denmark.apiToken}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })

    it("is removed although the answer to its creation was lost, which nobody calls a failure", async () => {
      await shop.sandbox.control("/faults", {
        on: "webhooks",
        method: "POST",
        kind: "reset",
        after: true,
        times: 1,
      })
      const { status, data } = await ask("post", webhookPath())
      expect([status, data.code]).toEqual([502, "webhook_registration_unsure"])
      expect(data.message).toContain("It is not certain whether the webhook was registered.")
      expect(await subscribers()).toHaveLength(1)
      expect((await ask("delete", webhookPath())).status).toBe(200)
      expect(await subscribers()).toEqual([])
    })

    it("keeps its key where the service shows nothing else of it, and cannot be asked either", async () => {
      await shop.sandbox.control("/profiles", { webhook_answers: "key_alone" })
      await shop.sandbox.control("/faults", {
        on: "webhooks",
        method: "GET",
        kind: "status",
        skip: 1,
        times: 1,
      })
      const { data } = await ask("post", webhookPath())
      expect(data.webhook).toMatchObject({ signature_key: { configured: true } })
      await createEvent({ name: "Verified" })
      await soon(async () => expect(await events()).toHaveLength(1))
      // The delivery tells which subscriber it is; that is written down soon after it.
      await soon(async () =>
        expect((await ask("post", `${webhookPath()}/rotate`)).status).toBe(200),
      )
      expect(await subscribers()).toHaveLength(1)
    })

    it("keeps its key, which the service shows once, also where the database goes away right behind the answer", async () => {
      const { subscribers: rows } = svc().webhooks
      jest.spyOn(rows, "told").mockRejectedValueOnce(new Error("The database is away."))
      expect((await ask("post", webhookPath())).status).toBe(500)
      jest.restoreAllMocks()
      await createEvent({ name: "Verified" })
      await soon(async () => expect(await events()).toHaveLength(1))

      // A second one is made beside it, and the next press must know whose key it has.
      jest.spyOn(svc(), "updateSvcWebhooks").mockRejectedValueOnce(new Error("It is away again."))
      const headers = { custom_headers: [{ name: "X-Gateway", value: "hush" }] }
      expect((await ask("post", webhookPath(), headers)).status).toBe(500)
      jest.restoreAllMocks()
      expect(await subscribers()).toHaveLength(2)
      expect((await ask("post", webhookPath())).status).toBe(200)
      expect(await subscribers()).toMatchObject([headers])
      await createEvent({ name: "Verified again" })
      await soon(async () => expect(await events()).toHaveLength(2))
    })

    /** What they have met stands on the connection until they are read again, within a minute. */
    const listingsAreRead = async () => {
      await svc().shows.pulls.request("requested")
      await workPulls(shop.getContainer())
    }

    it("is left alone by a copy of this store, which calls nobody until a person says that it is the store", async () => {
      await ask("post", webhookPath())
      const [before] = await subscribers()
      const { options } = svc()
      options.backendUrl = "https://staging.example.com"
      await knex()("svc_connection").update({ store_host: "shop.example.com" })
      for (const [method, path] of [
        ["delete", webhookPath()],
        ["post", `${webhookPath()}/rotate`],
        ["post", webhookPath()],
      ] as const) {
        const { status, data } = await ask(method, path)
        expect([path, status, data.code]).toEqual([path, 409, "webhook_of_another_store"])
      }
      expect(await subscribers()).toEqual([before])
      const { calls } = svc().connections
      const id = shop.denmark.connectionId
      await expect(calls.inBackground(id, "webhooks", async () => "called")).rejects.toMatchObject({
        code: "copy_of_another_store",
      })
      await expect(
        calls.paced(await svc().connection(id), async () => "called"),
      ).rejects.toMatchObject({ code: "copy_of_another_store" })
      // The original's deliveries still verify.
      await createEvent({ name: "Of the original" })
      await soon(async () => expect(await events()).toHaveLength(1))
      const problems = async () => (await shop.problems()).map(({ code }) => code)
      await listingsAreRead()
      const copy = (await problems()).filter((code) => code === "copy_of_another_store")
      expect([copy.length, (await problems()).includes("svc_paused")]).toEqual([1, false])

      const { status } = await ask("post", webhookPath(), { take_over: true })
      expect(status).toBe(200)
      expect(await subscribers()).toMatchObject([
        { uid: before?.uid, url: expect.stringContaining("https://staging.example.com/") },
      ])
      expect(await calls.inBackground(id, "webhooks", async () => "called")).toBe("called")
      await listingsAreRead()
      expect(await problems()).not.toContain("copy_of_another_store")
    })

    it("gets nothing by a store that lost its address, until it has it again or a person says that it is the store", async () => {
      await ask("post", webhookPath())
      const { options } = svc()
      const { calls } = svc().connections
      const id = shop.denmark.connectionId
      const called = () => calls.inBackground(id, "webhooks", async () => "called")
      const problems = async () => (await shop.problems()).map(({ code }) => code)
      options.backendUrl = undefined
      expect(await called()).toBe("called")
      await knex()("svc_connection").update({ store_host: "shop.example.com" })
      await expect(called()).rejects.toMatchObject({ code: "store_address_missing" })
      await expect(
        calls.paced(await svc().connection(id), async () => "called"),
      ).rejects.toMatchObject({ code: "store_address_missing" })
      await expect(calls.now(id, "orders", async () => "called")).rejects.toMatchObject({
        code: "store_address_missing",
      })
      expect(await problems()).toContain("store_address_missing")

      options.backendUrl = "https://shop.example.com"
      expect(await called()).toBe("called")
      await listingsAreRead()
      expect(await problems()).not.toContain("store_address_missing")

      options.backendUrl = undefined
      const { status } = await ask("post", `/connections/${id}`, {
        api_token: shop.denmark.apiToken,
      })
      expect(status).toBe(200)
      expect(await called()).toBe("called")
      await listingsAreRead()
      expect(await problems()).not.toContain("store_address_missing")
    })

    it("gets nothing by a copy of a store that was connected at a private address before it had a public one", async () => {
      const { options, __hooks, connections } = svc()
      const id = shop.denmark.connectionId
      const called = () => connections.calls.inBackground(id, "webhooks", async () => "called")
      options.backendUrl = "http://localhost:9000"
      const { status } = await ask("post", `/connections/${id}`, {
        api_token: shop.denmark.apiToken,
      })
      expect(status).toBe(200)
      options.backendUrl = "https://shop.example.com"
      await __hooks.onApplicationStart()
      options.backendUrl = "https://staging.example.com"
      await expect(called()).rejects.toMatchObject({ code: "copy_of_another_store" })
    })

    it("is not even asked for, nor made, by a copy whose connection has none, until a person looks, or says that it is the store", async () => {
      const asked = async () =>
        (await shop.sandbox.control<{ count: number }>("/journal?q=endpoint:webhooks")).count
      const { options } = svc()
      await reconcileWebhooks(shop.getContainer())
      await knex()("svc_connection").update({
        store_host: "shop.example.com",
        token_accepted_at: null,
        last_check: null,
      })
      options.backendUrl = "https://staging.example.com"
      const before = await asked()
      await checkUnheard(shop.getContainer())
      await reconcileWebhooks(shop.getContainer())
      expect(await asked()).toBe(before)
      const refused = await ask("post", webhookPath())
      expect([refused.status, refused.data.code]).toEqual([409, "webhook_of_another_store"])
      expect(await asked()).toBe(before)
      expect((await get(webhookPath())).webhook).toBeNull()
      const path = `/connections/${shop.denmark.connectionId}/check`
      expect((await ask("post", path)).data.check).toMatchObject({ ok: true })
      const looked = await asked()
      expect(looked).toBeGreaterThan(before)
      await knex()("svc_connection").update({ last_check: null })
      options.backendUrl = "https://shop.example.com"
      await reconcileWebhooks(shop.getContainer())
      expect(await asked()).toBeGreaterThan(looked)

      options.backendUrl = "https://staging.example.com"
      expect((await ask("post", webhookPath(), { take_over: true })).status).toBe(200)
      expect(await subscribers()).toMatchObject([
        { url: expect.stringContaining("https://staging.example.com/") },
      ])
    })

    it("is well where the service writes its address in another spelling", async () => {
      const { data } = await ask("post", webhookPath())
      const { webhook_uid } = data.webhook
      const url = hookUrl().replace("http://", "HTTP://")
      expect(url).not.toBe(hookUrl())
      await api1("PATCH", `/${webhook_uid}`, { url })
      expect(await subscribers()).toMatchObject([{ url }])
      await agesAgo("svc_webhook", "refreshed_at")
      expect((await get(webhookPath())).webhook).toMatchObject({ url: hookUrl(), last_error: null })
      // Nor is a second one made for a store that has lost its record of it.
      await knex()("svc_webhook").delete()
      expect((await ask("post", webhookPath())).data.webhook.webhook_uid).toBe(webhook_uid)
      expect(await subscribers()).toHaveLength(1)
    })

    it("is removed from a page that the connection leaves, and what the page told is forgotten", async () => {
      await ask("post", webhookPath())
      await createEvent({ name: "Of the page" })
      await soon(async () => expect(await events()).toHaveLength(1))
      await knex()("svc_live_event").update({ event_id: "of-the-page-that-was-left" })
      await knex()("svc_refused_delivery").insert({
        id: "svcref_left",
        connection_id: shop.denmark.connectionId,
        reason: "wrong_page",
        count: 1,
        last_at: new Date(),
      })
      const path = `/connections/${shop.denmark.connectionId}`
      const move = (base_url: string) =>
        ask("post", path, { base_url, api_token: shop.denmark.apiToken })
      try {
        // The same service by another name, which the store takes for another one.
        expect((await move(shop.sandbox.url.replace("127.0.0.1", "localhost"))).status).toBe(200)
        expect(await subscribers()).toEqual([])
        expect((await get(webhookPath())).webhook).toBeNull()
        expect((await get("/deliveries")).count).toBe(0)
        expect(await knex()("svc_refused_delivery").where({ reason: "wrong_page" })).toEqual([])
        // Without a webhook, from the list.
        await soon(async () => {
          const ids = (await events()).map(({ event_id }: { event_id: string }) => event_id)
          expect(ids).toHaveLength(1)
          expect(ids).not.toContain("of-the-page-that-was-left")
        })
      } finally {
        expect((await move(shop.sandbox.url)).status).toBe(200)
      }
    })

    it("registers, is told, and removes itself", async () => {
      expect((await get(webhookPath())).webhook).toBeNull()
      const { status, data } = await ask("post", webhookPath(), {
        custom_headers: [{ name: "X-Gateway", value: "hush" }],
      })
      expect(status).toBe(200)
      expect(data.webhook).toMatchObject({
        url: hookUrl(),
        custom_headers: ["X-Gateway"],
        state: "active",
        rotating: false,
        signature_key: { configured: true, fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/) },
      })
      expect(data.webhook.topics).toHaveLength(12)
      expect(JSON.stringify(data)).not.toContain("hush")
      const [subscriber] = await subscribers()
      expect(subscriber).toMatchObject({
        uid: data.webhook.webhook_uid,
        url: hookUrl(),
        custom_headers: [{ name: "X-Gateway", value: "hush" }],
      })

      expect(
        (
          await shop.sandbox.control<{ delivery: { state: string } }>(
            `/subscribers/${subscriber?.uid}/test`,
            {},
          )
        ).delivery.state,
      ).toBe("delivered")

      const removed = await ask("delete", webhookPath())
      expect([removed.status, removed.data.deleted]).toEqual([200, true])
      expect(await subscribers()).toEqual([])
      expect((await get(webhookPath())).webhook).toBeNull()
      expect((await ask("delete", webhookPath())).status).toBe(200)
    })

    it("takes over a subscriber that has its URL, with a new key, and leaves no second one", async () => {
      const body = { name: "older", url: hookUrl(), topics: ["live_event.created"] }
      await api1("POST", "", body)
      await api1("POST", "", body)
      await api1("POST", "", { ...body, url: "https://elsewhere.test/hook" })
      const { status, data } = await ask("post", webhookPath())
      expect([status, data.webhook.signature_key.configured]).toEqual([200, true])
      const after = await subscribers()
      expect(after.map(({ url }) => url).sort()).toEqual([hookUrl(), "https://elsewhere.test/hook"])
      expect(after.find(({ url }) => url === hookUrl())?.topics).toHaveLength(12)
      await createEvent()
      await soon(async () => expect(await events()).toHaveLength(1))
    })

    it("changes name and topics of its own subscriber without touching a key that works", async () => {
      const first = await ask("post", webhookPath(), { name: "Shop" })
      expect(await subscribers()).toMatchObject([{ name: "Shop" }])
      const topics = ["live_event.created", "svc.test"]
      const second = await ask("post", webhookPath(), { topics, name: "New shop" })
      expect(second.data.webhook).toMatchObject({ topics, name: "New shop" })
      expect(await subscribers()).toMatchObject([{ name: "New shop" }])
      expect(second.data.webhook.webhook_uid).toBe(first.data.webhook.webhook_uid)
      expect(second.data.webhook.signature_key).toEqual(first.data.webhook.signature_key)
      const asked = () => knex()("svc_webhook").pluck("asked_topics")
      expect(await asked()).toEqual([topics])
      // As the buttons beside a problem do.
      const third = await ask("post", webhookPath())
      expect(third.data.webhook).toMatchObject({ topics, name: "New shop" })
      // Whoever takes all has chosen none.
      const all = TOPICS.filter((topic) => topic !== TEST_TOPIC)
      await ask("post", webhookPath(), { topics: all })
      expect(await asked()).toEqual([null])
      await createEvent()
      await soon(async () => expect(await events()).toHaveLength(1))
    })

    it("takes its subscriber along when the store moves, instead of leaving one behind", async () => {
      const first = await ask("post", webhookPath())
      const { options } = svc()
      options.backendUrl = `${storeUrl}/moved`
      const second = await ask("post", webhookPath())
      expect(second.data.webhook.webhook_uid).toBe(first.data.webhook.webhook_uid)
      expect((await subscribers()).map(({ url }) => url)).toEqual([
        `${storeUrl}/moved/hooks/svc/${shop.denmark.connectionId}`,
      ])
    })

    it("that somebody led to another address is said, and brought back by whoever says that it is this store's", async () => {
      const { data } = await ask("post", webhookPath())
      const { webhook_uid, signature_key } = data.webhook
      const url = "https://elsewhere.test/hook"
      await api1("PATCH", `/${webhook_uid}`, { url })
      await agesAgo("svc_webhook", "refreshed_at")
      const { webhook } = await get(webhookPath())
      expect(webhook).toMatchObject({
        url,
        last_error: { code: "webhook_other_address", severity: "critical" },
      })
      // Whose it is now, nobody knows: the store that replaced this one may have led it there.
      const refused = await ask("post", webhookPath())
      expect([refused.status, refused.data.code]).toEqual([409, "webhook_of_another_store"])
      expect((await subscribers()).map((subscriber) => subscriber.url)).toEqual([url])

      expect(webhook.last_error.fix).toContain("take_over: true")
      const again = await ask("post", webhookPath(), { take_over: true })
      expect(again.data.webhook).toMatchObject({ webhook_uid, signature_key, last_error: null })
      expect((await subscribers()).map((subscriber) => subscriber.url)).toEqual([hookUrl()])
      await createEvent()
      await soon(async () => expect(await events()).toHaveLength(1))
      await knex()("svc_connection").update({ store_host: null })
    })

    it("says which webhooks are in the way when the page has five", async () => {
      for (let index = 0; index < 5; index += 1) {
        await api1("POST", "", {
          name: `Other ${index}`,
          url: `https://other${index}.test/hook`,
          topics: ["live_event.created"],
        })
      }
      const { status, data } = await ask("post", webhookPath())
      expect([status, data.code]).toEqual([409, "webhook_limit"])
      const other = "Other 3, https://other3.test/hook, active"
      expect(data).toMatchObject({
        message: expect.stringContaining(other),
        params: { answer: expect.stringContaining(other) },
      })
      expect((await get(webhookPath())).webhook).toBeNull()
    })

    it("refuses custom headers that the service would not take, naming the rule", async () => {
      for (const header of [
        { name: "X-Svc-Topic", value: "x" },
        { name: "Host", value: "x" },
        { name: "X Y", value: "x" },
        { name: "X-Y", value: "a\r\nb" },
      ]) {
        const { status, data } = await ask("post", webhookPath(), { custom_headers: [header] })
        expect([status, data.code]).toEqual([400, "invalid_request"])
        expect(data.message).toContain("custom_headers.0")
      }
      expect(await subscribers()).toEqual([])
    })

    it("gets other headers by a new webhook, because the service takes them at creation alone", async () => {
      await ask("post", webhookPath(), {})
      const [before] = await subscribers()
      const headers = [{ name: "X-Gateway", value: "hush" }]
      const saved = await ask("post", webhookPath(), { custom_headers: headers })
      expect([saved.status, saved.data.webhook]).toEqual([
        200,
        expect.objectContaining({ custom_headers: ["X-Gateway"], state: "active" }),
      ])
      const [after, ...more] = await subscribers()
      expect([after?.custom_headers, more]).toEqual([headers, []])
      expect(after?.uid).not.toBe(before?.uid)
      await createEvent({ name: "Through the gateway" })
      await soon(async () =>
        expect(await events()).toMatchObject([{ name: "Through the gateway" }]),
      )
      // The same headers, and none named: nothing about them changes.
      for (const body of [{ custom_headers: headers }, { topics: ["live_event.created"] }]) {
        expect((await ask("post", webhookPath(), body)).status).toBe(200)
        expect(await subscribers()).toMatchObject([{ uid: after?.uid, custom_headers: headers }])
      }
      expect((await ask("post", webhookPath(), { custom_headers: [] })).status).toBe(200)
      expect(await subscribers()).toMatchObject([{ custom_headers: [] }])
    })

    it("goes on as it is where the service refuses the new one", async () => {
      await ask("post", webhookPath())
      const before = await subscribers()
      const known = (await get(webhookPath())).webhook
      const fault = { on: "webhooks", kind: "status", status: 422, method: "POST" }
      await shop.sandbox.control("/faults", fault)
      const headers = { custom_headers: [{ name: "X-Gateway", value: "hush" }] }
      const refused = await ask("post", webhookPath(), headers)
      expect([refused.status, refused.data.code]).toEqual([502, "svc_call_failed"])
      await shop.sandbox.endFaults()
      expect(await subscribers()).toEqual(before)
      expect((await get(webhookPath())).webhook).toEqual(known)
      await createEvent({ name: "Told all the same" })
      await soon(async () => expect(await events()).toHaveLength(1))
    })

    const othersFillPage = async () => {
      for (const index of [1, 2, 3, 4]) {
        const topics = ["live_event.created"]
        await api1("POST", "", { name: `${index}`, url: `https://o${index}.test/hook`, topics })
      }
    }

    it("is said to be gone where the page has no room for both, and the service refuses the new one", async () => {
      await ask("post", webhookPath())
      await othersFillPage()
      const fault = { on: "webhooks", kind: "status", status: 422, method: "POST" }
      await shop.sandbox.control("/faults", fault)
      const headers = { custom_headers: [{ name: "X-Gateway", value: "hush" }] }
      const refused = await ask("post", webhookPath(), headers)
      expect([refused.status, refused.data.code]).toEqual([502, "webhook_before_gone"])
      expect(refused.data.message).toContain("the one before it is deleted")
      await shop.sandbox.endFaults()
      expect((await get(webhookPath())).webhook).toMatchObject({
        state: "missing",
        rotating: false,
        last_error: { code: "webhook_missing" },
      })
      expect((await ask("post", webhookPath(), headers)).data.webhook.state).toBe("active")
      await createEvent({ name: "Told again" })
      await soon(async () => expect(await events()).toHaveLength(1))
    })

    it("is deleted first where the page has no room for both, and after the new one where one deletion fails", async () => {
      await ask("post", webhookPath())
      await othersFillPage()
      const change = (value: string) =>
        ask("post", webhookPath(), { custom_headers: [{ name: "X-Gateway", value }] })
      const ours = async () => (await subscribers()).filter(({ url }) => url === hookUrl())
      expect((await change("one")).status).toBe(200)
      expect(await ours()).toMatchObject([{ custom_headers: [{ value: "one" }] }])

      const [other] = (await subscribers()).filter(({ url }) => url !== hookUrl())
      await api1("DELETE", `/${other?.uid}`)
      const fault = { on: "webhooks", kind: "status", status: 403, method: "DELETE", times: 1 }
      await shop.sandbox.control("/faults", fault)
      const half = await change("two")
      expect([half.status, half.data.code]).toEqual([502, "webhook_before_left"])
      await shop.sandbox.endFaults()
      expect(await ours()).toHaveLength(2)
      // The new one works, and the next press deletes the other.
      await createEvent({ name: "Through the new one" })
      await soon(async () => expect(await events()).toHaveLength(1))
      await knex()("svc_hold").delete()
      expect((await ask("post", webhookPath())).status).toBe(200)
      expect(await ours()).toMatchObject([{ custom_headers: [{ value: "two" }] }])
    })

    it("is registered, and replaced, where the service asks for a second's patience meanwhile", async () => {
      const slower = (method: string) =>
        shop.sandbox.control("/faults", {
          ...{ on: "webhooks", kind: "throttle", retry_after: 1, method, times: 1 },
        })
      await slower("POST")
      expect((await ask("post", webhookPath())).status).toBe(200)
      await shop.sandbox.endFaults()
      await othersFillPage()
      await slower("POST")
      const replaced = { custom_headers: [{ name: "X-Gateway", value: "hush" }] }
      expect((await ask("post", webhookPath(), replaced)).data).toMatchObject({
        webhook: { state: "active" },
      })
      const ours = (await subscribers()).filter(({ url }) => url === hookUrl())
      expect(ours).toMatchObject([{ custom_headers: [{ value: "hush" }] }])
    })

    it("says that the service cannot be reached, and leaves nothing half made", async () => {
      await shop.sandbox.control("/faults", {
        on: "webhooks",
        kind: "status",
        status: 401,
        times: 1,
      })
      const { status, data } = await ask("post", webhookPath())
      expect([status, data.code]).toEqual([502, "svc_call_failed"])
      expect((await get(webhookPath())).webhook).toBeNull()
      expect((await ask("post", `${webhookPath()}/rotate`)).data.code).toBe(
        "webhook_not_registered",
      )
    })

    it("gets a new webhook for a disabled one at one press, and is told of shows again", async () => {
      await ask("post", webhookPath(), { custom_headers: [{ name: "X-Gateway", value: "open" }] })
      const [before] = await subscribers()
      await disableSubscriber()

      const refused = await ask("post", webhookPath())
      expect([refused.status, refused.data.code]).toEqual([409, "webhook_headers_unknown"])
      expect(await subscribers()).toMatchObject([{ uid: before?.uid, state: "disabled" }])

      const { status, data } = await ask("post", webhookPath(), {
        custom_headers: [{ name: "X-Gateway", value: "open" }],
      })
      expect([status, data.webhook.state, data.webhook.last_error]).toEqual([200, "active", null])
      const [after, ...more] = await subscribers()
      expect([after?.state, more]).toEqual(["active", []])
      expect(after?.uid).not.toBe(before?.uid)

      await createEvent({ name: "Heard again" })
      await soon(async () => {
        const names = (await events()).map(({ name }: { name: string }) => name)
        expect(names.sort()).toEqual(["Heard again", "Never delivered"])
      })
    })

    it("is not made anew without its headers where the service has lost it", async () => {
      const headers = { custom_headers: [{ name: "X-Gateway", value: "open" }] }
      await ask("post", webhookPath(), headers)
      const [before] = await subscribers()
      await api1("DELETE", `/${before?.uid}`)

      const refused = await ask("post", webhookPath())
      expect([refused.status, refused.data.code]).toEqual([409, "webhook_headers_unknown"])
      expect(await subscribers()).toEqual([])

      expect((await ask("post", webhookPath(), headers)).status).toBe(200)
      expect(await subscribers()).toMatchObject([{ custom_headers: [{ value: "open" }] }])
      const [again] = await subscribers()
      await api1("DELETE", `/${again?.uid}`)
      // A person may want none.
      expect((await ask("post", webhookPath(), { custom_headers: [] })).status).toBe(200)
      expect(await subscribers()).toMatchObject([{ custom_headers: [] }])
    })

    it("is not left behind by a connection that is deleted while it registers", async () => {
      await shop.sandbox.control("/faults", { on: "webhooks", kind: "delay", delay_ms: 300 })
      const registering = ask("post", webhookPath())
      await shop.sandbox.faultsStruck()
      const [registered, deleted] = await Promise.all([
        registering,
        ask("delete", `/connections/${shop.denmark.connectionId}`),
      ])
      expect([200, 404]).toContain(registered.status)
      expect(deleted.status).toBe(200)
      expect(await subscribers()).toEqual([])
      expect(await svc().listSvcWebhooks({})).toEqual([])
    })

    it("is neither missing, nor made or called removed, where it may be one of those that nobody can read", async () => {
      await ask("post", webhookPath())
      await shop.sandbox.control("/faults", {
        on: "webhooks",
        method: "GET",
        kind: "status",
        status: 200,
        body: { data: [{ address: hookUrl() }, { webhookUid: "w", email: "a@b.example" }] },
      })
      await agesAgo("svc_webhook", "refreshed_at")
      expect((await get(webhookPath())).webhook).toMatchObject({ state: "active" })
      for (const method of ["post", "delete"] as const) {
        const { status, data } = await ask(method, webhookPath())
        expect([method, status, data.code]).toEqual([method, 502, "svc_call_failed"])
        expect(data.message).toContain("cannot be read")
      }
      const { findings } = await get(`${webhookPath()}/doctor`)
      expect(findings.map(({ code }: { code: string }) => code)).toContain("service_unreachable")
      await shop.sandbox.endFaults()
      expect(await subscribers()).toHaveLength(1)
      expect((await ask("delete", webhookPath())).status).toBe(200)
    })

    it("says that deliveries are refused where another one leads to us, in place of ours and with a key of its own", async () => {
      await ask("post", webhookPath())
      const [ours] = await subscribers()
      await api1("DELETE", `/${ours?.uid}`)
      await api1("POST", "", { name: "By hand", url: hookUrl(), topics: ours?.topics })
      await agesAgo("svc_webhook", "refreshed_at")
      await get(webhookPath())
      await knex()("svc_webhook").update({ rotation: null, rotating_until: null })
      await createEvent()
      await soon(async () => {
        await svc().webhooks.admission.writeNotes()
        expect((await shop.problems()).map(({ code }) => code)).toContain("deliveries_refused")
      })
    })

    it("notices that the service does not know it any more", async () => {
      await ask("post", webhookPath())
      await shop.sandbox.control("/reset", {})
      await agesAgo("svc_webhook", "refreshed_at")
      expect((await get(webhookPath())).webhook).toMatchObject({
        state: "missing",
        last_error: { code: "webhook_missing" },
      })
      expect((await ask("post", webhookPath())).data.webhook.state).toBe("active")
      await createEvent()
      await soon(async () => expect(await events()).toHaveLength(1))
    })
  })
}
