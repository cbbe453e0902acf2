/** A service that refuses, fails or is away: nothing is lost, nobody is blamed who is not at fault. */

import { updateProductsWorkflow } from "@medusajs/core-flows"
import eachMinute from "../../../src/jobs/push-catalog"
import eachNight from "../../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { LANE } from "../../../src/modules/svc/shared/lanes"
import { pushConnection, workCatalog } from "../../../src/workflows/catalog"
import { workPulls } from "../../../src/workflows/shows"
import { eventually, eventuallyIs } from "../../setup/market"
import { whileRefusing } from "../../setup/while-refusing"
import { type Answer, type CatalogShop, gate, type Pushed, titles } from "./shop"

export function describeFailures(shop: CatalogShop): void {
  const { api, getContainer, fault, heal } = shop

  const problemsOf = async (wanted: string) =>
    (await api.get("/admin/svc/health", shop.refused())).data.health.problems.filter(
      ({ code }: { code: string }) => code === wanted,
    )

  describe("a store whose products cannot be read", () => {
    it("says what the database said, and not by which statement; its products are sent by themselves once they can be read", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(titles(1))
      await shop.importAll(connection)
      const problems = () => problemsOf("store_error")
      await shop.knex.raw("ALTER TABLE product RENAME COLUMN handle TO other_handle")
      try {
        await shop.knex("svc_catalog_item").update({ wanted: shop.knex.raw("wanted + 1") })
        await workCatalog(getContainer())
        const { reason, attempts } = await shop.itemOf(id)
        expect(reason).toMatchObject({
          code: "store_error",
          message: "The product could not be read from the store: column p.handle does not exist",
        })
        // The service has refused nothing.
        expect(attempts).toBe(0)
        // Whoever looks at health is told, however often it was tried since.
        expect(await problems()).toEqual([
          { ...reason, connection_id: connection, severity: "warning" },
        ])
        // Neither by a person, who is told so, as is whoever looks.
        const asked = [
          await api.post(`/admin/svc/products/${id}/push`, {}, shop.refused()),
          await api.get(`/admin/svc/products/${id}`, shop.refused()),
          await api.post(`/admin/svc/connections/${connection}/sync/preview`, {}, shop.refused()),
        ]
        for (const { status, data } of asked) {
          expect([status, data.code]).toEqual([503, "store_error"])
          expect(data.message).toContain("column p.handle does not exist")
        }
        expect(await shop.itemOf(id)).toMatchObject({
          attempts: 0,
          reason: { code: "store_error" },
        })
      } finally {
        await shop.knex.raw("ALTER TABLE product RENAME COLUMN other_handle TO handle")
      }
      await shop.aMinuteLater()
      expect(await shop.settled(id, "synced")).toMatchObject({ reason: null })
      expect(await problems()).toEqual([])
    })
  })

  describe("a product that Medusa's modules cannot read", () => {
    it("has its reason, and holds up nothing: its neighbours are sent, and what is behind it is compared", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(120))
      const [bad = "", behind = ""] = [ids[57], ids.at(-1)]
      await breakPrices(`id = 'sql_${bad}'`)
      try {
        await shop.sync(connection)
        expect(await shop.importEnds(connection)).toMatchObject({
          total: 120,
          done: 119,
          failed: 1,
        })
        const { state, reason } = await shop.itemOf(bad)
        expect({ state, code: reason?.code }).toEqual({ state: "invalid", code: "unreadable" })
        expect(reason?.message).toContain("a broken price")
        await shop.knex("product").where({ id: behind }).update({ title: "Behind it" })
        await eachNight(getContainer())
        await shop.productAt(behind, { name: "Behind it" })
      } finally {
        await mendPrices()
      }
      await workCatalog(getContainer())
      await eachNight(getContainer())
      await shop.productAt(bad)
    })

    it("is withdrawn also where it is the only one that is edited, and its page says why", async () => {
      const connection = await shop.connect()
      const [bad = ""] = await shop.insertProducts(titles(3))
      await shop.importAll(connection)
      const { id: row } = await shop.itemOf(bad)
      const page = async () => (await api.get(`/admin/svc/products/${row}`, shop.refused())).status
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      await shop.pass("1 minute")
      await breakPrices(`id = 'sql_${bad}'`)
      try {
        await marks.mark([bad])
        await workCatalog(getContainer())
        await shop.productAt(bad, { status: "disabled" })
        const unreadable = { state: "invalid", reason: { code: "unreadable" } }
        expect(await shop.itemOf(bad)).toMatchObject(unreadable)
        expect(await page()).toBe(200)
        await shop.sendNow(row)
        expect(await shop.itemOf(bad)).toMatchObject(unreadable)
      } finally {
        await mendPrices()
      }
      await shop.aMinuteLater()
    })

    /** Medusa's pricing module throws whenever it reads a price of such a set. @param which SQL on its `id` */
    const breakPrices = (which: string) =>
      shop.knex.raw(`
        ALTER TABLE price RENAME TO readable_price;
        CREATE FUNCTION fails(id text) RETURNS boolean LANGUAGE plpgsql AS
          $$ BEGIN IF ${which} THEN RAISE EXCEPTION 'a broken price'; END IF; RETURN true; END $$;
        CREATE VIEW price AS SELECT * FROM readable_price WHERE fails(price_set_id)`)
    const mendPrices = () =>
      shop.knex.raw(
        "DROP VIEW price; DROP FUNCTION fails; ALTER TABLE readable_price RENAME TO price",
      )
  })

  describe("an import that cannot read the store's products for a day", () => {
    it("stops, and says why; one that is older goes on after a failure", async () => {
      const connection = await shop.connect()
      await shop.insertProducts(titles(1))
      const walk = () =>
        shop.knex("svc_catalog_import").where({ connection_id: connection, kind: "import" })
      const failsOnceMore = async (before: Record<string, unknown>) => {
        const attempts = Number(before.attempts)
        await walk().update({ ...before, next_attempt_at: null })
        return eventually(
          async () => {
            await workCatalog(getContainer())
            return walk().first()
          },
          (row) => row.attempts > attempts && row.lease_token === null,
        )
      }
      const stops = async () => {
        await shop.sync(connection)
        const began = new Date(Date.now() - 25 * 3_600_000)
        expect(await failsOnceMore({ attempts: 0, started_at: began })).toMatchObject({
          status: "running",
        })
        expect(await failsOnceMore({ attempts: 180 })).toMatchObject({ status: "failed" })
        expect(await shop.syncOf(connection)).toMatchObject({
          reason: {
            code: "import_failed",
            message: expect.stringMatching(/could not be read for a day: the disk is full$/),
            fix: expect.any(String),
          },
          next_attempt_at: null,
        })
      }
      const writes = "UPDATE ON svc_catalog_import"
      await whileRefusing(shop.knex, writes, "the disk is full", stops, "NEW.marked_all")
      expect(await shop.importAll(connection)).toMatchObject({ reason: null })
    })
  })

  describe("two workers, and a page that takes longer to read than a lease lasts", () => {
    it("neither takes it from the other, be it an import's page or edits", async () => {
      const markets = [
        { connection: await shop.connect(), table: "svc_catalog_import" },
        { connection: await shop.connectPage("edited"), table: "svc_catalog_item" },
      ]
      const ids = await shop.insertProducts(titles(2))
      for (const { connection } of markets) await shop.importAll(connection)
      await workCatalog(getContainer())
      const { items, walks } = getContainer().resolve(SVC_MODULE).catalog
      const leased = ({ connection, table }: (typeof markets)[number]) =>
        shop.knex(table).where({ connection_id: connection }).whereNotNull("lease_token")
      const leases = async (market: (typeof markets)[number]) =>
        (await leased(market).select(
          "lease_token",
          shop.knex.raw("extract(epoch FROM lease_until - now()) * 1000 AS ms"),
        )) as { lease_token: string; ms: number }[]
      const pushBoth = () =>
        Promise.all(markets.map(({ connection }) => pushConnection(getContainer(), connection)))
      // The page is read as long as somebody keeps the table of products.
      const slow = await shop.knex.transaction()
      try {
        await slow.raw("LOCK TABLE product_variant IN ACCESS EXCLUSIVE MODE")
        const [imported, edited] = markets.map(({ connection }) => connection)
        await shop.sync(imported ?? "")
        await shop
          .knex("svc_catalog_item")
          .where({ connection_id: edited })
          .update({ wanted: shop.knex.raw("wanted + 1") })
        const first = pushBoth()
        const held: string[] = []
        for (const market of markets) {
          const [row] = await eventually(
            () => leases(market),
            (rows) => rows.length > 0,
          )
          held.push(row?.lease_token ?? "")
          // A second before its end.
          await leased(market).update({
            lease_until: shop.knex.raw("now() + interval '6 seconds'"),
          })
        }
        const renewed = []
        for (const market of markets) {
          renewed.push(
            await eventually(
              () => leases(market),
              (rows) => rows.every(({ ms }) => ms > 15_000),
            ),
          )
        }
        await pushBoth()
        for (const [n, market] of markets.entries()) {
          expect(await leases(market)).toHaveLength(renewed[n]?.length ?? 0)
          for (const { lease_token } of renewed[n] ?? []) expect(lease_token).toBe(held[n])
        }
        await slow.commit()
        await first
      } finally {
        if (!slow.isCompleted()) await slow.rollback()
      }
      await workCatalog(getContainer())
      expect([await walks.dueInMs(), await items.dueInMs()]).toEqual([new Map(), new Map()])
      expect(await shop.items({ state: "synced" })).toHaveLength(markets.length * ids.length)
    })
  })

  describe("a service that does not take products", () => {
    it("loses none when a gateway answers 404 for everything, says why it waits, and goes on by itself", async () => {
      await fault({ kind: "status", status: 404, body: "<h1>No</h1>" })
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(150))
      await shop.sync(connection)
      const waiting = await eventually(
        () => shop.syncOf(connection),
        ({ reason, next_attempt_at }) => reason !== null && next_attempt_at !== null,
      )
      expect(waiting).toMatchObject({
        status: "running",
        reason: { code: "endpoint_refuses", params: { status: "404" } },
      })
      expect(Date.parse(waiting.next_attempt_at ?? "") - Date.now()).toBeLessThan(60_000)
      await shop.aMinuteLater()
      expect(await shop.items({ state: "failed" })).toEqual([])
      // One for each time that it was tried again.
      expect(await shop.calls()).toBeLessThanOrEqual(20)

      await heal()
      await shop.aMinuteLater()
      expect(await shop.importEnds(connection)).toMatchObject({
        total: 150,
        done: 150,
        failed: 0,
      })
      expect((await shop.received()).size).toBe(ids.length)
      expect(await shop.syncOf(connection)).toMatchObject({ reason: null, next_attempt_at: null })
    })

    it("stops after a few calls when everything is refused with 422, and loses none", async () => {
      await fault({ kind: "status", status: 422, body: { error: { message: "No brand." } } })
      const connection = await shop.connect()
      await shop.insertProducts(titles(300))
      await shop.sync(connection)
      const waiting = await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason !== null,
      )
      expect(waiting.reason).toMatchObject({ code: "most_refused" })
      expect(waiting.reason?.message).toContain("No brand.")
      expect(await shop.calls()).toBeLessThanOrEqual(30)
      await shop.aMinuteLater()
      expect(await shop.calls()).toBeLessThanOrEqual(36)
      expect(await shop.items({ state: "failed" })).toEqual([])

      await heal()
      await shop.aMinuteLater()
      expect(await shop.importEnds(connection)).toMatchObject({ total: 300, done: 300, failed: 0 })
    })

    it("says no more why products wait once none does", async () => {
      await fault({ kind: "status", status: 404 })
      const connection = await shop.connect()
      await shop.insertProducts(titles(3))
      await shop.sync(connection)
      await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason?.code === "endpoint_refuses",
      )
      await shop.sync(connection, "/cancel")
      await shop.aMinuteLater()
      await shop.knex("svc_hold").update({ until: new Date(Date.now() - 1_000) })
      expect(await shop.syncOf(connection)).toMatchObject({ status: "cancelled", reason: null })
      expect(await problemsOf("endpoint_refuses")).toEqual([])
    })

    it.each([
      { status: 403 },
      // Others pass, so it is not the service that asks for patience.
      { status: 503, retry_after: 1_800 },
    ])(
      "finds the one product that is answered %j, sends its neighbours, and leaves orders alone",
      async (answer) => {
        const connection = await shop.connect()
        const ids = await shop.insertProducts(titles(250))
        const poison = ids[137] ?? ""
        await fault({ kind: "status", ...answer, product_id: poison })
        const { items } = getContainer().resolve(SVC_MODULE).catalog
        const { headAttempts } = items
        items.headAttempts = async (...asked) => {
          const attempts = await headAttempts.apply(items, asked)
          // The database's answer comes later than that of a call that was under way.
          if (attempts === null) await new Promise((resolve) => setTimeout(resolve, 300))
          return attempts
        }
        try {
          await shop.sync(connection)
          expect(await shop.importEnds(connection)).toMatchObject({
            total: 250,
            done: 249,
            failed: 1,
          })
        } finally {
          Reflect.deleteProperty(items, "headAttempts")
        }
        expect((await shop.received()).size).toBe(249)
        expect(await shop.itemOf(poison)).toMatchObject({
          state: "failed",
          reason: { code: "product_fails_alone" },
          next_attempt_at: expect.any(String),
        })
        // What reports of orders go through.
        const svc = getContainer().resolve(SVC_MODULE)
        await expect(
          svc.connections.calls.inBackground(connection, "webhooks", (client) =>
            client.listWebhooks(),
          ),
        ).resolves.toMatchObject({ subscribers: [] })

        // It keeps nobody else from being sent, however often it fails.
        const [edited = ""] = ids
        await shop.pass("1 hour")
        await shop.edit(edited, { title: "Edited" })
        await shop.productAt(edited, { name: "Edited" })

        await heal()
        await shop.pass("1 hour")
        await workCatalog(getContainer())
        await shop.productAt(poison)
        expect(await shop.settled(poison, "synced")).toMatchObject({ reason: null, attempts: 0 })
      },
    )

    it("is told what became of a product whose answer was lost: one that is gone by now, or is again as it was", async () => {
      const has = new Map<string, Pushed>()
      let isLost = false
      const base_url = await shop.answering((products) => {
        for (const product of products) has.set(product.id, product)
        return isLost ? "broken" : { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const [reverted = ""] = await shop.insertProducts(["As it was"])
      await shop.importAll(connection)
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      const rename = async (title: string) => {
        await shop.knex("product").where({ id: reverted }).update({ title })
        await marks.mark([reverted])
        await shop.aMinuteLater()
      }

      isLost = true
      await rename("For a moment")
      const [gone = "", cancelled = ""] = await shop.insertProducts(["Gone", "Cancelled"])
      await shop.sync(connection)
      await eventuallyIs(() => has.size, 3)
      await workCatalog(getContainer())
      // Nobody knows that the service sells them; the import that knew of it is over, too.
      await shop.sync(connection, "/cancel")
      await shop.knex("product_sales_channel").where({ product_id: gone }).delete()
      await shop.knex("product_sales_channel").where({ product_id: cancelled }).delete()
      await marks.mark([gone])

      isLost = false
      await rename("As it was")
      await shop.aMinuteLater()
      expect(has.get(reverted)).toMatchObject({ name: "As it was", status: "enabled" })
      expect(has.get(gone)).toMatchObject({ status: "disabled" })
      expect(has.get(cancelled)).toMatchObject({ status: "disabled" })
    })

    it('is told once more what "Send now" sent while another worker had taken the product over', async () => {
      const names: string[] = []
      let isTaken = false
      const base_url = await shop.answering(async (products) => {
        names.push(...products.map(({ name }) => name))
        if (isTaken) {
          isTaken = false
          // Another worker has sent and settled it: whose payload came last, nobody knows.
          await shop.knex("svc_catalog_item").update({
            acknowledged: shop.knex.raw("wanted"),
            state: "synced",
            force: false,
            next_attempt_at: null,
            lease_token: null,
            lease_until: null,
          })
        }
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const [id = ""] = await shop.insertProducts(["Mug"])
      await shop.atRest(connection, { batchSize: 10 })
      expect(names).toEqual(["Mug"])
      isTaken = true
      const { id: row } = await shop.itemOf(id)
      await shop.sendNow(row)
      await shop.aMinuteLater()
      expect(names).toEqual(["Mug", "Mug", "Mug"])
      expect(await shop.itemOf(id)).toMatchObject({ state: "synced" })
    })

    it("takes the products of others after a hold, although two that somebody waits for are refused", async () => {
      let bad: string[] = []
      const taken = new Set<string>()
      const base_url = await shop.answering((products) => {
        const isRefused = products.some(({ id }) => bad.includes(id))
        if (!isRefused) for (const { id, name } of products) taken.add(`${id} ${name}`)
        return { status: isRefused ? 422 : 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const ids = await shop.insertProducts(titles(5))
      await shop.atRest(connection, { batchSize: 10 })
      const { catalog, connections } = getContainer().resolve(SVC_MODULE)
      const reason = { code: "most_refused", message: "All.", fix: "Look." }
      await connections.holds.hold(connection, "products", { ms: 0, reason, counts: true })
      bad = ids.slice(0, 2)
      const good = ids.slice(2)
      await shop.knex("product").whereIn("id", ids).update({ title: "Edited" })
      await catalog.marks.mark(good, LANE.mass)
      await catalog.marks.mark(bad, LANE.edit)
      const due = { next_attempt_at: new Date(Date.now() - 60_000) }
      await shop.knex("svc_catalog_item").whereIn("product_id", good).update(due)
      await shop
        .knex("svc_catalog_item")
        .whereIn("product_id", bad)
        .update({ ...due, attempts: 1 })
      // What was refused together with others is tried again soon, alone.
      await eventually(
        async () => {
          await pushConnection(getContainer(), connection)
          return shop.items({ state: "failed" })
        },
        (failed) => failed.length === bad.length,
      )
      expect((await shop.items({ state: "failed" })).map((item) => item.product_id).sort()).toEqual(
        bad,
      )
      for (const id of good) expect(taken).toContain(`${id} Edited`)
      expect(await shop.syncOf(connection)).toMatchObject({ reason: null })
    })

    it("sends a refused product once, however long it waits for others to show whose fault it is", async () => {
      const sent: string[] = []
      const [three, fourth] = [gate(), gate()]
      let bad = ""
      const base_url = await shop.answering(async (products) => {
        if (bad === "") return { status: 200, body: {} }
        const [id = ""] = products.map((product) => product.id)
        const call = sent.push(id)
        if (call === 3) three.open()
        if (call === 4) fourth.open()
        if (id === bad) {
          await three.opened
          return { status: 422, body: {} }
        }
        await fourth.opened
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const ids = await shop.insertProducts(titles(4))
      await shop.atRest(connection, { batchSize: 1 })
      const container = getContainer()
      bad = ids[0] ?? ""
      await shop.knex("product").whereIn("id", ids).update({ title: "Edited" })
      await container.resolve(SVC_MODULE).catalog.marks.mark(ids)
      const due = (n: number) => new Date(Date.now() - 60_000 + n)
      for (const [n, product_id] of ids.entries()) {
        await shop
          .knex("svc_catalog_item")
          .where({ product_id })
          .update({ next_attempt_at: due(n) })
      }
      await pushConnection(container, connection)
      expect([...sent].sort()).toEqual(ids)
      expect((await shop.items({ state: "failed" })).map((item) => item.product_id)).toEqual([bad])
    })

    it("blames no product for what it refused to a process that was asked to end", async () => {
      const { work } = getContainer().resolve(SVC_MODULE)
      let isRefusing = false
      const base_url = await shop.answering(() => {
        if (!isRefusing) return { status: 200, body: {} }
        jest.spyOn(work.leases, "closed", "get").mockReturnValue(true)
        return { status: 422, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const ids = await shop.insertProducts(titles(2))
      await shop.atRest(connection, { batchSize: 1 })
      await shop.knex("product").whereIn("id", ids).update({ title: "Edited" })
      await getContainer().resolve(SVC_MODULE).catalog.marks.mark(ids)
      await shop.knex("svc_catalog_item").update({ next_attempt_at: new Date(Date.now() - 60_000) })
      isRefusing = true
      try {
        await pushConnection(getContainer(), connection)
        expect(await shop.items({ state: "failed" })).toEqual([])
      } finally {
        jest.restoreAllMocks()
      }
      isRefusing = false
      await shop.aMinuteLater()
      expect(await shop.items({ state: "synced" })).toHaveLength(2)
    })

    it("tries what was refused again each night, and all of a kind when a person asks", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(3))
      const [bad = "", worse = ""] = ids
      for (const id of [bad, worse]) await fault({ kind: "status", status: 422, product_id: id })
      await shop.sync(connection)
      await shop.importEnds(connection)
      expect(await shop.items({ state: "failed" })).toHaveLength(2)

      await heal()
      await fault({ kind: "status", status: 422, product_id: worse })
      await eachNight(getContainer())
      await workCatalog(getContainer())
      await shop.productAt(bad)
      // The pass that sent it may still be at the other.
      await workCatalog(getContainer())
      expect((await shop.items({ state: "failed" })).map((item) => item.product_id)).toEqual([
        worse,
      ])

      await heal()
      const { data } = await api.post(
        "/admin/svc/products/push",
        { filters: { connection_id: connection, reason_code: "svc_rejected" } },
        shop.admin,
      )
      expect(data).toEqual({ count: 1 })
      await shop.productAt(worse)
      const none = await api.post("/admin/svc/products/push", { filters: {} }, shop.refused())
      expect([none.status, none.data.code]).toEqual([400, "invalid_request"])
    })

    it.each([
      ["by their names", 200],
      ["with a 422", 422],
    ])(
      "holds up nobody for products that it refused before, and refuses again %s",
      async (_, status) => {
        let bad: string[] = []
        let isFirst = true
        const base_url = await shop.answering((products) => {
          const refused = products.filter(({ id }) => bad.includes(id))
          if (refused.length > 0 && status === 422 && !isFirst) return { status, body: {} }
          const errors = refused.map(({ id }) => ({ id, code: "no_brand", message: "No brand." }))
          return { status: 200, body: { errors } }
        })
        const connection = await shop.connect({ base_url })
        const ids = await shop.insertProducts(titles(24))
        bad = ids.slice(0, 12)
        await shop.atRest(connection, { batchSize: 4 })
        const failed = () => shop.items({ state: "failed" })
        expect(await failed()).toHaveLength(12)
        for (const { reason } of await failed()) {
          // What the service calls it is no code of ours, which may mean something else.
          expect(reason).toMatchObject({
            code: "svc_rejected",
            message: expect.stringContaining("No brand."),
            params: { said_code: "no_brand" },
          })
        }
        isFirst = false

        const asked = {
          night: () => eachNight(getContainer()),
          import: () => shop.sync(connection),
          person: () =>
            api.post("/admin/svc/products/push", { filters: { state: "failed" } }, shop.admin),
        }
        for (const [who, ask] of Object.entries(asked)) {
          await ask()
          await workCatalog(getContainer())
          const { holds } = await shop.standing()
          expect({ who, failed: (await failed()).length, holds }).toEqual({
            who,
            failed: 12,
            holds: [],
          })
        }
        expect((await shop.importEnds(connection)).failed).toBe(12)
        // One that was mended is found among them.
        bad = bad.slice(1)
        await eachNight(getContainer())
        await workCatalog(getContainer())
        expect(await failed()).toHaveLength(11)
      },
    )

    it("is told at once of an edit that came while the call about a product failed that fails by itself", async () => {
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      let answer: () => Promise<Answer> = async () => ({ status: 200, body: {} })
      const connection = await shop.connect({ base_url: await shop.answering(() => answer()) })
      const [id = ""] = await shop.insertProducts(titles(1))
      await shop.atRest(connection, { batchSize: 10 })
      await shop.pass("1 minute")
      await shop
        .knex("svc_catalog_item")
        .where({ product_id: id })
        .update({
          wanted: shop.knex.raw("wanted + 1"),
          force: true,
          state: "failed",
          attempts: 30,
          reason_code: "product_fails_alone",
          next_attempt_at: shop.knex.fn.now(),
        })
      const [called, edited] = [gate(), gate()]
      answer = async () => {
        called.open()
        await edited.opened
        return { status: 500, body: {} }
      }
      const pushed = pushConnection(getContainer(), connection)
      await called.opened
      await marks.mark([id])
      edited.open()
      await pushed
      const { rows } = await shop.knex.raw(
        `SELECT next_attempt_at <= now() + interval '2 seconds' AS soon, reason_code
         FROM svc_catalog_item WHERE product_id = ?`,
        [id],
      )
      expect(rows).toEqual([{ soon: true, reason_code: "product_fails_alone" }])
      answer = async () => ({ status: 200, body: {} })
      await shop.aMinuteLater()
      expect(await shop.settled(id, "synced")).toMatchObject({ reason: null })
    })

    it("gets a product that it lost, and refuses or fails for when it is asked for again, once it is well", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(6))
      const [refused = "", fails = "", sentByHand = ""] = ids
      await shop.importAll(connection)
      await shop.sandbox.control("/reset", {})
      const lost = [refused, fails, sentByHand]
      await fault({ kind: "status", status: 422, product_id: refused })
      await fault({ kind: "status", status: 403, product_id: fails })
      await shop.importAll(connection, { force: true })
      for (const id of [refused, fails]) await shop.settled(id, "failed")
      await shop.sandbox.control("/products", undefined, "DELETE")
      await fault({ kind: "status", status: 422, product_id: sentByHand })
      await shop.sendNow((await shop.itemOf(sentByHand)).id)
      for (const id of lost) {
        expect(await shop.settled(id, "failed")).toMatchObject({ reason: expect.anything() })
        expect((await shop.received()).has(id)).toBe(false)
      }

      await heal()
      await eachNight(getContainer())
      await shop.pass("1 hour")
      await workCatalog(getContainer())
      const pushes = new Map<string, number>()
      for (const id of lost) {
        expect(await shop.settled(id, "synced")).toMatchObject({ reason: null })
        pushes.set(id, (await shop.productAt(id)).pushes)
      }
      // It was asked for once.
      await eachNight(getContainer())
      await workCatalog(getContainer())
      for (const id of lost) expect((await shop.productAt(id)).pushes).toBe(pushes.get(id))
    })

    it("waits as long as it is told, whatever is leased, read ahead or edited meanwhile", async () => {
      const container = getContainer()
      const names = new Map<string, string>()
      let calls = 0
      const connection = await shop.connect({
        base_url: await shop.answering((products) => {
          calls += 1
          if (calls === 1) return { status: 429, body: {}, headers: { "retry-after": "1800" } }
          for (const { id, name } of products) names.set(id, name)
          return { status: 200, body: {} }
        }),
      })
      const ids = await shop.insertProducts(titles(350))
      await shop.sync(connection)
      await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason !== null,
      )
      // Calls that were under way when the first was told to wait end here.
      await workCatalog(container)
      const before = calls
      expect(await heldFor(connection)).toBe(1_800)
      const [edited = ""] = ids
      for (let edit = 0; edit < 5; edit++) {
        await shop.result(updateProductsWorkflow, {
          selector: { id: edited },
          update: { title: `Edit ${edit}` },
        })
        await workCatalog(container)
      }
      // Neither other settings nor another token end what the service has asked for.
      const settings = { storefront_url: "https://new.example/", api_token: "another" }
      await shop.change(connection, settings)
      await shop.pass("25 minutes")
      await eachMinute(container)
      await workCatalog(container)
      expect(calls).toBe(before)

      await shop.pass("5 minutes")
      await workCatalog(container)
      expect(await shop.importEnds(connection)).toMatchObject({ total: 350, done: 350 })
      expect([names.size, names.get(edited)]).toEqual([350, "Edit 4"])
    })

    it("is called by no other process once one was told to wait, whatever that process has read ahead", async () => {
      const container = getContainer()
      const { catalog, connections } = container.resolve(SVC_MODULE)
      const told = gate()
      const others = gate()
      let calls = 0
      const base_url = await shop.answering(async () => {
        calls += 1
        if (calls > 1) {
          await others.opened
          return { status: 200, body: {} }
        }
        await told.opened
        return { status: 429, body: {}, headers: { "retry-after": "1800" } }
      })
      const connection = await shop.connect({ base_url })
      await shop.atRest(connection, { batchSize: 10 })
      const ids = await shop.insertProducts(titles(700))
      await catalog.marks.mark(ids)
      const rows = () =>
        shop
          .knex("svc_catalog_item")
          .orderBy("id")
          .select("id", "acknowledged", "attempts", "lease_token", "next_attempt_at")
      const marked = await rows()
      // Two runs share nothing but the rows, as two processes do. Each has three calls under way, and more in memory.
      const runs: Promise<void>[] = []
      for (const underWay of [3, 6]) {
        runs.push(pushConnection(container, connection))
        await eventuallyIs(() => calls, underWay)
      }
      const leases = new Set((await rows()).flatMap(({ lease_token }) => lease_token ?? []))
      expect(leases.size).toBe(2)

      told.open()
      // The hold stands while the other calls of the one that was told are still under way.
      await eventually(
        () => connections.holds.of("products", [connection]),
        (held) => held.get(connection)?.reason.code === "slow_down",
      )
      others.open()
      await Promise.all(runs)
      expect(calls).toBe(6)
      // Nor does one that begins now, and remembers nothing.
      await pushConnection(container, connection)
      await shop.pass("29 minutes")
      await pushConnection(container, connection)
      expect(calls).toBe(6)
      // It is the connection that waits: no row was written but those that the five other calls took.
      const seconds = 29 * 60
      const after = await rows()
      const untouched = after.filter(({ acknowledged }) => acknowledged === 0)
      expect(untouched.length).toBe(700 - 5 * 10)
      const before = new Map(marked.map((row) => [row.id, row]))
      expect(
        untouched.filter(
          ({ id, attempts, lease_token, next_attempt_at }) =>
            attempts > 0 ||
            lease_token !== null ||
            next_attempt_at.getTime() !==
              before.get(id)?.next_attempt_at.getTime() - seconds * 1_000,
        ),
      ).toEqual([])
    })

    it('waits as long as "Send now" was told, where that was the first call of all', async () => {
      const connection = await shop.connect({
        base_url: await shop.answering(() => ({
          status: 429,
          body: {},
          headers: { "retry-after": "1800" },
        })),
      })
      const [sent = ""] = await shop.insertProducts(titles(1))
      await shop.sync(connection)
      const { id } = await shop.settled(sent, "pending")
      await shop.knex("svc_catalog_pace").where({ connection_id: connection }).delete()
      await shop.sendNow(id)
      expect(await heldFor(connection)).toBe(1_800)
    })

    /** Seconds from the answer that told a connection to wait to the end of its hold. */
    const heldFor = async (connection: string): Promise<number> => {
      const { rows } = await shop.knex.raw<{ rows: { seconds: number }[] }>(
        `SELECT extract(epoch FROM until - updated_at)::float8 AS seconds
         FROM svc_hold WHERE connection_id = ? AND endpoint = 'products'`,
        [connection],
      )
      return rows[0]?.seconds ?? 0
    }

    it("holds no new token to account for the old one, whose call was under way when it was entered", async () => {
      const { open, opened } = gate()
      let refused = 0
      const holds: unknown[] = []
      const url = await shop.answering(async (_, { token }) => {
        if (token === "new-token") {
          holds.push((await shop.knex("svc_hold").first("until")) ?? null)
          return { status: 200, body: {} }
        }
        refused += 1
        await opened
        return { status: 401, body: {} }
      })
      const connection = await shop.connect({ base_url: url, api_token: "old-token" })
      await shop.insertProducts(titles(150))
      await shop.sync(connection)
      await eventually(
        async () => refused,
        (count) => count > 0,
      )
      await shop.change(connection, { api_token: "new-token" })
      open()
      expect(await shop.importEnds(connection)).toMatchObject({ total: 150, done: 150 })
      // Nothing was held between the refusal of the old token and the first call with the new one.
      expect(new Set(holds)).toEqual(new Set([null]))
      const row = await shop.knex("svc_connection").where({ id: connection }).first()
      expect(row).toMatchObject({ status: "active", last_error: null })
    })

    it("shows no refused token as a good one because of an answer that the old one gets", async () => {
      const { open, opened } = gate()
      let held = 0
      let isChecking = false
      const url = await shop.answering(
        async (_, { token }) => {
          if (token === "new-token") return { status: 401, body: {} }
          held += 1
          await opened
          return { status: 200, body: {} }
        },
        { checksToo: (token) => token === "new-token" || isChecking },
      )
      const connection = await shop.connect({ base_url: url, api_token: "old-token" })
      const row = () => shop.knex("svc_connection").where({ id: connection }).first()
      // The worker writes down that all is well only where that was not known.
      await shop
        .knex("svc_connection")
        .where({ id: connection })
        .update({ token_accepted_at: null })
      await shop.insertProducts(titles(1))
      // The reading of the lists that a new connection begins asks for nothing later.
      await workPulls(getContainer())
      await shop.sync(connection)
      isChecking = true
      const checking = shop.api.post(`/admin/svc/connections/${connection}/check`, {}, shop.admin)
      await eventuallyIs(() => held, 2)
      await shop.change(connection, { api_token: "new-token" })
      expect(await row()).toMatchObject({ status: "broken" })
      open()
      await checking
      await workCatalog(getContainer())
      expect(await row()).toMatchObject({
        status: "broken",
        token_accepted_at: null,
        last_error: { code: "svc_unauthorized" },
        last_check: { ok: false },
      })
    })
  })
}
