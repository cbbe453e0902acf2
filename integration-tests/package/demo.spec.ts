/** `npm run demo` as a person runs it: from nothing, again, with a port taken, stopped and killed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { chmod, mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PRODUCTS } from "../../demo/catalog/products"
import { logIn } from "../../demo/start-up/store-api"
import { ROOT } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { removePostgres, startPostgres } from "../../tools/postgres"
import { eventually } from "../setup/market"
import { findPgBouncer, startPgBouncer } from "../setup/pgbouncer"
import { SLOW_START_MS } from "../setup/store-process"
import { statement } from "../setup/test-database"

// Each test starts the whole demo, and the first one builds the admin.
jest.setTimeout(SLOW_START_MS)

const READY = "Ctrl-C ends everything"

let home = ""
let ports = { PORT: "", SANDBOX_PORT: "", STOREFRONT_PORT: "" }
let demo: ChildProcess | undefined

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, CI } = process.env
  return { PATH, HOME, TMPDIR, CI, ...ports, DEMO_DIRECTORY: home }
}

type Ended = { code: number | null; output: string }

/** Resolves at a text (the table of addresses), or when the demo has ended before it. */
function startDemo(
  until = READY,
  args: string[] = [],
  databaseUrl?: string,
): Promise<{ output: () => string; ended: Promise<Ended>; ready: boolean }> {
  const child = spawn(process.execPath, ["--import", "tsx", "demo/start.ts", ...args], {
    cwd: ROOT,
    env: { ...environment(), DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
  })
  demo = child
  let output = ""
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  )
  return new Promise((resolve) => {
    const result = (ready: boolean) => ({ output: () => output, ended, ready })
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(until)) resolve(result(true))
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    void ended.then(() => resolve(result(false)))
  })
}

const url = (port: string, path = "") => `http://127.0.0.1:${port}${path}`

async function json<T>(address: string): Promise<T> {
  return (await (await fetch(address)).json()) as T
}

async function shows() {
  const { events } = await json<{ events: { id: string; status: string; products: number }[] }>(
    url(ports.SANDBOX_PORT, "/_sandbox/events?page_uid=demo-page"),
  )
  return events
}

/** How every process was started; read from `/proc` where there is one, because a bare Debian has no `ps`. */
function processes(): string[] {
  if (!existsSync("/proc/self/cmdline")) {
    return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n")
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const parts = ["cmdline", "environ"].map((part) =>
          readFileSync(`/proc/${pid}/${part}`, "utf8"),
        )
        return parts.join(" ").replaceAll("\0", " ")
      } catch {
        return ""
      }
    })
}

/** Programs that were given the demo's folder: all that it starts, and what they start. */
const leftRunning = () => processes().filter((line) => line.includes(home))

async function answers(port: string): Promise<boolean> {
  return await fetch(url(port)).then(
    () => true,
    () => false,
  )
}

async function nothingIsLeft() {
  const look = async () => {
    const answering = await Promise.all(Object.values(ports).map(answers))
    return { answering: answering.filter(Boolean).length, running: leftRunning().length }
  }
  await eventually(look, ({ answering, running }) => answering + running === 0)
}

async function end(started: { ended: Promise<Ended> }, signal: "SIGINT" | "SIGTERM") {
  demo?.kill(signal)
  expect((await started.ended).code).toBe(0)
  await nothingIsLeft()
}

/** Each start takes half a minute; for each commit one does. */
const forRelease = process.env.TESTS === "full" ? it : it.skip

describe("npm run demo", () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "svc-demo-"))
    // Where the tests run as root, Postgres runs as somebody else.
    await chmod(home, 0o755)
    ports = {
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      STOREFRONT_PORT: String(await freePort()),
    }
  })

  afterAll(async () => {
    if (demo?.exitCode === null && demo.signalCode === null) {
      const gone = new Promise((resolve) => demo?.once("exit", resolve))
      demo.kill("SIGTERM")
      await gone
    }
    await removePostgres(home)
  })

  it("names a port that is taken and what to do, without a stack", async () => {
    const other = createServer()
    await new Promise<void>((resolve) =>
      other.listen(Number(ports.SANDBOX_PORT), "127.0.0.1", resolve),
    )
    try {
      const { code, output } = await (await startDemo()).ended
      expect(code).toBe(1)
      expect(output).toContain(`needs port ${ports.SANDBOX_PORT}`)
      expect(output).toMatch(/SANDBOX_PORT=\d+ npm run demo/)
      expect(output).not.toMatch(/^\s+at /m)
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  forRelease("leaves nothing running when it is stopped while it comes up", async () => {
    await end(await startDemo("Store, admin and catalog"), "SIGTERM")
  })

  it("shows a connected shop with a show that is live, and leaves nothing running on Ctrl-C", async () => {
    const first = await startDemo()
    expect(first.output()).toContain(READY)
    const { products } = await json<{ products: unknown[] }>(
      url(ports.SANDBOX_PORT, "/_sandbox/products?page_uid=demo-page&limit=200"),
    )
    expect(products).toHaveLength(PRODUCTS.filter(({ draft }) => !draft).length)
    expect(await shows()).toEqual([expect.objectContaining({ status: "live", products: 6 })])
    const picture = await fetch(url(ports.STOREFRONT_PORT, "/pictures/havn-mug-oat.svg"))
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect((await fetch(url(ports.PORT, "/app"))).status).toBe(200)
    expect(leftRunning().length).toBeGreaterThanOrEqual(2)
    await end(first, "SIGINT")
  })

  forRelease(
    "goes on where it was killed, and starts a new show after the first has ended",
    async () => {
      const first = await startDemo()
      demo?.kill("SIGKILL")
      await first.ended
      await nothingIsLeft()

      const second = await startDemo()
      expect(second.output()).toContain("as you left it")
      const again = await shows()
      expect(again).toHaveLength(1)
      await fetch(url(ports.SANDBOX_PORT, `/_sandbox/events/${again[0]?.id}/end`), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      })
      await end(second, "SIGINT")

      const earlier = ports.STOREFRONT_PORT
      const [PORT, STOREFRONT_PORT] = [String(await freePort()), String(await freePort())]
      ports = { ...ports, PORT, STOREFRONT_PORT }
      const third = await startDemo(READY, ["--new-show"])
      expect(third.output()).toContain("then the player")
      // What the service has of the products leads to where shop and pictures are now.
      await eventually(
        () =>
          json<{ products: { product: unknown }[] }>(
            url(ports.SANDBOX_PORT, "/_sandbox/products?page_uid=demo-page&limit=200"),
          ),
        (answer) => {
          const told = JSON.stringify(answer.products.map(({ product }) => product))
          return (
            told.includes(`:${ports.STOREFRONT_PORT}/pictures/`) && !told.includes(`:${earlier}/`)
          )
        },
      )
      expect((await shows()).map(({ status }) => status).sort()).toEqual(["live", "processing"])
      // The store hears of it at its new port.
      const told = await logIn(url(ports.PORT))
      await eventually(
        () => told.get<{ live_events: { status: string }[] }>("/admin/svc/live-events"),
        ({ live_events }) => live_events.some(({ status }) => status === "live"),
      )
      await end(third, "SIGINT")
    },
  )

  forRelease("plays a whole show, of which the admin's figures are true", async () => {
    // As a small host has it, where there is a PgBouncer to be had.
    const database = findPgBouncer() ? await smallDatabase() : undefined
    try {
      const overAnother = database ? ["--reset-database", "demo"] : []
      const played = await startDemo(READY, ["--evening", "--reset", ...overAnother], database?.url)
      expect(played.output()).toContain("six orders")
      const store = await logIn(url(ports.PORT))
      await eventually(
        () => json<{ count: number }>(url(ports.SANDBOX_PORT, "/_sandbox/conversions")),
        ({ count }) => count === 6,
      )

      // Two mugs, two lamps (the first one refunded), a sweater, a throw and three vases; each order was sent for 39.
      const sold = {
        currency_code: "dkk",
        orders: 6,
        units: 9,
        gross: 3541,
        refunded: 749,
        net: 2792,
      }
      type Result = { orders: number; refunded: number }
      const { results } = await eventually(
        () => store.get<{ results: Result[] }>("/admin/svc/results?group_by=currency"),
        ({ results: [all] }) => all?.orders === 6 && all.refunded > 0,
      )
      expect(results).toEqual([expect.objectContaining(sold)])
      const { past_shows } = await store.get<{
        past_shows: { campaign_uid: string; results: Result[] }[]
      }>("/admin/svc/overview")
      expect(past_shows.flatMap((show) => show.results)).toEqual([expect.objectContaining(sold)])

      // The ledger has the shipping as well, and comes to what Medusa was paid.
      const { ledger } = await store.get<{ ledger: { kind: string; amount: number }[] }>(
        "/admin/svc/ledger?limit=100",
      )
      const booked = (kind?: string) =>
        ledger
          .filter((entry) => !kind || entry.kind === kind)
          .reduce((sum, { amount }) => sum + amount, 0)
      expect([booked("sale"), booked("shipping"), booked("refund")]).toEqual([3541, 234, -788])
      type Payment = { amount: number; refunds: { amount: number }[] }
      const { orders } = await store.get<{
        orders: { payment_collections: { payments: Payment[] }[] }[]
      }>(
        "/admin/orders?fields=id,*payment_collections.payments,*payment_collections.payments.refunds",
      )
      const paid = orders
        .flatMap((order) => order.payment_collections.flatMap(({ payments }) => payments))
        .map(({ amount, refunds }) => refunds.reduce((left, back) => left - back.amount, amount))
      expect(paid).toHaveLength(6)
      expect(booked()).toBe(paid.reduce((sum, amount) => sum + amount, 0))

      await end(played, "SIGINT")
    } finally {
      await database?.stop()
    }
  })
})

/** A Postgres of 25 connections, and a PgBouncer in transaction mode in front of it. */
async function smallDatabase() {
  const directory = await mkdtemp(join(tmpdir(), "svc-small-"))
  await chmod(directory, 0o755)
  const options = { directory, disposable: true }
  const made = await startPostgres(options)
  for (const sql of ["ALTER SYSTEM SET max_connections = 25", "CREATE DATABASE demo"]) {
    await statement(`${made.url}/postgres`, sql)
  }
  await made.stop()
  const postgres = await startPostgres(options)
  const bouncer = await startPgBouncer(`${postgres.url}/demo`)
  return {
    url: bouncer.url,
    stop: async () => {
      await bouncer.stop()
      await postgres.stop()
      await removePostgres(directory)
    },
  }
}
