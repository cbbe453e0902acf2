/**
 * A store as a merchant runs it in production, all parts real and processes of their own: servers behind a balancer,
 * workers, one Postgres, one Redis, and the service as a sandbox.
 */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { importCatalog, registerWebhook } from "../../../demo/start-up/connect"
import type { StoreApi } from "../../../demo/start-up/store-api"
import { freePort } from "../../../tools/ports"
import { type RunningPostgres, removePostgres, startPostgres } from "../../../tools/postgres"
import { startBalancer } from "../../setup/balancer"
import { connectHomeMarket } from "../../setup/home-market"
import type { Variant } from "../../setup/market"
import { type RunningRedis, startRedis } from "../../setup/redis"
import { type RunningSandbox, startSandbox } from "../../setup/sandbox"
import { type Stops, stopAll } from "../../setup/stops"
import { startStore } from "../../setup/store-process"
import { type Supervised, supervise } from "./supervisor"

/** More of everything than any run sells. */
const STOCK = 1_000_000

export type StoreProduct = { id: string; title: string; handle: string; variants: Variant[] }

export type ChaosShop = Awaited<ReturnType<typeof startShop>>

/**
 * @param options.env more of the store's environment
 * @param options.note is told what happens to processes that nobody asked for
 */
export async function startShop(options: {
  servers: number
  workers: number
  env?: Record<string, string>
  note: (text: string) => void
}) {
  const stops: Stops = []
  const stop = () => stopAll(stops)
  try {
    return { ...(await build(options, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(
  { servers, workers, env, note }: Parameters<typeof startShop>[0],
  stops: Stops,
) {
  const directory = await mkdtemp(join(tmpdir(), "svc-chaos-"))
  stops.push(() => rm(directory, { recursive: true, force: true }))
  let postgres: RunningPostgres = await startPostgres({ directory, disposable: true })
  stops.push(async () => {
    await postgres.stop()
    await removePostgres(directory)
  })
  const server = new URL(`${postgres.url}/postgres`)
  await rowsOf(server.href, "CREATE DATABASE shop")
  // As a merchant's: what was committed survives. The tests' own Postgres does without, to be quick.
  await rowsOf(server.href, "ALTER DATABASE shop SET synchronous_commit = on")
  const databaseUrl = `${postgres.url}/shop`
  const query = <Row = Record<string, unknown>>(sql: string) => rowsOf<Row>(databaseUrl, sql)
  const [{ folder = "" } = {}] = await query<{ folder: string }>(
    "SELECT current_setting('data_directory') AS folder",
  )

  const redisFolder = await mkdtemp(join(tmpdir(), "svc-chaos-redis-"))
  stops.push(() => rm(redisFolder, { recursive: true, force: true }))
  let redis: RunningRedis = await startRedis({ folder: redisFolder })
  stops.push(() => redis.stop())
  const sandbox: RunningSandbox = await startSandbox()
  stops.push(sandbox.stop)

  const ports = await Promise.all(Array.from({ length: servers }, freePort))
  const balancer = await startBalancer(ports)
  stops.push(balancer.stop)

  /** The first server fills the shop; whoever starts later finds it full. */
  let script = "demo/demo-store.ts"
  const launch = (mode: "server" | "worker", port: number, program: string) =>
    startStore({ url: databaseUrl }, port, {
      script: program,
      ready: "/health",
      env: {
        REDIS_URL: redis.url,
        MEDUSA_WORKER_MODE: mode,
        SVC_BACKEND_URL: balancer.url,
        LOG_LEVEL: "error",
        ...env,
      },
    })
  const run = async (name: string, mode: "server" | "worker", port?: number) => {
    const program = script
    const process = supervise(
      name,
      async () => launch(mode, port ?? (await freePort()), program),
      note,
    )
    stops.push(process.stop)
    await process.up()
    return process
  }
  const processes: Supervised[] = []
  for (const [n, port] of ports.entries()) {
    processes.push(await run(`server ${n + 1}`, "server", port))
    if (n === 0) {
      // Thousands of events that filling the shop has told, and no worker has been there for.
      await redis.empty()
      await query(
        `UPDATE inventory_level SET stocked_quantity = ${STOCK}, raw_stocked_quantity = '{"value": "${STOCK}", "precision": 20}'`,
      )
    }
    script = "tools/store.ts"
  }
  for (let n = 1; n <= workers; n += 1) processes.push(await run(`worker ${n}`, "worker"))

  const { admin, market } = await connectHomeMarket(balancer.url, sandbox)
  await registerWebhook(admin, market.connectionId, sandbox.url)
  await importCatalog(admin, market.connectionId, () => undefined)

  return {
    url: balancer.url,
    sandbox,
    market,
    admin,
    processes,
    products: await readProducts(admin, market.salesChannelId),
    query,
    databaseUrl,
    /** Where Postgres has its data. */
    dataFolder: folder,
    stopPostgres: () => postgres.stop(),
    startPostgres: async () => {
      postgres = await startPostgres({
        directory,
        disposable: true,
        port: Number(new URL(databaseUrl).port),
      })
    },
    /** @param keeps whether it has what it had, as one that writes to disk does */
    stopRedis: async (keeps: boolean) => {
      if (keeps) await redis.save()
      else await rm(join(redisFolder, "dump.rdb"), { force: true })
      await redis.stop()
    },
    startRedis: async () => {
      redis = await startRedis({ port: redis.port, folder: redisFolder })
    },
  }
}

async function rowsOf<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  // It may end with the server.
  client.on("error", () => undefined)
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows as Row[]
}

/** Products of the market's channel that a show can sell. */
async function readProducts(admin: StoreApi, channelId: string): Promise<StoreProduct[]> {
  type Row = {
    id: string
    title: string
    handle: string
    variants: { id: string; sku: string | null; title: string }[]
  }
  const { products } = await admin.get<{ products: Row[] }>(
    `/admin/products?limit=200&status[]=published&sales_channel_id[]=${channelId}&fields=id,title,handle,variants.id,variants.sku,variants.title`,
  )
  return products.map(({ variants, ...product }) => ({
    ...product,
    variants: variants.map((variant) => ({
      ...variant,
      product_id: product.id,
      handle: product.handle,
      siblings: variants.length,
    })),
  }))
}
