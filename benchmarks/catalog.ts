/**
 * How fast the catalog reaches the service: a real store process, a Postgres, and a stub that takes everything, so that it
 * is the plugin that is measured. Ratios first: the peer (`catalog-peer.ts`) fills its index from the same database, in the
 * same run, at the same stub. The pace is lifted except where it is what is measured: 5 calls a second are a courtesy to
 * the service, not a limit of ours.
 *
 * `BENCH_PRODUCTS` sets the size (20,000 products with three variants, prices, a sale and stock); `BENCH_MARKETS` (3) connections sell them.
 * `BENCH_PARTS` names the parts to be run, with commas between: each takes a minute or two. Without it all are run.
 */
import { execFile, spawn } from "node:child_process"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Knex, knex } from "@medusajs/framework/mikro-orm/knex"
import { createDatabase } from "../integration-tests/setup/test-database"
import { type RunningChild, startChild } from "../tools/child"
import { freePort } from "../tools/ports"
import { PEER, peerProcess, preparePeer } from "./catalog-peer"
import { type SeededMarket, seedCatalog } from "./catalog-seed"
import type { Seen } from "./catalog-stub"
import type { Figure } from "./figures"
import { onOwnServer, type Stops } from "./on-own-server"
import { memoryMb, processorMs } from "./process-use"

const ROOT = resolve(__dirname, "..")
const PRODUCTS = Number(process.env.BENCH_PRODUCTS ?? 20_000)
const CHANGES = 40
const UPDATED_AT_ONCE = 200
const IDLE_MS = 60_000
const USER = { email: "bench@example.test", password: "a password for benchmarks" }
const [FIRST, ...OTHERS] = [
  "first",
  ...Array.from(
    { length: Number(process.env.BENCH_MARKETS ?? 3) - 1 },
    (_, n) => `market-${n + 2}`,
  ),
] as [string, ...string[]]
const MARKETS = [FIRST, ...OTHERS]

const PARTS = ["peer", "unchanged", "markets", "batch", "changes", "idle", "pace"] as const
type Part = (typeof PARTS)[number]
const wanted = process.env.BENCH_PARTS?.split(",")
const wants = (part: Part): boolean => wanted?.includes(part) ?? true

type Sync = { status: string; total: number; done: number; started_at: string; finished_at: string }
type Api = <T>(path: string, body?: unknown) => Promise<T>
type Bench = {
  database: Knex
  env: Record<string, string>
  stubUrl: string
  seen: (place: string) => Promise<Seen>
  market: SeededMarket
}

export const run = (): Promise<Figure[]> => onOwnServer(startAndMeasure)

async function startAndMeasure(stops: Stops): Promise<Figure[]> {
  const { url, drop } = await createDatabase(`svc_bench_catalog_${process.pid}`)
  stops.push(drop)
  const stubPort = await freePort()
  const stubUrl = `http://127.0.0.1:${stubPort}`
  const stub = await startChild({
    name: "The stub",
    script: "benchmarks/catalog-stub.ts",
    env: { PORT: String(stubPort), NODE_OPTIONS: "" },
    readyUrl: `${stubUrl}/seen`,
  })
  stops.push(() => stub.stop())
  const database = knex({ client: "pg", connection: url })
  stops.push(() => database.destroy())
  return measure({
    database,
    stubUrl,
    seen: async (place) => (await (await fetch(`${stubUrl}/seen?at=${place}`)).json()) as Seen,
    market: { sales_channel_id: "", region_id: "" },
    env: {
      DATABASE_URL: url,
      LOG_LEVEL: "error",
      NODE_OPTIONS: "",
      SVC_ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString("base64")}`,
      SVC_ALLOW_INSECURE_URLS: "true",
    },
  })
}

async function measure(bench: Bench): Promise<Figure[]> {
  const { database, env, seen, stubUrl } = bench
  const unlimited = { SVC_CATALOG_REQUESTS_PER_SECOND: "1000" }
  const figures: Figure[] = []
  const add = (name: string, value: number, unit: string, mark: Partial<Figure> = {}) =>
    figures.push({ name: `catalog: ${name}`, value, unit, ...mark })

  // The first start migrates.
  await withStore(bench, unlimited, async () => {
    await medusa(["user", "-e", USER.email, "-p", USER.password], env)
    bench.market = await seedCatalog(database, PRODUCTS, "bench")
  })
  const peer = wants("peer") ? await measurePeer(bench) : null

  await withStore(bench, unlimited, async ({ api, store }) => {
    const connect = async (place: string): Promise<string> => {
      const { connection } = await api<{ connection: { id: string } }>("/admin/svc/connections", {
        name: place,
        page_uid: place,
        base_url: `${stubUrl}/${place}`,
        api_token: "bench",
        storefront_url: "https://shop.example",
        ...bench.market,
      })
      return `/admin/svc/connections/${connection.id}/sync`
    }
    const before = { memory: memoryMb(store.pid, "VmRSS"), processor: processorMs(store.pid) }
    const first = await connect(FIRST)
    await importOnce(api, first, {})
    const sent = await seen(FIRST)
    if (sent.products !== PRODUCTS) throw new Error(`${sent.products} of ${PRODUCTS} arrived`)
    const alone = perSecond(sent)
    add("full import of one market", alone, "products/s", { atLeast: 1_500 })
    if (peer) {
      add("the same, compared with the peer", alone / peer.rate, "x")
      add(`the peer (${PEER})`, peer.rate, "products/s")
      add("memory of the peer's store, highest", peer.memory, "MB")
    }
    add("memory that the import adds", memoryMb(store.pid, "VmHWM") - before.memory, "MB", {
      atMost: 200,
    })
    const processor = processorMs(store.pid) - before.processor
    add("the store's processor time for 1,000", (processor / PRODUCTS) * 1_000, "ms")

    if (wants("unchanged")) {
      const scanned = await scans(database)
      const unchanged = await importOnce(api, first, {})
      const seconds = (Date.parse(unchanged.finished_at) - Date.parse(unchanged.started_at)) / 1_000
      add("import of an unchanged catalog", PRODUCTS / seconds, "products/s", { atLeast: 850 })
      add("its calls", (await seen(FIRST)).calls - sent.calls, "calls", { atMost: 0 })

      for (const [table, rows] of await scans(database)) {
        const more = rows - (scanned.get(table) ?? 0)
        if (more > 0) add(`rows of ${table} that it read by scans`, more, "rows", { atMost: 0 })
      }
    }

    const others: string[] = []
    for (const place of wants("markets") || wants("changes") ? OTHERS : [])
      others.push(await connect(place))
    if (wants("markets")) {
      const began = Date.now()
      await Promise.all([
        importOnce(api, first, { force: true }),
        ...others.map((sync) => importOnce(api, sync, {})),
      ])
      add(
        `${MARKETS.length} markets at once, all together`,
        (MARKETS.length * PRODUCTS * 1_000) / (Date.now() - began),
        "products/s",
      )
    } else for (const sync of others) await importOnce(api, sync, {})

    if (wants("batch")) {
      const calls = async () => (await Promise.all(MARKETS.map(seen))).map(({ calls }) => calls)
      const callsBefore = await calls()
      await api("/admin/products/batch", {
        update: Array.from({ length: UPDATED_AT_ONCE }, (_, n) => ({
          id: productId(n + 1),
          title: `Batch ${n}`,
        })),
      })
      await atRest(bench)
      const most = Math.max(...(await calls()).map((after, n) => after - (callsBefore[n] ?? 0)))
      add(`calls to a market for ${UPDATED_AT_ONCE} products of one workflow`, most, "calls", {
        atMost: 4,
      })
    }

    if (wants("changes")) {
      add("from a change to the service at rest, p95", await changes(api, bench, "rest"), "ms", {
        atMost: 1_000,
      })
      const during = async (sync: string, name: string) => {
        const running = importOnce(api, sync, { force: true })
        const p95 = await changes(api, bench, name)
        await running
        return p95
      }
      add("the same, during an import of the connection, p95", await during(first, "own"), "ms", {
        atMost: 3_000,
      })
      for (const other of others.slice(0, 1)) {
        add("the same, during an import of another, p95", await during(other, "other"), "ms", {
          atMost: 3_000,
        })
      }
    }
    if (wants("idle")) {
      // What the last imports have counted reaches the statistics when their connections close.
      await sleep(15_000)
      const idle = await transactions(database)
      await sleep(IDLE_MS)
      const perIdleSecond = ((await transactions(database)) - idle) / (IDLE_MS / 1_000)
      add("transactions of an idle store, jobs of the minute included", perIdleSecond, "per s", {
        atMost: 1,
      })
    }
    add("memory of the store, highest", memoryMb(store.pid, "VmHWM"), "MB")
  })

  if (wants("pace")) {
    await withStore(bench, {}, async ({ api }) => {
      const { connections } = await api<{ connections: { id: string; name: string }[] }>(
        "/admin/svc/connections",
      )
      const own = connections.find(({ name }) => name === FIRST)
      await fetch(`${stubUrl}/seen?at=${FIRST}&forget=1`)
      await importOnce(api, `/admin/svc/connections/${own?.id}/sync`, { force: true })
      add(
        "full import at the default pace of 500 products/s",
        perSecond(await seen(FIRST)),
        "products/s",
        {
          atLeast: 475,
        },
      )
    })
  }
  return figures
}

/** The peer's rate from its first document to its last, or null where it cannot be installed. */
async function measurePeer({
  env,
  stubUrl,
  seen,
}: Bench): Promise<{ rate: number; memory: number } | null> {
  const peerEnv = {
    ...process.env,
    ...env,
    PEER_HOST: `${stubUrl}/peer`,
    PORT: String(await freePort()),
  }
  try {
    await preparePeer(peerEnv)
  } catch (error) {
    console.log(`The peer could not be installed: ${(error as Error).message.slice(0, 500)}`)
    return null
  }
  const { command, args, cwd } = peerProcess
  const peer = spawn(command, args, { cwd, env: peerEnv, stdio: ["ignore", "inherit", "inherit"] })
  try {
    const until = Date.now() + 300_000
    while ((await seen("peer")).products < PRODUCTS) {
      if (Date.now() > until || peer.exitCode !== null)
        throw new Error("The peer did not fill its index.")
      await sleep(200)
    }
    return { rate: perSecond(await seen("peer")), memory: memoryMb(peer.pid ?? 0, "VmHWM") }
  } finally {
    peer.kill("SIGTERM")
  }
}

async function withStore(
  { env }: Bench,
  more: Record<string, string>,
  work: (running: { api: Api; store: RunningChild }) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const storeUrl = `http://127.0.0.1:${port}`
  const store = await startChild({
    name: "The store",
    script: "tools/store.ts",
    env: { ...env, PORT: String(port), ...more },
    readyUrl: `${storeUrl}/health`,
    timeoutMs: 300_000,
  })
  try {
    await work({ store, api: signedIn(storeUrl) })
  } finally {
    await store.stop()
  }
}

const medusa = (args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ["node_modules/.bin/medusa", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })

/** Signs in with the first request. */
function signedIn(storeUrl: string): Api {
  let token: Promise<string> | undefined
  const request = async <T>(path: string, body: unknown, authorization: string): Promise<T> => {
    const response = await fetch(`${storeUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  return async (path, body) => {
    token ??= request<{ token: string }>("/auth/user/emailpass", USER, "").then(
      (given) => given.token,
    )
    return request(path, body, `Bearer ${await token}`)
  }
}

/** Runs a full import to its end, or watches the one that the connection began with. */
async function importOnce(api: Api, path: string, body: { force?: boolean }): Promise<Sync> {
  const { sync: current } = await api<{ sync: Sync }>(path)
  if (current.status !== "running") await api(path, body)
  for (;;) {
    const { sync } = await api<{ sync: Sync }>(path)
    if (sync.status !== "running") return sync
    await sleep(200)
  }
}

const productId = (n: number): string => `prod_bench_${String(n).padStart(7, "0")}`

/** Waits until no product is to be sent. */
async function atRest({ database }: Bench): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const { rows } = await database.raw<{ rows: unknown[] }>(
      "SELECT 1 FROM svc_catalog_item WHERE wanted > acknowledged AND deleted_at IS NULL LIMIT 1",
    )
    quiet = rows.length === 0 ? quiet + 1 : 0
    await sleep(200)
  }
}

/** 95th percentile of ms from the answer of the admin's request to the arrival at the first market. */
async function changes(api: Api, { seen }: Bench, name: string): Promise<number> {
  const changed = new Map<string, number>()
  for (let n = 1; n <= CHANGES; n++) {
    const title = `Change ${name} ${n}`
    await api(`/admin/products/${productId(n)}`, { title })
    changed.set(title, Date.now())
    await sleep(200)
  }
  const until = Date.now() + 120_000
  for (;;) {
    const { arrived } = await seen(FIRST)
    const waited = [...changed].flatMap(([title, at]) => {
      const there = arrived[title]
      return there === undefined ? [] : Math.max(0, there - at)
    })
    if (waited.length === changed.size) return percentile(waited, 0.95)
    if (Date.now() > until) throw new Error("Not every change arrived.")
    await sleep(100)
  }
}

const LARGE = 5_000

/** Rows that sequential scans have read so far, by table; small tables may be read whole. */
async function scans(database: Knex): Promise<Map<string, number>> {
  await sleep(12_000)
  const { rows } = await database.raw<{ rows: { relname: string; read: string }[] }>(
    `SELECT relname, seq_tup_read AS read FROM pg_stat_user_tables WHERE n_live_tup > ${LARGE}`,
  )
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]))
}

/** Transactions of this database so far. */
async function transactions(database: Knex): Promise<number> {
  const { rows } = await database.raw<{ rows: { n: string }[] }>(
    "SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()",
  )
  return Number(rows[0]?.n ?? 0)
}

const perSecond = ({ products, first, last }: Seen): number =>
  Math.round((products / Math.max(1, last - first)) * 1_000)

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}
