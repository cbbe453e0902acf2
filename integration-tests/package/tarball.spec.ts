/**
 * What a merchant gets: the packed plugin in a Medusa application that knows nothing of this
 * repository. Started with Medusa's own commands, in a folder outside of the checkout. Then what it leaves
 * behind: in the log while it is there, and anywhere once it is uninstalled.
 */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { ROOT } from "../../tools/child"
import { launchBrowser, logIntoAdmin } from "../setup/browser"
import { findChromium } from "../setup/chromium"
import { command } from "../setup/command"
import { AS_PROMISED, holdFirstShow, openFirstShow } from "../setup/first-show"
import { ADMIN, createFreshShop, type FreshShop, PLUGIN } from "../setup/fresh-shop"
import { drawn } from "../setup/generated"
import { eventually } from "../setup/market"
import { pack } from "../setup/packed"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { errorsInStoreCode, type Project } from "../setup/store-code"
import { SLOW_START_MS } from "../setup/store-process"
import { statement } from "../setup/test-database"

/**
 * What npm installs, Medusa migrates and Vite builds of it, and two more starts of a store that the command has left as it
 * was before the installation. Else the application's packages are the checkout's, and it has no admin.
 */
const isFullRun = process.env.TESTS === "full"
const inFullRun = isFullRun ? it : it.skip

let shop: FreshShop
let sandbox: RunningSandbox
let folder = ""
/** The packed plugin, and what is in it. */
let tarball = ""
let files: string[] = []

describe("the packed plugin in a fresh Medusa application", () => {
  beforeAll(async () => {
    const packed = await mkdtemp(join(tmpdir(), "packed-"))
    const [name, fresh] = await Promise.all([
      pack("medusa-plugin-svc", packed),
      createFreshShop({ linked: !isFullRun }),
    ])
    tarball = join(packed, name)
    shop = fresh
    folder = shop.folder
    await shop.install(tarball)
    files = (await command("tar", ["-tzf", tarball], packed)).trim().split("\n")
    // The admin's pages have no need of the database.
    await Promise.all([isFullRun && shop.medusa(["build"]), shop.migrate()])
    sandbox = await startSandbox()
    await shop.start(isFullRun)
  }, SLOW_START_MS)

  afterAll(async () => {
    await shop?.remove()
    await sandbox?.stop()
    if (tarball) await rm(join(tarball, ".."), { recursive: true, force: true })
  })

  const query = (sql: string) => statement(shop.database.url, sql)
  const subscribers = async () =>
    (await sandbox.client.subscribers.list({ page_uid: "demo-page" })).subscribers

  it("contains the plugin, and nothing of the sandbox, the demo or the tests", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        "package/package.json",
        "package/.medusa/server/src/modules/svc/index.js",
        "package/.medusa/server/src/admin/index.js",
        "package/.medusa/server/storefront/esm/index.js",
        "package/.medusa/server/storefront/cjs/index.d.ts",
        "package/.medusa/server/storefront/svc-storefront.js",
        "package/.medusa/server/src/cli/bin.js",
      ]),
    )
    expect(
      files.filter((file) => /sandbox|demo|__tests__|integration-tests|benchmarks/.test(file)),
    ).toEqual([])
  })

  it("has every file of the backend, whatever its folder is called", async () => {
    const sources = await readdir(join(ROOT, "src"), { recursive: true })
    const wanted = sources
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .filter((file) => !/(^|\/)__tests__\//.test(file) && !file.startsWith("admin/"))
      .map((file) => `package/.medusa/server/src/${file.replace(/\.ts$/, ".js")}`)
    expect(wanted.length).toBeGreaterThan(300)
    const packed = new Set(files)
    expect(wanted.filter((file) => !packed.has(file))).toEqual([])
  })

  inFullRun("brings the store's admin every class name that its pages use", async () => {
    const assets = join(folder, ".medusa/server/public/admin/assets")
    const sheets = (await readdir(assets)).filter((file) => file.endsWith(".css"))
    const css = (
      await Promise.all(sheets.map((file) => readFile(join(assets, file), "utf8")))
    ).join("\n")
    const pages = (await readdir(join(ROOT, "src/admin"), { recursive: true })).filter((file) =>
      file.endsWith(".tsx"),
    )
    const used = new Set<string>()
    for (const file of pages) {
      const code = await readFile(join(ROOT, "src/admin", file), "utf8")
      for (const [, names = ""] of code.matchAll(/className="([^"]+)"/g)) {
        for (const name of names.split(/\s+/)) used.add(name)
      }
    }
    expect(used.size).toBeGreaterThan(100)
    const selector = (name: string) => `.${name.replace(/[^\w-]/g, (sign) => `\\${sign}`)}`
    expect([...used].filter((name) => !css.includes(selector(name)))).toEqual([])
  })

  it("adds at most 120 kB to what a browser loads of the admin, with five languages in it", async () => {
    const bundle = await readFile(
      join(folder, "node_modules/medusa-plugin-svc/.medusa/server/src/admin/index.js"),
    )
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(120_000)
  })

  it("takes little, and carries no source maps", async () => {
    expect((await stat(tarball)).size).toBeLessThanOrEqual(480_000)
    const server = join(folder, "node_modules/medusa-plugin-svc/.medusa/server")
    const code = (await readdir(server, { recursive: true })).filter((file) => /\.m?js$/.test(file))
    const mapped = await Promise.all(
      code.map(async (file) => /sourceMappingURL/.test(await readFile(join(server, file), "utf8"))),
    )
    expect([code.length > 300, mapped.filter(Boolean)]).toEqual([true, []])
  })

  it("names functions and lines in a stack trace", async () => {
    const program = `
      const { createDelivery } = require("medusa-plugin-svc/testing")
      try { createDelivery({ get topic() { throw new Error() } }) } catch ({ stack }) { console.log(stack) }`
    const stack = await command(process.execPath, ["-e", program], folder)
    const place = /at createDelivery \(.*src\/testing\/index\.js:(\d+):(\d+)\)/.exec(stack)
    // A statement of its own, and not the two-thousandth sign of the file's only line.
    expect(Number(place?.[1])).toBeGreaterThan(10)
    expect(Number(place?.[2])).toBeLessThan(300)
  })

  it("has types for its public entries alone", async () => {
    const server = "package/.medusa/server/src/"
    expect(
      files.filter((file) => file.startsWith(server) && file.endsWith(".d.ts")).sort(),
    ).toEqual(
      // `shared`: types that two entries have in common, which both import.
      ["modules/svc/index", "shared", "testing/index", "workflows/index"].map(
        (entry) => `${server}${entry}.d.ts`,
      ),
    )
  })

  /** attw, which looks at the package alone, resolves in each of these ways each time. */
  const PROJECTS: Project[] = [
    { type: "commonjs", module: "node16", moduleResolution: "node16" },
    { type: "commonjs", module: "nodenext", moduleResolution: "nodenext" },
    { type: "module", module: "nodenext", moduleResolution: "nodenext" },
    { type: "module", module: "esnext", moduleResolution: "bundler" },
  ]
  it.each(drawn(PROJECTS, isFullRun ? undefined : 1))(
    "shows a store's code what the docs promise: $type, $moduleResolution",
    async (project) => {
      expect(await errorsInStoreCode(folder, project)).toEqual([])
    },
    SLOW_START_MS,
  )

  it("explains its public functions where they are used", async () => {
    const types = join(folder, "node_modules/medusa-plugin-svc/.medusa/server/src")
    const [workflows = "", testing = ""] = await Promise.all(
      ["workflows", "testing"].map((entry) => readFile(join(types, entry, "index.d.ts"), "utf8")),
    )
    const bare = [...`${workflows}\n${testing}`.matchAll(/(.*)\ndeclare (?:const|function) (\w+)/g)]
      .filter(([, before = ""]) => !before.endsWith("*/"))
      .map(([, , name]) => name)
    expect(bare).toEqual([])
    expect(workflows).toContain("@throws SvcRefusal `connection_not_found`, `sync_running`")
  })

  it("is without fault for publint and for attw", async () => {
    const tool = (name: string, args: string[]) =>
      command(join(ROOT, "node_modules/.bin", name), args, folder)
    expect(await tool("publint", ["--strict", tarball])).toContain("All good!")
    // The admin is for Vite alone: no types, and no second module format.
    const args = [tarball, "--exclude-entrypoints", "admin"]
    expect(await tool("attw", args)).toContain("No problems found")
  })

  it("lets its public entries be imported, and nothing else", async () => {
    const tried = ["workflows", "modules/svc", "testing", "client/client", "api/answer"]
    const program = `
      for (const name of ${JSON.stringify(tried)}) {
        try { require("medusa-plugin-svc/" + name); console.log("found") } catch ({ code }) { console.log(code) }
      }`
    const closed = "ERR_PACKAGE_PATH_NOT_EXPORTED"
    expect((await command(process.execPath, ["-e", program], folder)).trim().split("\n")).toEqual([
      "found",
      "found",
      "found",
      closed,
      closed,
    ])
  })

  it("brings no web server but Medusa's", async () => {
    const { dependencies } = JSON.parse(
      await readFile(join(folder, "node_modules/medusa-plugin-svc/package.json"), "utf8"),
    ) as { dependencies: object }
    expect(Object.keys(dependencies)).not.toContain("fastify")
  })

  it("gives a storefront its SDK, for both kinds of modules", async () => {
    const names = ["storefront", "storefront/react", "storefront/live-now"]
    const program = `
      const { createRequire } = require("node:module")
      const names = ${JSON.stringify(names)}.map((name) => "medusa-plugin-svc/" + name)
      Promise.all(names.map((name) => import(name))).then((modules) =>
        console.log(JSON.stringify([modules, names.map((name) => require(name))]
          .map((all) => all.flatMap((one) => Object.keys(one))))))`
    const [imported, required] = JSON.parse(
      await command(process.execPath, ["-e", program], folder),
    ) as string[][]
    for (const exported of [imported, required]) {
      expect(exported).toEqual(
        expect.arrayContaining(["connectPlayer", "useSvcPlayer", "SvcLiveNow"]),
      )
    }
  })

  const withChromium = findChromium() ? inFullRun : it.skip

  withChromium("shows the settings page in the admin", async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      await logIntoAdmin(page, shop.url, ADMIN)
      await page.goto(`${shop.url}/app/settings/svc`)
      await page.getByText("No page is connected yet").waitFor()
      expect(await page.getByRole("heading", { name: "Live commerce" }).first().isVisible()).toBe(
        true,
      )
    } finally {
      await browser.close()
    }
  })

  it("sells in a show and reports the order", async () => {
    expect(await holdFirstShow(await shop.admin(), sandbox)).toEqual(AS_PROMISED)
  })

  it("writes no password of the feed into its log, however it is sent", async () => {
    const admin = await shop.admin()
    const { data } = await admin.get("/admin/svc/connections")
    const [{ id }] = data.connections
    const { feed } = (await admin.post(`/admin/svc/connections/${id}/feed`, {})).data
    const basic = Buffer.from(`${feed.username}:${feed.password}`).toString("base64")
    const read = (address: string, headers = {}) => fetch(address, { headers })
    const answers = [
      await read(feed.url, { authorization: `Basic ${basic}` }),
      await read(`${feed.url}?token=${feed.password}`),
      await read(`${feed.url}?x=1&token=${feed.password}&token=${feed.password}`),
      await read(`${shop.url}/hooks/svc/feed.xml?token=${feed.password}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404])
    const log = await eventually(
      async () => shop.output(),
      (text) => (text.match(/feed\.xml/g)?.length ?? 0) >= 4,
    )
    expect(log).toContain("feed.xml?token=hidden")
    expect(log).not.toContain(feed.password)
  })

  it(
    "is left by one command: no webhook, no price, no table and no row stays",
    async () => {
      const admin = await shop.admin()
      const connected = (await admin.get("/admin/svc/connections")).data.connections
      await admin.delete(`/admin/svc/connections/${connected[0].id}`)
      const { fillCart, shopper } = await openFirstShow(admin, sandbox)
      const { cartId, status } = await fillCart()
      expect(status).toBe("SUCCESS")
      const key = (await admin.post("/admin/api-keys", { title: "cli", type: "secret" })).data
      const env = {
        ...shop.env,
        MEDUSA_BACKEND_URL: shop.url,
        SVC_ADMIN_API_KEY: key.api_key.token,
      }
      const bin = join(shop.folder, "node_modules/.bin/medusa-plugin-svc")
      const uninstall = (...args: string[]) =>
        command(bin, ["uninstall", ...args], shop.folder, env)
      const price = async () =>
        (await shopper.get(`/store/carts/${cartId}`)).data.cart.items[0].unit_price

      // A dry run changes nothing.
      expect(await uninstall()).toContain("Nothing was changed")
      expect([await price(), (await subscribers()).length]).toEqual([129, 1])

      const ledger = join(tarball, "../ledger.csv")
      await uninstall("--apply", "--export", ledger, "--disable-products")
      expect((await readFile(ledger, "utf8")).trim().split("\n").length).toBeGreaterThan(1)
      expect([await price(), await subscribers()]).toEqual([189, []])
      const { products } = await sandbox.client.products.list({ page_uid: "demo-page" })
      expect(products.map(({ product }) => product.status)).toEqual(["disabled"])

      await shop.stop()
      await shop.configure([])
      await shop.start()
      expect(await uninstall()).toContain("would be dropped")
      // Whoever has not exported by now still can: nothing goes before it was done, or left out.
      await expect(uninstall("--apply", "--export", ledger)).rejects.toThrow(/--export/)
      expect(await uninstall()).toContain("would be dropped")
      await uninstall("--apply")
      expect(
        await query(`SELECT relname FROM pg_class WHERE relname LIKE 'svc%' OR relname LIKE '%\\_svc\\_%'
          UNION ALL SELECT name FROM mikro_orm_migrations WHERE name LIKE '%svc%'
          UNION ALL SELECT table_name FROM link_module_migrations WHERE table_name LIKE '%svc%'`),
      ).toEqual([])
      // The store sells without it.
      const { data } = await (await shop.admin()).get("/admin/orders?fields=id,total")
      expect(data.orders).toHaveLength(1)
      expect(await price()).toBe(189)
    },
    SLOW_START_MS,
  )

  inFullRun(
    "has it again after one more installation, and holds a show",
    async () => {
      await shop.stop()
      await shop.configure([PLUGIN])
      await shop.medusa(["db:migrate", "--execute-safe-links"])
      await shop.start()
      expect(await holdFirstShow(await shop.admin(), sandbox)).toEqual(AS_PROMISED)
    },
    SLOW_START_MS,
  )

  inFullRun(
    "leaves a store that starts and still has its orders, where it is taken out again",
    async () => {
      await shop.stop()
      await shop.configure([])
      await command("npm", ["uninstall", "--no-audit", "--no-fund", "medusa-plugin-svc"], folder)
      await shop.start()
      const { data } = await (await shop.admin()).get("/admin/orders?fields=id,total,*items")
      const sold = { total: AS_PROMISED.total, items: [{ quantity: 2 }] }
      expect(data.orders).toMatchObject([sold, sold])
    },
    SLOW_START_MS,
  )
})
