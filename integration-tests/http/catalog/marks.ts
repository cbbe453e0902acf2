/** Marks: who asked for a product to be sent, and who goes first. */

import { createRegionsWorkflow } from "@medusajs/core-flows"
import eachMinute from "../../../src/jobs/push-catalog"
import eachNight from "../../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { CatalogMarks } from "../../../src/modules/svc/core-tables/catalog-marks"
import { LANE } from "../../../src/modules/svc/shared/lanes"
import { pushConnection, workCatalog } from "../../../src/workflows/catalog"
import { statementsWaiting, untilWaiting } from "../../setup/locks"
import { eventually, eventuallyIs } from "../../setup/market"
import { type CatalogShop, gate, type Pushed, titles, variant } from "./shop"

export function describeMarks(shop: CatalogShop): void {
  const { api, getContainer, fault } = shop

  describe("marks", () => {
    it("leave no rows of a connection that is deleted just then", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(3))
      const rows = () => shop.knex("svc_catalog_item").where({ connection_id: connection })
      await rows().delete()
      const marking = await shop.knex.transaction()
      await new CatalogMarks(marking).mark(ids)
      const deletion = api.delete(`/admin/svc/connections/${connection}`, shop.admin)
      let isDeleted = false
      void deletion.then(() => {
        isDeleted = true
      })
      await untilWaiting(shop.knex, 1, { isOver: () => isDeleted })
      await marking.commit()
      expect((await deletion).status).toBe(200)
      expect(await rows()).toEqual([])
    })

    it("of everything but the import go on while the import is paused", async () => {
      const connection = await shop.connect()
      const [first = "", second = ""] = await shop.insertProducts(titles(2))
      await shop.importAll(connection)
      // It may be paused before anything was sent.
      await fault({ kind: "status", status: 503 })
      await shop.sync(connection, "", { force: true })
      await shop.sync(connection, "/pause")
      await workCatalog(getContainer())
      await shop.sandbox.forgetFaults()

      await shop.knex("product").where({ id: first }).update({ title: "Changed in SQL" })
      await eachNight(getContainer())
      await shop.aMinuteLater()
      await shop.productAt(first, { name: "Changed in SQL" })
      await shop.knex("product_sales_channel").where({ product_id: second }).delete()
      await eachNight(getContainer())
      await workCatalog(getContainer())
      await shop.productAt(second, { status: "disabled" })
      expect((await shop.syncOf(connection)).status).toBe("paused")
    })

    it("of a sale that begins go on although a paused import has marked its products too", async () => {
      const container = getContainer()
      const connection = await shop.connect()
      const sold = await shop.createProduct("On sale", [variant("S", 100)])
      const list = await shop.createSale(sold, 60, { starts_at: "2037-01-01" })
      await shop.importAll(connection)
      // As somebody has paused it after it has marked them.
      const importId = await shop.insertImport(connection, { force: true })
      const { marks } = container.resolve(SVC_MODULE).catalog
      await marks.mark([sold.id], LANE.import, { connectionId: connection, importId })

      await shop
        .knex("price_list")
        .where({ id: list.id })
        .update({ starts_at: shop.knex.fn.now(), updated_at: new Date(0) })
      await eachMinute(container)
      await shop.aMinuteLater()
      await shop.productAt(sold.id, { price: 60 })
      expect((await shop.syncOf(connection)).status).toBe("paused")
    })

    it("of stock that moved leave to a paused import what the service never got", async () => {
      const container = getContainer()
      const product = await shop.createProduct("In the warehouse")
      const inventory_item_id = await shop.inventoryItemOf(product.variants[0]?.id ?? "")
      await shop.knex("inventory_level").insert({
        id: "ilev_moved",
        inventory_item_id,
        location_id: shop.location,
        stocked_quantity: 7,
        raw_stocked_quantity: JSON.stringify({ value: "7" }),
        raw_reserved_quantity: JSON.stringify({ value: "0" }),
        raw_incoming_quantity: JSON.stringify({ value: "0" }),
      })
      const connection = await shop.connect()
      const importId = await shop.insertImport(connection)
      const { marks } = container.resolve(SVC_MODULE).catalog
      await marks.mark([product.id], LANE.import, { connectionId: connection, importId })
      await eachMinute(container)
      await shop.aMinuteLater()
      expect((await shop.received()).size).toBe(0)
      expect(await shop.knex("svc_catalog_item").pluck("lane")).toEqual([LANE.import])
    })

    it("of single products, as fast as they may be sent, keep nobody from looking at all others", async () => {
      const names = new Map<string, string>()
      const base_url = await shop.answering((products) => {
        for (const { id, name } of products) names.set(id, name)
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      const ids = await shop.insertProducts(titles(401))
      await shop.atRest(connection, { batchSize: 100 })
      await shop.pass("1 minute")
      const behind = ids.pop() ?? ""
      await shop.knex("product").where({ id: behind }).update({ title: "Behind them" })
      const { marks, walks } = getContainer().resolve(SVC_MODULE).catalog
      await walks.openCompare([connection])
      let isEditing = true
      const editing = (async () => {
        for (let edit = 0; isEditing; edit++) {
          const id = ids[edit % ids.length] ?? ""
          await shop
            .knex("product")
            .where({ id })
            .update({ title: `Edit ${edit}` })
          await marks.mark([id])
        }
      })()
      // A machine that stands still for a moment marks nothing, and a run without marks is over.
      const run = (async () => {
        while (isEditing) await pushConnection(getContainer(), connection)
      })()
      try {
        await eventuallyIs(() => names.get(behind), "Behind them")
        // It has looked at everything. What is changed from now on is for the next one, which begins a minute later at most.
        await eventually(
          () => shop.knex("svc_catalog_import").where({ kind: "compare" }).orderBy("started_at"),
          (all) => all.at(-1)?.marked_all,
        )
        await shop.knex("product").where({ id: behind }).update({ title: "Behind them again" })
        await walks.openCompare([connection])
        await shop.pass("1 minute")
        await eventuallyIs(() => names.get(behind), "Behind them again")
      } finally {
        isEditing = false
        await editing
        await run
      }
    })

    it("of a comparison are made before those of an import that is open beside it", async () => {
      const connection = await shop.connect()
      await shop.insertProducts(titles(1))
      await shop.atRest(connection, { batchSize: 10 })
      const { walks } = getContainer().resolve(SVC_MODULE).catalog
      await walks.openImport(connection, false)
      await walks.openCompare([connection])
      const walk = await walks.claim(connection, { token: "a worker", leaseMs: 1_000 })
      expect(walk?.kind).toBe("compare")
    })

    it("of a sale that begins let a person's edit overtake what is not sent yet, and are made once", async () => {
      const container = getContainer()
      const { open, opened } = gate()
      const calls: Pushed[][] = []
      const base_url = await shop.answering(async (products) => {
        calls.push(products)
        await opened
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url })
      await shop.atRest(connection, { batchSize: 50 })
      const ids = await shop.insertProducts(titles(1_100))
      const { marks } = container.resolve(SVC_MODULE).catalog
      await marks.mark(ids)
      await shop.knex("svc_catalog_item").update({ acknowledged: shop.knex.ref("wanted") })
      const none = { variants: [] }
      const list = await shop.createSale(none, 5, { prices: [] })
      await shop.knex.batchInsert("price", salePrices(ids, list.id))
      // It began a minute ago, and Medusa emits nothing of that.
      const began = new Date(Date.now() - 60_000)
      await shop
        .knex("price_list")
        .where({ id: list.id })
        .update({ starts_at: began, updated_at: began })
      // They have just come in. A plan that compares each with each would take longer than a statement of ours may.
      const tables = [
        "price",
        "product_variant_price_set",
        "product_variant",
        "product_sales_channel",
        "svc_catalog_item",
      ]
      await shop.believedEmpty(tables, () => eachMinute(container))
      // Three calls are under way, and nothing more is claimed.
      await eventually(
        async () => ({ count: calls.length, standing: await shop.standing() }),
        ({ count }) => count >= 3,
      )
      const unclaimed: string[] = await eventually(
        () => shop.knex("svc_catalog_item").whereNull("lease_token").pluck("product_id"),
        ({ length }) => length === 1_100 - 3 * 50,
      )
      const edited = unclaimed.at(-1) ?? ""
      await shop.edit(edited, { title: "Edited by a person" })
      open()
      await eventuallyIs(() => new Set(calls.flat().map(({ id }) => id)).size, ids.length)
      await workCatalog(container)
      expect(calls.flat().every(({ price }) => price === 5)).toBe(true)
      const place = calls.findIndex((products) => products.some(({ id }) => id === edited))
      const before = calls.slice(0, place).flatMap((products) => products.map(({ id }) => id))
      expect(before.length).toBeGreaterThan(0)
      expect(before.filter((id) => unclaimed.includes(id)).length).toBe(0)

      const sent = calls.length
      const wanted = async () =>
        (await shop.knex("svc_catalog_item").sum("wanted as sum")).at(0)?.sum
      const marked = await wanted()
      const other = await shop.createSale(none, 5, { prices: [] })
      for (let minutes = 0; minutes < 2; minutes++) {
        await api.post(`/admin/price-lists/${other.id}`, { description: `${minutes}` }, shop.admin)
        await eachMinute(container)
        await workCatalog(container)
      }
      expect(await wanted()).toBe(marked)
      expect(calls).toHaveLength(sent)
    })

    it("of more products than one statement takes are those of a mass change, too", async () => {
      await shop.connect()
      const ids = await shop.insertProducts(titles(2_001))
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      await marks.markChanged(new Map([["product", new Set(ids)]]))
      const lanes = await shop
        .knex("svc_catalog_item")
        .groupBy("lane")
        .select("lane")
        .count("id as n")
      expect(lanes).toEqual([{ lane: LANE.mass, n: "2001" }])
    })

    /** A price of 5 for each product of `insertProducts`. */
    const salePrices = (ids: string[], listId: string) =>
      ids.map((id) => ({
        id: `sale_${id}`,
        price_set_id: `sql_${id}`,
        price_list_id: listId,
        currency_code: "dkk",
        amount: 5,
        raw_amount: { value: "5", precision: 20 },
      }))

    it("are found by night for every connection, without holding up the jobs that come after", async () => {
      const [broken] = await shop.result(createRegionsWorkflow, {
        regions: [{ name: "Broken", currency_code: "dkk", countries: ["no"] }],
      })
      await shop.connectPage("broken-page", { region_id: broken.id })
      await shop.importAll(await shop.connect())
      const [drifted = ""] = await shop.insertProducts(["Drifted"])
      await shop.knex("region").where({ id: broken.id }).update({ currency_code: "" })
      const lock = await shop.knex.transaction()
      await lock.raw("LOCK TABLE product IN ACCESS EXCLUSIVE MODE")
      const job = eachNight(getContainer())
      await untilWaiting(shop.knex)
      await job
      // The job has ended before what waits: the database ends that only after half a minute.
      expect(await statementsWaiting(shop.knex)).toBeGreaterThan(0)
      await lock.rollback()
      await shop.productAt(drifted)
    })

    it("outlive a database that refuses them: the local bus forgets an event whose handler failed", async () => {
      await shop.connect()
      const product = await shop.createProduct("Before")
      await shop.productAt(product.id)
      await shop.settled(product.id, "synced")
      // Refuses every mark until it is told to stop; counts how many came.
      await shop.knex.raw("CREATE SEQUENCE refused_marks")
      await shop.knex.raw(
        `CREATE FUNCTION refuse_marks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           PERFORM nextval('refused_marks'); RAISE EXCEPTION 'the database is busy'; END $$`,
      )
      await shop.knex.raw(
        `CREATE TRIGGER refuse_marks BEFORE INSERT ON svc_catalog_item
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_marks()`,
      )
      const marking = shop.edit(product.id, { title: "After" })
      await eventually(
        async () =>
          (await shop.knex.raw("SELECT last_value::int AS n FROM refused_marks")).rows[0].n,
        (refused) => refused >= 2,
      )
      await shop.knex.raw("DROP TRIGGER refuse_marks ON svc_catalog_item")
      await marking
      await shop.productAt(product.id, { name: "After" })
    })

    it("and settlements that overlap do not deadlock, and none is lost", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(200))
      await shop.importAll(connection)
      const { marks } = getContainer().resolve(SVC_MODULE).catalog
      const shuffled = () => [...ids].sort(() => Math.random() - 0.5)
      await shop.knex("product").whereIn("id", ids).update({ title: "Renamed" })
      await Promise.all([
        ...Array.from({ length: 8 }, () => marks.mark(shuffled())),
        workCatalog(getContainer()),
        shop.sync(connection, "", { force: true }),
        ...Array.from({ length: 4 }, () => marks.mark(shuffled())),
      ])
      await shop.importEnds(connection)
      await workCatalog(getContainer())
      await eventually(
        () => shop.received(),
        (seen) => [...seen.values()].every(({ product }) => product.name === "Renamed"),
      )
      const unsettled = await shop
        .knex("svc_catalog_item")
        .select("id")
        .whereRaw("wanted > acknowledged OR lease_token IS NOT NULL")
      expect(unsettled).toEqual([])
    })

    it("that wait are not what a connection's deletion and its resumption wait for each other for", async () => {
      const connection = await shop.connect()
      await shop.insertProducts(titles(300))
      await shop.importAll(connection)
      const { rows: connections } = getContainer().resolve(SVC_MODULE).connections
      await shop.knex("svc_catalog_item").update({ wanted: 2, next_attempt_at: "3000-01-01" })
      // Somebody has the pace while the connection is deleted: its products are locked by then, the rest is not.
      const held = await shop.knex.transaction()
      await held("svc_catalog_pace").where({ connection_id: connection }).forUpdate()
      const forgotten = connections.forget([connection])
      forgotten.catch(() => undefined)
      await untilWaiting(shop.knex, 1)
      const resumed = connections.resume(connection, null)
      resumed.catch(() => undefined)
      await untilWaiting(shop.knex, 2)
      await held.commit()
      await forgotten
      // Nothing is left to be resumed.
      expect(await resumed).toBe(false)
      expect(await connections.find(connection)).toBeNull()
    })
  })
}
