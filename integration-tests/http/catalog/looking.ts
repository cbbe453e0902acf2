/** What a merchant can see before anything is sent, what the service can read by itself, and what code is told. */
import {
  createCollectionsWorkflow,
  createProductCategoriesWorkflow,
  updateCollectionsWorkflow,
} from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import eachMinute from "../../../src/jobs/push-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import type { ProductMapper } from "../../../src/modules/svc/catalog/product-mapper"
import {
  IMPORT_COMPLETED,
  PRODUCT_REFUSED,
  PRODUCT_SYNCED,
  wakeCatalog,
  workCatalog,
} from "../../../src/workflows/catalog"
import { eventually, eventuallyIs } from "../../setup/market"
import { type CatalogShop, titles, variant } from "./shop"

export function describeLooking(shop: CatalogShop): void {
  const { api, getContainer, fault } = shop

  describe("looking before sending", () => {
    it("says what an import would send, shows a product as it was and as it would be sent, and sends nothing", async () => {
      const connection = await shop.connect()
      const [changed = "", gone = "", same = ""] = await shop.insertProducts(titles(3))
      await shop.importAll(connection)
      const [added = ""] = await shop.insertProducts(["Added"])
      await shop.knex("product").where({ id: changed }).update({ title: "Changed in SQL" })
      await shop.knex("product_sales_channel").where({ product_id: gone }).delete()
      await shop
        .knex("price")
        .where({ id: `sql_${same}` })
        .update({ updated_at: new Date() })
      const calls = await shop.calls()

      const preview = async (body: unknown) =>
        (await api.post(`/admin/svc/connections/${connection}/sync/preview`, body, shop.admin)).data
          .preview
      const { examples, ...counted } = await preview({})
      expect(counted).toEqual({
        complete: true,
        compared: 4,
        calls: 1,
        counts: { new: 1, changed: 1, withdrawn: 1, refused: 0, unchanged: 1 },
      })
      const exampleOf = (id: string) =>
        examples.find((one: { product_id: string }) => one.product_id === id)
      expect(exampleOf(changed)).toMatchObject({
        kind: "changed",
        difference: [{ path: "name", before: "Product 0", after: "Changed in SQL" }],
      })
      expect(exampleOf(gone)).toMatchObject({
        kind: "withdrawn",
        reason: { code: "not_in_channel" },
      })
      expect(exampleOf(added)).toMatchObject({ kind: "new" })
      const page = await api.get(
        `/admin/svc/products/${(await shop.itemOf(changed)).id}`,
        shop.admin,
      )
      expect(page.data.product).toMatchObject({
        last_payload: { name: "Product 0" },
        payload: { name: "Changed in SQL" },
        difference: [{ path: "name", before: "Product 0", after: "Changed in SQL" }],
      })
      expect((await preview({ force: true })).counts).toMatchObject({ unchanged: 0 })
      expect(await shop.calls()).toBe(calls)
    })
  })

  describe("the feed", () => {
    type Opened = { url: string; username: string; password: string }
    const read = (
      { url, username, password }: Opened,
      headers: Record<string, string> = {},
    ): Promise<Response> => {
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
      return fetch(url, { headers: { authorization, ...headers } })
    }
    const open = async (connection: string, body = {}): Promise<Opened> =>
      (await api.post(`/admin/svc/connections/${connection}/feed`, body, shop.admin)).data.feed

    it("is off, opens with a password that nobody can guess, and closes", async () => {
      const connection = await shop.connect()
      await shop.insertProducts(["Lamp & shade"])
      await shop.importAll(connection)
      const path = `/admin/svc/connections/${connection}/feed`
      const guess = async (query: string) =>
        (
          await api.get(`/hooks/svc/${connection}/feed.xml${query}`, {
            validateStatus: () => true,
          })
        ).status
      // Readers are asked for their password, whatever there is.
      expect(await guess("")).toBe(401)
      expect(await guess("?token=any")).toBe(404)

      const opened = await open(connection)
      expect(opened.url).not.toContain(opened.password)
      const feed = await read(opened)
      expect(feed.status).toBe(200)
      expect(feed.headers.get("content-type")).toContain("xml")
      const text = await feed.text()
      expect(text).toContain("<g:price>10.00 DKK</g:price>")
      expect(text).toContain("Lamp &amp; shade")
      expect(await guess(`?token=${opened.password}`)).toBe(200)
      expect(await guess("?token=wrong")).toBe(404)
      expect(await guess("")).toBe(401)
      // The password is shown once: the row holds its hash, the connection's view neither.
      const shown = await api.get(`/admin/svc/connections/${connection}`, shop.admin)
      expect(JSON.stringify(shown.data)).not.toContain(opened.password)

      // Whoever took it for closed does not lock out the reader that has the password.
      const refused = await api.post(path, {}, { ...shop.admin, validateStatus: () => true })
      expect([refused.status, refused.data.code]).toEqual([409, "feed_open"])
      expect((await read(opened)).status).toBe(200)
      const anew = await open(connection, { replace: true })
      expect((await read(opened)).status).toBe(404)
      expect((await read(anew)).status).toBe(200)
      await api.delete(path, shop.admin)
      expect((await read(anew)).status).toBe(404)
      const atOnce = await Promise.all(
        [1, 2].map(() => api.post(path, {}, { ...shop.admin, validateStatus: () => true })),
      )
      expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    it("has every product, however many, and comes compressed to whoever takes that", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(620))
      await shop.importAll(connection)
      const feed = await open(connection)
      const packed = await read(feed, { "accept-encoding": "gzip" })
      const plain = await read(feed, { "accept-encoding": "identity" })
      expect(packed.headers.get("content-encoding")).toBe("gzip")
      expect(plain.headers.get("content-encoding")).toBeNull()
      const text = await packed.text()
      expect(await plain.text()).toBe(text)
      const told = [...text.matchAll(/<g:id>([^<]+)<\/g:id>/g)].map(([, id]) => id)
      expect(told.sort()).toEqual([...ids].sort())
    })

    it("names the currency that each amount is in, while a new one is not everywhere yet", async () => {
      const connection = await shop.connect()
      const prices = ["dkk", "eur"].map((currency_code) => ({ amount: 10, currency_code }))
      const lamp = await shop.createProduct("Lamp", [variant("S", null, { prices })])
      const mug = await shop.createProduct("Mug", [variant("S", 20)])
      await shop.importAll(connection)
      const feed = await open(connection)
      const page = async ({ id }: { id: string }) =>
        (await api.get(`/admin/svc/products/${id}`, shop.admin)).data.product
      const text = async () => (await read(feed)).text()
      const region = () => shop.knex("region").where({ id: shop.region })
      await region().update({ currency_code: "eur" })
      try {
        expect(await text()).toContain("<g:price>10.00 DKK</g:price>")
        expect(await page(lamp)).toMatchObject({ payload: { price: 10 }, currency_code: "eur" })
        // It has no price in the new one, so it is taken off at the price that it had.
        expect(await page(mug)).toMatchObject({
          payload: { price: 20, status: "disabled" },
          last_payload: { price: 20 },
          currency_code: "dkk",
        })
        await eachMinute(getContainer())
        await eventually(text, (now) => now.includes("<g:price>10.00 EUR</g:price>"))
      } finally {
        await region().update({ currency_code: "dkk" })
      }
    })

    it("is not read again while nothing changed, and is after a person has sent a product by hand, also where nothing is pushed", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(["First"])
      await shop.importAll(connection)
      const { id: row } = await shop.itemOf(id)
      const feed = await open(connection)
      const sentAs = async (title: string, isCalled: boolean): Promise<string> => {
        const before = await read(feed)
        await before.text()
        const unchanged = { "if-none-match": before.headers.get("etag") ?? "" }
        expect((await read(feed, unchanged)).status).toBe(304)
        await shop.knex("product").where({ id }).update({ title })
        expect((await shop.sendNow(row)).data.sent).toBe(isCalled)
        return (await read(feed, unchanged)).text()
      }
      expect(await sentAs("Second", true)).toContain("Second")
      const { last_pushed_at } = await shop.itemOf(id)
      await shop.change(connection, { catalog: { push: false } })
      await workCatalog(getContainer())
      expect(await sentAs("Third", false)).toContain("Third")
      // And nobody is told that anything was sent, or would be.
      expect((await shop.itemOf(id)).last_pushed_at).toBe(last_pushed_at)
      const { data } = await shop.api.post(
        `/admin/svc/connections/${connection}/sync/preview`,
        { force: true },
        shop.admin,
      )
      expect(data.preview).toMatchObject({ counts: { changed: 1 }, calls: 0 })
    })
  })

  describe("a merchant's own code", () => {
    const heard = (name: string) => {
      const seen: Record<string, unknown>[] = []
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      const subscriber = async ({ data }: { data: unknown }) => {
        seen.push(data as Record<string, unknown>)
      }
      bus.subscribe(name, subscriber, { subscriberId: `tests-${name}` })
      return {
        seen,
        stop: () => bus.unsubscribe(name, subscriber, { subscriberId: `tests-${name}` }),
      }
    }

    it("is told what the service took, what it refused, and that an import has ended", async () => {
      const [synced, refused, completed] = [PRODUCT_SYNCED, PRODUCT_REFUSED, IMPORT_COMPLETED].map(
        heard,
      )
      const connection = await shop.connect()
      const [good = "", bad = ""] = await shop.insertProducts(titles(2))
      await fault({ kind: "status", status: 422, product_id: bad })
      await shop.sync(connection)
      await shop.importEnds(connection)
      // Each comes for itself, in any order.
      for (const one of [synced, refused, completed]) {
        await eventuallyIs(() => one?.seen.length, 1)
      }
      expect(synced?.seen).toEqual([{ connection_id: connection, product_ids: [good] }])
      expect(refused?.seen).toMatchObject([
        { connection_id: connection, products: [{ product_id: bad, code: "svc_rejected" }] },
      ])
      expect(completed?.seen).toMatchObject([
        { connection_id: connection, total: 2, done: 1, failed: 1 },
      ])
      for (const one of [synced, refused, completed]) one?.stop()
    })

    it("may send more than the interface names: all there is of a product is at hand", async () => {
      const { options } = getContainer().resolve(SVC_MODULE)
      const [[category, hidden], [collection]] = [
        await shop.result(createProductCategoriesWorkflow, {
          product_categories: [
            { name: "Mugs", is_active: true },
            { name: "Clearance", is_active: true, is_internal: true },
          ],
        }),
        await shop.result(createCollectionsWorkflow, { collections: [{ title: "Autumn" }] }),
      ]
      Object.assign(options, {
        mapProduct: (payload: object, { product, connection }: Parameters<ProductMapper>[1]) => ({
          ...payload,
          name: `${product.title} (${connection.name})`,
          description: product.description,
          brand: product.metadata?.maker,
          productCategories: product.categories.map(({ name }) => name),
          season: product.collection_title,
        }),
      })
      const connection = await shop.connect()
      const mug = await shop.createProduct("Mug", [variant("S", 10)], {
        description: "Holds a quarter of a litre.",
        category_ids: [category.id, hidden.id],
        collection_id: collection.id,
        metadata: { maker: "Kiln" },
      })
      const told = await shop.productAt(mug.id, { brand: "Kiln" })
      expect(told.product).toMatchObject({
        description: "Holds a quarter of a litre.",
        productCategories: ["Mugs"],
        season: "Autumn",
      })

      // What it shows is followed, whether or not a rule of the connection looks at it.
      await shop.result(updateCollectionsWorkflow, {
        selector: { id: collection.id },
        update: { title: "Winter" },
      })
      await shop.productAt(
        mug.id,
        ({ product }) => "season" in product && product.season === "Winter",
      )
      await shop.change(connection, { name: "Norge" })
      await eachMinute(getContainer())
      await shop.productAt(mug.id, ({ product }) => product.name === "Mug (Norge)")
    })

    it("that fails is asked again within a minute, and is told of once", async () => {
      const { catalog, options } = getContainer().resolve(SVC_MODULE)
      let isDown = false
      Object.assign(options, {
        mapProduct: async (payload: object) => {
          if (isDown) throw new Error("The other system does not answer.")
          return payload
        },
      })
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(["Mug"])
      await shop.importAll(connection)
      const refused = heard(PRODUCT_REFUSED)
      isDown = true
      wakeCatalog(getContainer(), await catalog.marks.mark([id]))
      await shop.productAt(id, { status: "disabled" })
      await shop.settled(id, "invalid")
      for (let minute = 0; minute < 2; minute++) {
        await shop.aMinuteLater()
        await eachMinute(getContainer())
        await workCatalog(getContainer())
        expect((await shop.itemOf(id)).state).toBe("invalid")
      }
      isDown = false
      await shop.aMinuteLater()
      await eachMinute(getContainer())
      await shop.productAt(id, { status: "enabled" })
      expect(refused.seen).toHaveLength(1)
      refused.stop()
    })
  })
}
