/** A service that refuses, fails or is away: nothing is lost, nobody is blamed who is not at fault. */

import { updateProductsWorkflow } from "@medusajs/core-flows"
import eachNight from "../../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { type CatalogShop, type Pushed, titles } from "./shop"

export function describeFailures(shop: CatalogShop): void {
  const { api, getContainer, fault, heal } = shop

  describe("a service that does not take products", () => {
    it.each([402, 404, 405, 409, 410, 415])(
      "loses none when a gateway answers %i for everything, says why it waits, and goes on by itself",
      async (status) => {
        await fault({ kind: "status", status, body: "<h1>No</h1>" })
        const connection = await shop.connect()
        const ids = await shop.insertProducts(titles(150))
        await shop.sync(connection)
        const waiting = await eventually(
          () => shop.syncOf(connection),
          ({ reason }) => reason !== null,
        )
        expect(waiting).toMatchObject({
          status: "running",
          reason: { code: "endpoint_refuses", params: { status: String(status) } },
        })
        expect(Date.parse(waiting.next_attempt_at ?? "") - Date.now()).toBeLessThan(60_000)
        await shop.aMinuteLater()
        expect(await shop.items({ state: "failed" })).toEqual([])
        expect(await shop.calls()).toBeLessThanOrEqual(10)

        await heal()
        await shop.aMinuteLater()
        expect(await shop.importEnds(connection)).toMatchObject({
          total: 150,
          done: 150,
          failed: 0,
        })
        expect((await shop.received()).size).toBe(ids.length)
        expect(await shop.syncOf(connection)).toMatchObject({ reason: null, next_attempt_at: null })
      },
    )

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

    it.each([500, 403])(
      "finds the one product that is answered %i, sends its neighbours, and leaves orders alone",
      async (status) => {
        const connection = await shop.connect()
        const ids = await shop.insertProducts(titles(250))
        const poison = ids[137] ?? ""
        await fault({ kind: "status", status, product_id: poison })
        await shop.sync(connection)
        expect(await shop.importEnds(connection)).toMatchObject({
          total: 250,
          done: 249,
          failed: 1,
        })
        expect((await shop.received()).size).toBe(249)
        expect(await shop.itemOf(poison)).toMatchObject({
          state: "pending",
          reason: { code: "product_fails_alone" },
        })
        // What reports of orders go through.
        const svc = getContainer().resolve(SVC_MODULE)
        await expect(svc.call(connection, (client) => client.listWebhooks())).resolves.toEqual([])

        // It keeps nobody else from being sent, however often it fails.
        const [edited = ""] = ids
        await shop.pass("1 hour")
        await shop.result(updateProductsWorkflow, {
          selector: { id: edited },
          update: { title: "Edited" },
        })
        await shop.productAt(edited, ({ product }) => product.name === "Edited")

        await heal()
        await shop.pass("1 hour")
        await workCatalog(getContainer())
        await shop.productAt(poison)
        expect(await shop.settled(poison, "synced")).toMatchObject({ reason: null, attempts: 0 })
      },
    )

    it("gives up no product because the service was away for more than a day", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(["Patient"])
      await fault({ kind: "status", status: 503 })
      await shop.sync(connection)
      await eventually(
        () => shop.syncOf(connection),
        ({ reason }) => reason !== null,
      )
      for (let hours = 0; hours < 30; hours += 10) {
        await shop.pass("10 hours")
        await workCatalog(getContainer())
      }
      expect((await shop.items({ state: "failed" })).length).toBe(0)
      await heal()
      await shop.aMinuteLater()
      await shop.productAt(id)
      // A failure after that is the first of its kind.
      await fault({ kind: "status", status: 503, times: 1 })
      await shop.result(updateProductsWorkflow, { selector: { id }, update: { title: "Again" } })
      await workCatalog(getContainer())
      await shop.aMinuteLater()
      await shop.productAt(id, ({ product }) => product.name === "Again")
    })

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
      const { marks } = getContainer().resolve(SVC_MODULE)
      const rename = async (title: string) => {
        await shop.knex("product").where({ id: reverted }).update({ title })
        await marks.mark([reverted])
        await shop.aMinuteLater()
      }

      isLost = true
      await rename("For a moment")
      const [gone = "", cancelled = ""] = await shop.insertProducts(["Gone", "Cancelled"])
      await shop.sync(connection)
      await eventually(
        async () => has.size,
        (size) => size === 3,
      )
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

    it("gives up no product for a failure that healed long ago", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(20))
      const [poison = ""] = ids
      await shop.importAll(connection)
      const rowOf = () => shop.knex("svc_catalog_item").where({ product_id: poison }).first()
      const editAll = async (title: string) => {
        await shop.knex("product").whereIn("id", ids).update({ title })
        const { marks } = getContainer().resolve(SVC_MODULE)
        await marks.mark(ids)
        await workCatalog(getContainer())
      }
      const failsAlone = () =>
        eventually(
          async () => {
            await shop.aMinuteLater()
            return rowOf()
          },
          ({ failing_since }) => failing_since !== null,
        )
      await fault({ kind: "status", status: 500, product_id: poison })
      await editAll("First")
      await failsAlone()
      await heal()
      await shop.aMinuteLater()
      await shop.productAt(poison, ({ product }) => product.name === "First")
      expect(await rowOf()).toMatchObject({ failing_since: null, state: "synced" })

      await shop.pass("25 hours")
      await fault({ kind: "status", status: 500, product_id: poison })
      await editAll("Second")
      expect((await failsAlone()).state).toBe("pending")
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

    it("waits as long as it is told, whatever is leased, read ahead or edited meanwhile", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(350))
      await fault({ kind: "throttle", retry_after: 6, times: 1 })
      await shop.sync(connection)
      await eventually(
        () => shop.calls("status:429"),
        (count) => count > 0,
      )
      const [edited = ""] = ids
      for (let edit = 0; edit < 5; edit++) {
        await shop.result(updateProductsWorkflow, {
          selector: { id: edited },
          update: { title: `Edit ${edit}` },
        })
        await new Promise((resolve) => setTimeout(resolve, 400))
      }
      expect(await shop.importEnds(connection)).toMatchObject({ total: 350, done: 350 })
      await shop.productAt(edited, ({ product }) => product.name === "Edit 4")
      // Calls that were under way when the first was told to wait may be told too (three at a time); no other came in the
      // six seconds.
      const { entries } = await shop.sandbox.control<{ entries: { at: number }[] }>(
        "/journal?q=endpoint:products%20fault:throttle&limit=100",
      )
      const told = entries.map(({ at }) => at).sort((one, other) => one - other)
      expect(told.length).toBeGreaterThan(0)
      expect(told.filter((at) => at > (told[0] ?? 0) + 2_000)).toEqual([])
    })
  })
}
