/**
 * How fast the catalog reaches the service: a real store process, a Postgres, and a receiver that takes everything, so
 * that it is the plugin that is measured. The pace is lifted (5 calls a second by default): it is a courtesy to the
 * service, not a limit of ours.
 *
 * `BENCH_PRODUCTS` sets the size (10,000 products with three variants, prices, a sale and stock).
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { knex } from "@medusajs/framework/mikro-orm/knex"
import { startTestDatabaseServer } from "../integration-tests/setup/database"
import { startChild } from "../tools/child"
import { freePort } from "../tools/ports"
import { seedCatalog } from "./catalog-seed"

export type Figure = {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

const ROOT = resolve(__dirname, "..")
const PRODUCTS = Number(process.env.BENCH_PRODUCTS ?? 10_000)
const CHANGES = 40
const USER = { email: "bench@example.test", password: "a password for benchmarks" }

/** Takes every batch and remembers when a name first arrived; a process of its own, so that its work is not counted. */
const RECEIVER = `
  let calls = 0, products = 0
  const arrived = new Map()
  const server = require("node:http").createServer((request, response) => {
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      response.setHeader("content-type", "application/json")
      if (request.method === "GET") return response.end(JSON.stringify({ calls, products, arrived: Object.fromEntries(arrived) }))
      const { products: batch } = JSON.parse(Buffer.concat(chunks))
      calls++
      products += batch.length
      for (const { name } of batch) if (name.startsWith("Change")) arrived.set(name, Date.now())
      response.end("{}")
    })
  })
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))
`

type Received = { calls: number; products: number; arrived: Record<string, number> }
type Sync = { status: string; total: number; done: number; started_at: string; finished_at: string }

export async function run(): Promise<Figure[]> {
  const server = await startTestDatabaseServer(ROOT)
  const databaseUrl = new URL(server.env.DATABASE_URL ?? "")
  const name = `svc_bench_catalog_${process.pid}`
  databaseUrl.pathname = `/${name}`
  const receiver = spawn(process.execPath, ["-e", RECEIVER], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const [port] = (await once(receiver.stdout, "data")) as [Buffer]
    return await measure(databaseUrl.href, `http://127.0.0.1:${String(port).trim()}`)
  } finally {
    receiver.kill("SIGTERM")
    const maintenance = knex({ client: "pg", connection: server.env.DATABASE_URL ?? "" })
    await maintenance.raw(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    await maintenance.destroy()
    await server.stop()
  }
}

async function measure(databaseUrl: string, receiverUrl: string): Promise<Figure[]> {
  const port = await freePort()
  const storeUrl = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    LOG_LEVEL: "error",
    NODE_OPTIONS: "",
    SVC_ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 1).toString("base64")}`,
    SVC_ALLOW_INSECURE_URLS: "true",
    SVC_CATALOG_REQUESTS_PER_SECOND: "1000",
  }
  const store = await startChild({
    name: "The store",
    script: "tools/store.ts",
    env,
    readyUrl: `${storeUrl}/health`,
    timeoutMs: 180_000,
  })
  const database = knex({ client: "pg", connection: databaseUrl })
  try {
    await medusa(["user", "-e", USER.email, "-p", USER.password], env)
    const market = await seedCatalog(database, PRODUCTS, "bench")
    const api = await signIn(storeUrl)
    const received = async () => (await (await fetch(receiverUrl)).json()) as Received
    const memory = watchMemory(store.pid)

    const { connection } = await api<{ connection: { id: string } }>("/admin/svc/connections", {
      name: "Bench",
      page_uid: "bench",
      base_url: receiverUrl,
      api_token: "bench",
      storefront_url: "https://shop.example",
      ...market,
    })
    const path = `/admin/svc/connections/${connection.id}/sync`
    const before = processorMs(store.pid)
    const first = await importOnce(api, path)
    const processor = processorMs(store.pid) - before
    const sent = await received()
    if (sent.products !== PRODUCTS) throw new Error(`${sent.products} of ${PRODUCTS} arrived`)

    const sweep = await compare(env)
    const unchanged = await received()

    const latencies = await changeLatencies(api, received)
    return [
      {
        name: "catalog: full import",
        value: perMinute(first),
        unit: "products/min",
        atLeast: 45_000,
      },
      {
        // Says on a busy machine what the time of the clock does not.
        name: "catalog: the store's processor time for 1,000",
        value: (processor / PRODUCTS) * 1_000,
        unit: "ms",
      },
      {
        name: "catalog: unchanged sweep",
        value: Math.round((PRODUCTS / sweep.ms) * 60_000),
        unit: "products/min",
      },
      {
        name: "catalog: calls of an unchanged sweep",
        value: unchanged.calls - sent.calls,
        unit: "calls",
        atMost: 0,
      },
      {
        name: "catalog: from a change to the service, p95",
        value: percentile(latencies, 0.95),
        unit: "ms",
        atMost: 5_000,
      },
      { name: "catalog: memory of the store, highest", value: memory(), unit: "MB" },
    ]
  } finally {
    await database.destroy()
    await store.stop()
  }
}

/** The nightly sweep, in a process of its own as a worker would be. */
async function compare(env: Record<string, string>): Promise<{ ms: number }> {
  const { stdout } = await medusa(["exec", "benchmarks/catalog-sweep.ts"], env)
  const result = /sweep (\{.*\})/.exec(stdout)?.[1]
  if (!result) throw new Error(`The sweep said nothing.\n${stdout.slice(-2000)}`)
  return JSON.parse(result)
}

const medusa = (args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ["node_modules/.bin/medusa", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })

type Api = <T>(path: string, body?: unknown) => Promise<T>

async function signIn(storeUrl: string): Promise<Api> {
  let token = ""
  const api: Api = async (path, body) => {
    const response = await fetch(`${storeUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  token = (await api<{ token: string }>("/auth/user/emailpass", USER)).token
  return api
}

/** Runs a full import to its end, or watches the one that the connection began with. */
async function importOnce(api: Api, path: string): Promise<Sync> {
  const { sync: current } = await api<{ sync: Sync }>(path)
  if (current.status !== "running") await api(path, {})
  for (;;) {
    const { sync } = await api<{ sync: Sync }>(path)
    if (sync.status !== "running") return sync
    await sleep(200)
  }
}

/** Milliseconds from the answer of the admin's request to the arrival at the service. */
async function changeLatencies(api: Api, received: () => Promise<Received>): Promise<number[]> {
  const changed = new Map<string, number>()
  for (let n = 1; n <= CHANGES; n++) {
    const id = `prod_bench_${String(n).padStart(7, "0")}`
    await api(`/admin/products/${id}`, { title: `Change ${n}` })
    changed.set(`Change ${n}`, Date.now())
    await sleep(250)
  }
  const until = Date.now() + 60_000
  for (;;) {
    const { arrived } = await received()
    if (changed.size === Object.keys(arrived).length) {
      return [...changed].map(([name, at]) => Math.max(0, (arrived[name] ?? 0) - at))
    }
    if (Date.now() > until) throw new Error("Not every change arrived.")
    await sleep(100)
  }
}

const perMinute = ({ total, started_at, finished_at }: Sync): number =>
  Math.round((total / (Date.parse(finished_at) - Date.parse(started_at))) * 60_000)

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Processor time of a process so far in ms; the kernel counts it in hundredths of a second. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

/** Highest resident memory so far in MB, as the kernel counts it; 0 where it does not tell. */
function watchMemory(pid: number): () => number {
  return () => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8")
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      return 0
    }
  }
}
