/** What the parts of `webhooks.spec.ts` share: a connected shop, its receiver, and the sandbox that delivers to it. */
import { workPulls } from "../../../src/workflows/shows"
import { connectedShop, withMore } from "../../setup/connected-shop"
import { type Answer, deliver, liveEvent, type Sending } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import type { StoreSuite } from "../../setup/medusa"

/** Repeats a check until it holds, and fails with what it found last. */
export const soon = (check: () => Promise<void>) => eventually(check, () => true)

export const KEY = "a key as it was shown, with ø"

export type WebhooksShop = ReturnType<typeof webhooksShop>

/** To be called where the store is described: its hooks are for every part. */
export function webhooksShop(suite: StoreSuite) {
  const { api, getContainer, storeUrl } = suite
  // The store forgets its shows and subscribers with each test, and the sandbox does.
  afterEach(() => shop.sandbox.control("/reset", {}))
  const shop = connectedShop(suite)
  const { knex, svc } = shop
  const get = async (path: string) => (await api.get(`/admin/svc${path}`, shop.denmark.admin)).data
  const ask = (method: "post" | "delete" | "get", path: string, body?: unknown) =>
    api.request({
      method,
      url: `/admin/svc${path}`,
      data: body,
      ...shop.denmark.admin,
      validateStatus: () => true,
    })
  const webhookPath = () => `/connections/${shop.denmark.connectionId}/webhook`
  const hookUrl = () => `${storeUrl}/hooks/svc/${shop.denmark.connectionId}`
  const send = (body: unknown, changes: Partial<Sending> = {}): Promise<Answer> =>
    deliver({ url: hookUrl(), key: KEY, body, ...changes })
  /** Sent again where the receiver asks for that, as the service does: its rows were locked for too long. It is kept then. */
  const tell = async (body: unknown): Promise<Answer> => {
    const answer = await eventually(
      () => send(body),
      ({ status }) => status !== 503 && status !== 429,
    )
    expect([answer.status, answer.body]).toMatchObject([200, { received: true }])
    return answer
  }
  const inbox = async () => (await get("/deliveries?limit=200")).deliveries
  const events = async () => (await get("/live-events?limit=200")).live_events
  const settled = () =>
    soon(async () => {
      const waiting = await get("/deliveries?outcome=received")
      expect(waiting.count).toBe(0)
    })

  const pasteKey = (signature_key = KEY) => ask("post", `${webhookPath()}/key`, { signature_key })
  /** The listings that a new subscriber has read are read: later they would judge what a test delivers. */
  const keyIsKnown = async () => {
    expect((await pasteKey()).status).toBe(200)
    await workPulls(getContainer())
  }

  const subscribers = async () => (await shop.sandbox.client.subscribers.list()).subscribers
  const createEvent = async (changes: Record<string, unknown> = {}) =>
    (
      await shop.sandbox.control<{ event: { id: string; campaign_uid: string } }>("/events", {
        page_uid: "demo-page",
        kind: "live",
        name: "Evening at the kiln",
        ...changes,
      })
    ).event

  /** Puts a mug into a show at the service. @returns its uid there */
  const addProduct = async (eventId: string, price: number, externalId = "p"): Promise<string> => {
    const { uid } = await shop.sandbox.client.events.addProduct(eventId, {
      external_id: externalId,
      name: "Mug",
      sku: `sku-${externalId}`,
      url: "http://127.0.0.1:8000/p",
      price,
    })
    return uid
  }
  /** Reads the listings now, whatever is waited for. */
  const pull = async () => {
    await svc().shows.pulls.request("requested", [shop.denmark.connectionId])
    await workPulls(getContainer())
  }
  /** What health says is wrong. */
  const problems = async (): Promise<{ code: string; severity: string; message: string }[]> =>
    (await ask("get", "/health")).data.health.problems

  const agesAgo = (table: string, column: string) =>
    knex()(table).update({ [column]: new Date(Date.now() - 3_600_000) })

  /** An hour of answers that are not 2xx (interface §3.2). */
  async function disableSubscriber() {
    await shop.sandbox.control("/faults", { on: "delivery", kind: "status", status: 503 })
    await createEvent({ name: "Never delivered", is_published: false })
    for (let step = 0; step < 8; step += 1) {
      await shop.sandbox.control("/clock", { advance: "15m" })
      await shop.sandbox.control("/emit", {
        page_uid: "demo-page",
        topic: "live_event.updated",
        data: liveEvent("noise"),
      })
    }
    await shop.sandbox.endFaults()
  }

  return withMore(shop, {
    storeUrl,
    addProduct,
    problems,
    pull,
    agesAgo,
    ask,
    createEvent,
    disableSubscriber,
    events,
    get,
    hookUrl,
    inbox,
    keyIsKnown,
    pasteKey,
    send,
    settled,
    subscribers,
    tell,
    webhookPath,
  })
}
