/**
 * A store whose process is killed while it takes deliveries in and applies them, and one that was not reached for hours: nothing
 * is lost, nothing is doubled, and what was missed is read. `RECEIVER_KILLS=50` kills as often (once otherwise).
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "@medusajs/framework/pg"
import { createDelivery, signDelivery } from "../../src/testing"
import type { RunningChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { type Balancer, startBalancer } from "../setup/balancer"
import { eventProduct } from "../setup/deliveries"
import { eventually } from "../setup/market"
import { postOf, pump } from "../setup/pump"
import { addReceiver, RECEIVER } from "../setup/receiving-store"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { HURRIED_JOBS, SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase, type TestDatabase } from "../setup/test-database"

const KILLS = Number(process.env.RECEIVER_KILLS ?? 1)

describe("a receiver whose process ends", () => {
  let database: TestDatabase
  let sandbox: RunningSandbox
  let client: Client
  let port: number
  let gateway: Balancer
  let store: RunningChild
  let key: string

  const start = () =>
    startStore(database, port, { script: "tools/store.ts", ready: "/health", env: HURRIED_JOBS })
  const rows = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[]

  beforeAll(async () => {
    database = await createDatabase(`svc_receiver_${process.pid}`, "migrated")
    sandbox = await startSandbox()
    port = await freePort()
    gateway = await startBalancer([port])
    store = await start()
    const response = await fetch(`${sandbox.url}/api/v1/webhooks`, {
      method: "POST",
      headers: {
        authorization: "Token sandbox-token-demo-page",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        name: "Store",
        url: `${gateway.url}/hooks/svc/${RECEIVER.connectionId}`,
        topics: ["live_event", "live_event_product"].flatMap((entity) =>
          ["created", "updated", "deleted"].map((change) => `${entity}.${change}`),
        ),
      }),
    })
    const made = (await response.json()) as { signatureKey: string; webhookUid: string }
    key = made.signatureKey
    await addReceiver(database.url, { baseUrl: sandbox.url, key, webhookUid: made.webhookUid })
    client = new Client({ connectionString: database.url })
    await client.connect()
  }, SLOW_START_MS)

  afterAll(async () => {
    await client.end()
    await store.stop()
    await sandbox.stop()
    await gateway.stop()
    await database.drop()
  })

  it(`loses and doubles nothing when it is killed (kills: ${KILLS})`, async () => {
    const told: { uid: string; price: number; body: string; answered: boolean }[] = []
    let clock = Date.now() - 200_000
    const change = () => {
      clock += 1
      const n = told.length
      const { body } = createDelivery({
        key,
        topic: "live_event_product.updated",
        pageUid: RECEIVER.pageUid,
        occurredAt: clock,
        data: eventProduct(`p${n % 40}`, "campaign", { price: n + 1 }),
      })
      told.push({ uid: `p${n % 40}`, price: n + 1, body, answered: false })
      return n
    }
    /** Signed when it is sent: the service signs each attempt anew. */
    const requestOf = (n: number): Buffer => {
      const body = told[n]?.body ?? ""
      return postOf(`/hooks/svc/${RECEIVER.connectionId}`, body, signDelivery({ key, body }))
    }
    /** Sends until the store is gone; says which were answered. */
    async function tellUntil(signal: AbortSignal): Promise<void> {
      await pump({
        port,
        connections: 16,
        request: () => requestOf(change()),
        onAnswer: (n, status) => {
          const sent = told[first + n]
          if (sent && status === "200") sent.answered = true
        },
        signal,
      }).catch(() => undefined)
    }
    let first = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      first = told.length
      const over = new AbortController()
      const telling = tellUntil(over.signal)
      // While it still warms up, while it is at full speed, and with much or little left to apply.
      await sleep(200 + ((kill * 137) % 1_300))
      // On a busy machine it may not have answered one yet: every other time it has.
      if (kill % 2 === 0) {
        await eventually(
          async () => told.slice(first).some(({ answered }) => answered),
          (some) => some,
        )
      }
      store.kill()
      over.abort()
      await store.ended
      await telling
      store = await start()
    }
    const lost = told.flatMap(({ answered }, n) => (answered ? [] : [n]))
    // What was not answered the service sends again; some of it was committed already.
    for (const n of lost) {
      const again = () => pump({ port, connections: 1, total: 1, request: () => requestOf(n) })
      // As often as it takes a store that has just begun.
      await eventually(again, ({ statuses }) => statuses[200] === 1)
    }
    await eventually(
      () =>
        rows<{ count: number }>(
          "SELECT count(*)::int AS count FROM svc_delivery WHERE outcome = 'received'",
        ),
      ([waiting]) => waiting?.count === 0,
    )
    expect(told.filter(({ answered }) => answered).length).toBeGreaterThan(0)
    expect(
      await rows(
        "SELECT outcome, count(*)::int AS count FROM svc_delivery WHERE outcome NOT IN ('applied', 'stale') GROUP BY outcome",
      ),
    ).toEqual([])
    expect(await rows("SELECT count(*)::int AS count FROM svc_delivery")).toEqual([
      { count: told.length },
    ])
    const latest = new Map(told.map(({ uid, price }) => [uid, price]))
    const prices = await rows<{ uid: string; price: string }>(
      "SELECT uid, price FROM svc_event_product",
    )
    expect(new Map(prices.map(({ uid, price }) => [uid, Number(price)]))).toEqual(latest)
  }, 3_600_000)

  it(
    "reads what happened while it was up and the service had disabled its deliveries, once they are activated",
    async () => {
      type Event = { id: string; campaign_uid: string }
      const { control } = sandbox
      const make = (name: string) =>
        sandbox.client.events.create({ page_uid: "demo-page", kind: "live", name })
      const shown = async () =>
        new Map(
          (
            await rows<{ name: string; status: string; gone: boolean }>(
              `SELECT name, status, (deleted_in_svc_at IS NOT NULL OR absent_at IS NOT NULL) AS gone
               FROM svc_live_event WHERE name LIKE 'Up%'`,
            )
          ).flatMap(({ name, status, gone }) => (gone ? [] : [[name, status]])),
        )
      /** Prices in our copy of the products, by campaign. */
      const prices = async () =>
        new Map(
          (
            await rows<{ campaign_uid: string; price: string }>(
              "SELECT campaign_uid, price FROM svc_event_product WHERE deleted_in_svc_at IS NULL",
            )
          ).map(({ campaign_uid, price }) => [campaign_uid, Number(price)]),
        )

      /** What is asked again, or has to be said twice, waits no longer. */
      const aMomentPasses = () =>
        client.query(
          `UPDATE svc_live_event SET unlisted_at = unlisted_at - interval '15 seconds',
             doubt = jsonb_set(doubt, '{since}', to_jsonb((doubt->>'since')::bigint - 15000));
           UPDATE svc_connection_work SET next_attempt_at = next_attempt_at - interval '15 seconds'`,
        )
      const listings = (are: string) =>
        rows(`SELECT id FROM svc_connection_work WHERE kind = 'listings' AND ${are}`)

      // What the process that was killed had begun.
      await client.query("UPDATE svc_connection_work SET lease_until = now()")
      await eventually(
        () => listings("wanted > acknowledged AND coalesce(next_attempt_at, now()) <= now()"),
        (due) => due.length === 0,
      )

      // Of 24 shows with a product the store knows. A product of a show that comes has a price as well.
      await control("/profiles", { campaign_prices: "open" })
      const known: (Event & { uid: string })[] = []
      for (let n = 0; n < 24; n += 1) {
        const event = await make(`Up ${n}`)
        const { event_product } = await control<{ event_product: { uid: string } }>(
          `/events/${event.id}/products`,
          { external_id: `p${n}`, name: "Mug", sku: `m${n}`, url: "http://127.0.0.1/p", price: 10 },
        )
        known.push({ ...event, uid: event_product.uid })
      }
      await eventually(shown, (events) => events.size === 24)
      await eventually(prices, (all) => known.every(({ campaign_uid }) => all.has(campaign_uid)))

      // Nothing reaches it while some are renamed, started or deleted and most prices change, and 90 more come: a list has two pages then.
      gateway.close()
      const truth = new Map<string, string>()
      const cost = new Map<string, number>()
      for (let n = 0; n < 114; n += 1) {
        const name = `Up ${n < 24 ? (n % 3 === 0 ? `renamed ${n}` : n) : `new ${n}`}`
        const starts = n < 24 ? n % 3 !== 0 && n % 2 === 0 : n % 2 === 0
        const event = known[n] ?? (await make(name))
        if (n < 24 && n % 6 === 0) await control(`/events/${event.id}`, undefined, "DELETE")
        else {
          truth.set(name, starts ? "live" : "planned")
          if (n < 24 && n % 3 === 0) await control(`/events/${event.id}`, { name })
          if (starts) await control(`/events/${event.id}/start`, {})
          const product = known[n]
          if (product) {
            cost.set(event.campaign_uid, 20 + n)
            await control(`/events/${event.id}/products/${product.uid}`, { price: 20 + n })
          }
        }
        if (n % 11 === 0) await control("/clock", { advance: "12m" })
      }
      const [subscriber] = (await sandbox.client.subscribers.list()).subscribers
      expect(subscriber?.state).toBe("disabled")
      gateway.open()

      // The store's own clock has not been turned: its rows are made as old as they would be. The state of a subscriber that
      // was well is looked up every five minutes: the last time was before the two hours.
      await client.query(
        `UPDATE svc_live_event SET heard_at = heard_at - interval '2 hours';
         UPDATE svc_event_product SET heard_at = heard_at - interval '2 hours';
         UPDATE svc_webhook SET last_delivery_at = last_delivery_at - interval '2 hours',
           refreshed_at = refreshed_at - interval '2 hours';
         UPDATE svc_connection_work SET next_attempt_at = NULL WHERE kind = 'subscriber'`,
      )
      await eventually(
        () => rows<{ state: string }>("SELECT state FROM svc_webhook"),
        ([webhook]) => webhook?.state === "disabled",
      )
      const [{ at } = { at: "" }] = await rows<{ at: string }>("SELECT now()::text AS at")
      await control(`/subscribers/${subscriber?.uid}/activate`, {})
      await aMomentPasses()
      await eventually(
        () => listings(`read_at > '${at}'`),
        (read) => read.length === 1,
      )
      await aMomentPasses()
      // As the service has it, which no delivery has told.
      await eventually(
        shown,
        (events) =>
          events.size === truth.size &&
          [...truth].every(([name, status]) => events.get(name) === status),
      )
      await eventually(prices, (all) =>
        [...cost].every(([campaign, price]) => all.get(campaign) === price),
      )
      expect(await rows(`SELECT id FROM svc_delivery WHERE received_at > '${at}'`)).toEqual([])
    },
    SLOW_START_MS,
  )
})
