/** What a merchant's store leaves behind: in its log while the plugin is there, and anywhere once it is uninstalled. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { command } from "../setup/command"
import { AS_PROMISED, holdFirstShow, openFirstShow } from "../setup/first-show"
import { createFreshShop, type FreshShop, PLUGIN } from "../setup/fresh-shop"
import { eventually } from "../setup/market"
import { pack } from "../setup/packed"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import { SLOW_START_MS } from "../setup/store-process"
import { statement } from "../setup/test-database"

describe("a store that had the plugin", () => {
  let packed: string
  let shop: FreshShop
  let sandbox: RunningSandbox

  beforeAll(async () => {
    packed = await mkdtemp(join(tmpdir(), "packed-"))
    shop = await createFreshShop({ tarball: join(packed, await pack("medusa-plugin-svc", packed)) })
    sandbox = await startSandbox()
    await shop.start()
  }, SLOW_START_MS)

  afterAll(async () => {
    await shop?.remove()
    await sandbox?.stop()
    if (packed) await rm(packed, { recursive: true, force: true })
  })

  const query = (sql: string) => statement(shop.database.url, sql)
  const subscribers = async () =>
    (await sandbox.control<{ subscribers: unknown[] }>("/subscribers?page_uid=demo-page"))
      .subscribers

  it("sells in a show", async () => {
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

      const ledger = join(packed, "ledger.csv")
      await uninstall("--apply", "--export", ledger, "--disable-products")
      expect((await readFile(ledger, "utf8")).trim().split("\n").length).toBeGreaterThan(1)
      expect([await price(), await subscribers()]).toEqual([189, []])
      const { products } = await sandbox.control<{ products: { product: { status: string } }[] }>(
        "/products?page_uid=demo-page&limit=50",
      )
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

  it(
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
})
