/**
 * How much the sandbox itself can do, so that it is never what another benchmark measures, and how
 * long whoever installs it waits until it is up. The marks are those of a quiet machine with two cores.
 *
 * Sandbox and receiver are processes of their own, as they are in use. `SANDBOX_BIN` names the command
 * of another checkout, to compare with; figures of processor time can be compared on a busy machine too.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Figure, median } from "./figures"
import { processorMs } from "./process-use"

const TOKEN = "sandbox-token-demo-page"
const SUBSCRIBERS = 5
const CHANGES = 4000
const PRODUCTS = 20_000
const BATCH = 100
const CALLERS = 4

/** Answers 200 to everything and counts it; `GET /` tells the count. */
const RECEIVER = `
  let count = 0
  const server = require("node:http").createServer((request, response) => {
    if (request.method === "GET") return response.end(String(count))
    request.resume()
    request.on("end", () => { count++; response.end("ok") })
  })
  server.listen(0, "127.0.0.1", () => console.log("ready " + server.address().port))
`

export async function run(): Promise<Figure[]> {
  const own = path.join(__dirname, "..", "sandbox", "cli", "bin.ts")
  const bin = process.env.SANDBOX_BIN ?? own
  const sandbox = await start(["--import", "tsx", bin, "--port", "0"], /at (http\S+)/)
  const receiver = await start(["-e", RECEIVER], /ready (\d+)/)
  const figures: Figure[] = []
  const measure = async (
    name: string,
    atLeast: number,
    times: number,
    work: () => Promise<void>,
  ) => {
    const [wall, cpu] = [performance.now(), processorMs(sandbox.child.pid ?? 0)]
    await work()
    const seconds = (performance.now() - wall) / 1000
    figures.push({ name: `sandbox: ${name}`, value: times / seconds, unit: "/s", atLeast })
    const used = processorMs(sandbox.child.pid ?? 0) - cpu
    if (used > 0) {
      figures.push({
        name: `sandbox: ${name}, processor time`,
        value: (used * 1000) / times,
        unit: "µs",
      })
    }
  }
  try {
    const base = sandbox.word
    await measure("product upserts", 27_000, PRODUCTS, () => upserts(base))
    const work = () => deliveries(base, Number(receiver.word))
    await measure("deliveries", 5000, CHANGES * SUBSCRIBERS, work)
  } finally {
    agent.destroy()
    sandbox.child.kill("SIGTERM")
    receiver.child.kill("SIGTERM")
  }
  return process.env.SANDBOX_BIN ? figures : [...figures, ...(await starts())]
}

const STARTS = 7

/** From the command to the line that says it is ready, of the packed tarball in an empty folder. */
async function starts(): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "svc-sandbox-start-"))
  const npm = (cwd: string, ...args: string[]) => promisify(execFile)("npm", args, { cwd })
  try {
    await npm(path.join(__dirname, ".."), "pack", "-w", "svc-sandbox", "--pack-destination", folder)
    const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
    await writeFile(path.join(folder, "package.json"), '{ "private": true }')
    await npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", tarball)
    const bin = path.join(folder, "node_modules/svc-sandbox/dist/cli/bin.js")
    const walls: number[] = []
    const cpus: number[] = []
    for (let i = 0; i < STARTS; i++) {
      const started = performance.now()
      const { child } = await start([bin, "--port", "0"], /at (http\S+)/)
      walls.push(performance.now() - started)
      cpus.push(processorMs(child.pid ?? 0))
      child.kill("SIGTERM")
    }
    const name = `sandbox: start after installation, median of ${STARTS}`
    return [
      { name, value: median(walls), unit: "ms", atMost: 3000 },
      { name: "sandbox: the same, processor time", value: median(cpus), unit: "ms" },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** First half creates, second half updates the same products. */
async function upserts(base: string): Promise<void> {
  const batches: unknown[] = []
  for (let at = 0; at < PRODUCTS; at += BATCH) {
    batches.push({
      products: Array.from({ length: BATCH }, (_, i) => product((at + i) % (PRODUCTS / 2), at)),
    })
  }
  await inParallel(batches, (batch) => call(base, "POST", "/products", batch))
}

async function deliveries(base: string, port: number): Promise<void> {
  for (let i = 0; i < SUBSCRIBERS; i++) {
    await call(base, "POST", "/api/v1/webhooks", {
      name: `receiver ${i}`,
      url: `http://127.0.0.1:${port}/${i}`,
      topics: ["live_event_product.updated"],
    })
  }
  const data = { id: "1", uid: "ep_1", price: 199, name: "A lamp", description: "x".repeat(500) }
  const changes = Array.from({ length: CHANGES }, (_, i) => ({
    page_uid: "demo-page",
    topic: "live_event_product.updated",
    data: { ...data, sorting: i },
  }))
  await inParallel(changes, (change) => call(base, "POST", "/_sandbox/emit", change))
  for (;;) {
    const count = Number(await call(`http://127.0.0.1:${port}`, "GET", "/"))
    if (count >= CHANGES * SUBSCRIBERS) return
    await sleep(20)
  }
}

function product(n: number, revision: number) {
  const id = `prod_${String(n).padStart(26, "0")}`
  const variants = ["S", "M", "L"].map((size) => ({
    id: `variant_${n}_${size}`,
    sku: `SKU-${n}-${size}`,
    name: size,
    price: 199 + (revision % 50),
    inventory: 12,
    manageStock: true,
    status: "enabled",
    options: { Size: size },
  }))
  return {
    id,
    sku: `SKU-${n}`,
    name: `Product ${n}`,
    price: 199 + (revision % 50),
    url: `https://shop.example/products/${n}`,
    type: "configurable",
    status: "enabled",
    image: `https://shop.example/images/${n}.jpg`,
    inventory: 36,
    manageStock: true,
    configurableOptions: [{ name: "Size", values: ["S", "M", "L"] }],
    variants,
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CALLERS + 1 })

async function inParallel<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

function call(base: string, method: string, url: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${base}${url}`, { method, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8")
        if ((response.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`))
      })
    })
    request.on("error", reject)
    request.setHeader("authorization", `Token ${TOKEN}`)
    if (body !== undefined) request.setHeader("content-type", "application/json")
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Starts a Node process and waits until it says that it is ready. */
async function start(
  args: string[],
  ready: RegExp,
): Promise<{ child: ChildProcess; word: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const word = await new Promise<string>((resolve, reject) => {
    let said = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
      const match = ready.exec(said)
      if (match?.[1]) resolve(match[1])
    })
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })
  return { child, word }
}
