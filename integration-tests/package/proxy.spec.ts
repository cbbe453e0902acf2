/** A store whose only way out is a proxy: the names that it calls lead nowhere but there, and the proxy refuses all others. */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import axios from "axios"
import { importCatalog, PAGE } from "../../demo/start-up/connect"
import type { StoreApi } from "../../demo/start-up/store-api"
import { startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { connectHomeMarket, findMug, reportedTo, sell } from "../setup/home-market"
import { serve } from "../setup/http-server"
import { eventually, type Market, runShow } from "../setup/market"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { type Stops, stopAll } from "../setup/stops"
import { SLOW_START_MS, startStore } from "../setup/store-process"
import { createDatabase } from "../setup/test-database"

const [SERVICE, SHOP, STORE] = ["svc.example", "shop.example", "store.example"]

describe("a store whose only way out is a proxy", () => {
  const stops: Stops = []
  let sandbox: RunningSandbox
  let admin: StoreApi
  let storeUrl: string
  let proxyUrl: string
  let market: Market

  /** Where the proxy was asked to connect to since the last look. */
  let seen = 0
  const connected = async (): Promise<string[]> => {
    const all = (await axios.get<string[]>(proxyUrl)).data
    const since = all.slice(seen)
    seen = all.length
    return since
  }
  /** Beside the service, which background work asks, too. */
  const connectedElsewhere = async () =>
    (await connected()).filter((address) => address !== `${SERVICE}:443`)

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-only-proxy-"))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const names = [SERVICE, SHOP, STORE].map((name) => `DNS:${name}`).join(",")
    execFileSync(
      "openssl",
      `req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} -subj /CN=${SERVICE} -addext subjectAltName=${names}`.split(
        " ",
      ),
      { stdio: "ignore" },
    )
    const page = await serve((_request, response) => response.end("<h1>The shop</h1>"))
    stops.push(page.stop)
    sandbox = await startSandbox()
    stops.push(sandbox.stop)
    const [port, proxyPort] = [await freePort(), await freePort()]
    const leadsTo = [`${SERVICE}=${sandbox.port}`, `${SHOP}=${page.port}`, `${STORE}=${port}`]
    const proxy = await startChild({
      name: "The proxy",
      script: "integration-tests/setup/proxy-server.mjs",
      args: [String(proxyPort), key, cert, ...leadsTo],
      env: { NODE_OPTIONS: "" },
    })
    stops.push(proxy.stop)
    proxyUrl = `http://127.0.0.1:${proxyPort}/connected`
    const database = await createDatabase(`svc_only_proxy_${process.pid}`, "shop")
    stops.push(database.drop)
    const store = await startStore(database, port, {
      ready: "/health",
      env: {
        // As people write it: without a scheme.
        HTTPS_PROXY: `127.0.0.1:${proxyPort}`,
        LOOKUP_MS: "10000",
        NO_PROXY: "",
        NODE_EXTRA_CA_CERTS: cert,
        SVC_ALLOW_INSECURE_URLS: "false",
        SVC_BACKEND_URL: `https://${STORE}`,
      },
    })
    stops.push(store.stop)
    storeUrl = `http://127.0.0.1:${port}`
  }, SLOW_START_MS)

  afterAll(() => stopAll(stops))

  it("is connected, and checks the service, by the proxy", async () => {
    ;({ admin, market } = await connectHomeMarket(
      storeUrl,
      { url: `https://${SERVICE}` },
      `https://${SHOP}`,
    ))
    const body = { base_url: `https://${SERVICE}`, api_token: PAGE.token }
    const { check } = await admin.post<{ check: object }>("/admin/svc/service-check", body)
    expect(check).toMatchObject({ ok: true, token_accepted: true })
    expect(new Set(await connected())).toEqual(new Set([`${SERVICE}:443`]))
    // What the proxy does not let through is no answer of the service.
    const elsewhere = { ...body, base_url: "https://elsewhere.example" }
    const refused = await admin.post<{ check: object }>("/admin/svc/service-check", elsewhere)
    expect(refused.check).toMatchObject({ ok: false, error: { code: "svc_unreachable" } })
    expect(await connectedElsewhere()).toEqual(["elsewhere.example:443"])
  })

  it("sends its catalog, registers its webhook and finds its storefront", async () => {
    await importCatalog(admin, market.connectionId, () => undefined)
    const { count } = await sandbox.client.products.list({ page_uid: PAGE.uid, limit: 1 })
    expect(count).toBeGreaterThan(0)
    const path = `/admin/svc/connections/${market.connectionId}`
    await admin.post(`${path}/webhook`)
    const { subscribers } = await sandbox.client.subscribers.list({ page_uid: PAGE.uid })
    expect(subscribers).toMatchObject([
      { url: `https://${STORE}/hooks/svc/${market.connectionId}` },
    ])
    await connected()
    const { setup } = await admin.post<{ setup: { steps: { name: string; state: string }[] } }>(
      `${path}/setup/storefront`,
    )
    expect(setup.steps.find(({ name }) => name === "storefront")).toMatchObject({ state: "done" })
    expect(await connectedElsewhere()).toEqual([`${SHOP}:443`])
  })

  it("looks a show's price up when somebody taps, and reports the order", async () => {
    const variant = await findMug(admin)
    const show = await runShow(sandbox, market, [{ variant, price: 99 }])
    const api = axios.create({ baseURL: storeUrl })
    const { orderNo, order } = await sell(show, { api, sandbox, market, variant })
    expect(order.item_total).toBe(99)
    await eventually(
      () => reportedTo(sandbox),
      (numbers) => numbers.includes(orderNo),
    )
  })

  it("is probed by its doctor through its public address, by the proxy", async () => {
    await connected()
    const { findings } = await admin.get<{ findings: { code: string }[] }>(
      `/admin/svc/connections/${market.connectionId}/webhook/doctor`,
    )
    expect(await connected()).toContain(`${STORE}:443`)
    const found = findings.map(({ code }) => code)
    for (const code of ["not_reached", "not_this_store", "body_limit", "body_changed"])
      expect(found).not.toContain(code)
  })
})
