/**
 * What the receiver takes, beside a bare route of Medusa that computes one HMAC and inserts one row: real store
 * processes and a Postgres, in turn within one run, so that a busy machine slows both.
 *
 * `BENCH_SCALE` (1) multiplies how many are sent; `BENCH_KEPT_DELIVERIES` (0) are in the inbox before.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "@medusajs/framework/pg"
import { envelope, eventProduct } from "../integration-tests/setup/deliveries"
import { type Pumped, percentile, postOf, pump } from "../integration-tests/setup/pump"
import { addReceiver, RECEIVER } from "../integration-tests/setup/receiving-store"
import { startRedis } from "../integration-tests/setup/redis"
import { startStore } from "../integration-tests/setup/store-process"
import { createDatabase } from "../integration-tests/setup/test-database"
import { createDelivery } from "../src/testing"
import type { RunningChild } from "../tools/child"
import { freePort } from "../tools/ports"
import { type Figure, median } from "./figures"
import { keptDeliveries } from "./kept-deliveries"
import { onOwnServer, type Stops } from "./on-own-server"
import { memoryMb } from "./process-use"

/** A tenth of everything, to see whether the benchmark works. */
const SCALE = Number(process.env.BENCH_SCALE ?? 1)
/** Deliveries that the inbox holds before it begins. */
const KEPT = Number(process.env.BENCH_KEPT_DELIVERIES ?? 0)
const some = (count: number) => Math.max(1, Math.round(count * SCALE))

const PER_ROUND = some(4_000)
const ROUNDS = 5
const CONNECTIONS = 32
const HOOK = `/hooks/svc/${RECEIVER.connectionId}`

type Store = { child: RunningChild; port: number }

let changes = 0
/** A change that no other delivery told. */
function signedChange(): Buffer {
  changes += 1
  const { body, headers } = createDelivery({
    key: RECEIVER.key,
    topic: "live_event_product.updated",
    pageUid: RECEIVER.pageUid,
    data: eventProduct(`p${changes % 500}`, "campaign", {
      price: changes,
      description: "x".repeat(1_000),
    }),
  })
  return postOf(HOOK, body, headers)
}
const BARE_BODY = JSON.stringify(
  envelope(
    "live_event_product.updated",
    eventProduct("p", "c", { description: "x".repeat(1_000) }),
  ),
)
const unsigned = postOf(HOOK, BARE_BODY)

/** The requests are made and signed before the clock starts: it is the store that is measured. */
async function load(store: Store, make: () => Buffer, total: number): Promise<Pumped> {
  const requests = Array.from({ length: total }, make)
  return pump({
    port: store.port,
    connections: CONNECTIONS,
    request: (n) => requests[n] ?? make(),
    total,
  })
}

export const run = (): Promise<Figure[]> => onOwnServer(measure)

async function measure(stops: Stops): Promise<Figure[]> {
  const database = await createDatabase(`svc_bench_webhooks_${process.pid}`)
  stops.push(database.drop)
  // A process that only serves requests leaves the rest to workers, and tells them so through Redis.
  const redis = await startRedis()
  stops.push(() => redis.stop())
  const client = new Client({ connectionString: database.url })
  await client.connect()
  stops.push(() => client.end())
  const start = async (script: string, env: Record<string, string> = {}): Promise<Store> => {
    const port = await freePort()
    const child = await startStore(database, port, {
      ready: "/health",
      script,
      env: { LOG_LEVEL: "error", ...env },
    })
    stops.push(() => child.stop())
    return { child, port }
  }

  const server = { MEDUSA_WORKER_MODE: "server", REDIS_URL: redis.url }
  const serving = await start("tools/store.ts", server)
  // Its start has migrated the database.
  await addReceiver(database.url, { baseUrl: "http://127.0.0.1:9" })
  await client.query(keptDeliveries(RECEIVER.connectionId, KEPT))
  await client.query("VACUUM ANALYZE svc_delivery")
  await client.query("CREATE TABLE bare_delivery (id text PRIMARY KEY, signature text, body text)")
  const bare = await start("benchmarks/bare-store/store.ts")
  const figures = await whileServing({ svc: serving, bare })
  await serving.child.stop()
  const applying = await start("tools/store.ts")
  return [...figures, ...(await whileApplying(bare, applying, client))]
}

/** A process that only serves requests: taking deliveries in, and nothing else. */
async function whileServing({ svc, bare }: { svc: Store; bare: Store }): Promise<Figure[]> {
  const ratio = await ratioOf(svc, bare)
  const figures: Figure[] = [
    { name: "webhooks: the bare route", value: ratio.bare, unit: "/s" },
    { name: "webhooks: taken in, server process alone", value: ratio.svc, unit: "/s" },
    {
      name: "webhooks: of the bare route's, server process alone",
      value: ratio.value,
      unit: "x",
      atLeast: 0.85,
    },
  ]

  const calm = await pump({
    port: svc.port,
    connections: CONNECTIONS,
    request: signedChange,
    total: some(2_000),
    perSecond: 200,
  })
  const flood = new AbortController()
  const flooding = pump({
    port: svc.port,
    connections: 64,
    request: () => unsigned,
    perSecond: 5_000,
    signal: flood.signal,
  })
  await sleep(1_000)
  const flooded = await pump({
    port: svc.port,
    connections: CONNECTIONS,
    request: signedChange,
    total: some(2_000),
    perSecond: 200,
  })
  flood.abort()
  const strangers = await flooding
  figures.push(
    {
      name: "webhooks: unsigned requests answered meanwhile",
      value: strangers.perSecond,
      unit: "/s",
    },
    {
      name: "webhooks: signed during the flood, of those without it",
      value: flooded.perSecond / calm.perSecond,
      unit: "x",
      atLeast: 0.8,
    },
    {
      name: "webhooks: signed during the flood that were not taken",
      value: flooded.answered - (flooded.statuses["200"] ?? 0),
      unit: "",
      atMost: 0,
    },
  )

  const before = memoryMb(svc.child.pid, "VmRSS")
  const burst = await load(svc, signedChange, some(50_000))
  figures.push(
    {
      name: "webhooks: burst, taken in",
      value: burst.statuses["200"] ?? 0,
      unit: "",
      atLeast: some(50_000),
    },
    {
      name: "webhooks: burst, memory grew by",
      value: memoryMb(svc.child.pid, "VmRSS") - before,
      unit: "MiB",
      atMost: 100,
    },
  )
  return figures
}

/** One process that takes deliveries in and applies them. */
async function whileApplying(bare: Store, svc: Store, client: Client): Promise<Figure[]> {
  // What the server process left for the workers.
  const left = await waiting(client)
  const drained = await timeUntilApplied(client)
  const ratio = await ratioOf(svc, bare)
  await timeUntilApplied(client)

  const steady = await pump({
    port: svc.port,
    connections: CONNECTIONS,
    request: signedChange,
    total: some(4_000),
    perSecond: 200,
  })
  await timeUntilApplied(client)

  const started = performance.now()
  const kept = await pump({
    port: svc.port,
    connections: CONNECTIONS,
    request: signedChange,
    total: some(20_000),
    perSecond: 1_000,
  })
  await timeUntilApplied(client)
  const seconds = (performance.now() - started) / 1000
  return [
    { name: "webhooks: a backlog applied", value: left / drained, unit: "/s" },
    {
      name: "webhooks: of the bare route's, applying in the same process",
      value: ratio.value,
      unit: "x",
      atLeast: 0.5,
    },
    {
      name: "webhooks: answer at 200 deliveries/s, p99",
      value: percentile(steady.latencies, 0.99),
      unit: "ms",
      atMost: 50,
    },
    {
      name: "webhooks: taken in and applied at 1,000 deliveries/s",
      value: kept.answered / seconds,
      unit: "/s",
      atLeast: 950,
    },
  ]
}

/** Rounds in turn, compared by their medians. */
async function ratioOf(svc: Store, bare: Store) {
  const rates = { svc: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ofBare = await load(bare, () => postOf("/bare", BARE_BODY), PER_ROUND)
    const ofSvc = await load(svc, signedChange, PER_ROUND)
    for (const [name, { statuses, answered }] of Object.entries({ bare: ofBare, svc: ofSvc })) {
      if (statuses["200"] !== answered) {
        throw new Error(`${name} answered otherwise: ${JSON.stringify(statuses)}`)
      }
    }
    // The first round is for warming up.
    if (round === 0) continue
    rates.bare.push(ofBare.perSecond)
    rates.svc.push(ofSvc.perSecond)
  }
  const [ofSvc, ofBare] = [median(rates.svc), median(rates.bare)]
  return { svc: ofSvc, bare: ofBare, value: ofSvc / ofBare }
}

async function waiting(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM svc_delivery WHERE outcome = 'received'",
  )
  return rows[0]?.count ?? 0
}

/** @returns seconds */
async function timeUntilApplied(client: Client): Promise<number> {
  const started = performance.now()
  while ((await waiting(client)) > 0) await sleep(100)
  return (performance.now() - started) / 1000
}
