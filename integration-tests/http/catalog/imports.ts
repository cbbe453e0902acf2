/** Full imports. */

import { createSalesChannelsWorkflow } from "@medusajs/core-flows"
import eachMinute from "../../../src/jobs/push-catalog"
import eachNight from "../../../src/jobs/sweep-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { LANE } from "../../../src/modules/svc/shared/lanes"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import { type CatalogShop, titles, variant } from "./shop"

export function describeImports(shop: CatalogShop): void {
  const { api, getContainer } = shop

  describe("an import", () => {
    it("imports everything, and explains what it leaves out", async () => {
      const ids = await shop.insertProducts(titles(4))
      const [draft = ""] = await shop.insertProducts(["Draft"])
      await shop.knex("product").where({ id: draft }).update({ status: "draft" })
      const unpriced = await shop.createProduct("Unpriced", [variant("S", null)])
      const connection = await shop.connect()

      expect(await shop.importAll(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      expect([...(await shop.received()).keys()].sort()).toEqual(ids)
      expect((await shop.itemOf(draft)).reason?.code).toBe("not_published")
      expect((await shop.itemOf(unpriced.id)).state).toBe("invalid")

      // The service may lose what it had; nobody but the merchant can know.
      await shop.sandbox.control("/reset", {})
      expect(await shop.importAll(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      expect((await shop.received()).size).toBe(0)
      expect(await shop.importAll(connection, { force: true })).toMatchObject({
        total: 5,
        done: 4,
        failed: 1,
      })
      expect([...(await shop.received()).keys()].sort()).toEqual(ids)
    })

    it("pauses, resumes and cancels an import; live changes go on meanwhile", async () => {
      // It may be paused before anything was sent.
      await shop.fault({ kind: "status", status: 503 })
      const first = await shop.createProduct("First")
      const second = await shop.createProduct("Second")
      const connection = await shop.connect()
      await shop.sync(connection)
      expect(await shop.sync(connection, "/pause")).toMatchObject({ status: "paused", total: 2 })
      const again = await api.post(`/admin/svc/connections/${connection}/sync`, {}, shop.refused())
      expect([again.status, again.data.code]).toEqual([409, "sync_running"])
      // What is on its way is not called back.
      await workCatalog(getContainer())
      await shop.sandbox.forgetFaults()
      await shop.aMinuteLater()
      expect((await shop.received()).size).toBe(0)
      await shop.edit(second.id, { title: "Second, changed" })
      await shop.productAt(second.id)
      expect((await shop.received()).has(first.id)).toBe(false)

      expect((await shop.sync(connection, "/resume")).status).toBe("running")
      expect(await shop.importEnds(connection)).toMatchObject({ total: 2, done: 2, failed: 0 })
      expect((await shop.received()).has(first.id)).toBe(true)

      await shop.fault({ kind: "status", status: 503 })
      const [third = ""] = await shop.insertProducts(["Third"])
      await shop.sync(connection)
      await shop.sync(connection, "/pause")
      // What is on its way is not called back.
      await workCatalog(getContainer())
      expect(await shop.sync(connection, "/cancel")).toMatchObject({
        status: "cancelled",
        total: 3,
      })
      await shop.sandbox.forgetFaults()
      await shop.aMinuteLater()
      expect((await shop.received()).has(third)).toBe(false)
      expect((await shop.itemOf(first.id)).state).toBe("synced")
      const none = await api.post(
        `/admin/svc/connections/${connection}/sync/pause`,
        {},
        shop.refused(),
      )
      expect([none.status, none.data.code]).toEqual([409, "sync_not_running"])
    })

    it("that is paused is no stuck worker, and hides no other work that nobody takes, as a hold hides none that has ended", async () => {
      const connection = await shop.connect()
      await workCatalog(getContainer())
      // As if another process had its token, and had died: an alarm that the connecting has set off takes no row here.
      const { calls } = getContainer().resolve(SVC_MODULE).connections
      jest.spyOn(calls, "isDeclaredElsewhere").mockReturnValue(true)
      const problems = async (): Promise<{ code: string; connection_id: string | null }[]> =>
        (await api.get("/admin/svc/health", { ...shop.admin, validateStatus: () => true })).data
          .health.problems
      const codes = async () => (await problems()).map(({ code }) => code)
      const anHourAgo = new Date(Date.now() - 3_600_000)
      await shop.knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await shop.insertImport(connection, { started_at: anHourAgo })
      const insertItem = (name: string, more: Record<string, unknown> = {}) =>
        shop.knex("svc_catalog_item").insert({
          id: `svcprod_${name}`,
          connection_id: connection,
          product_id: `prod_${name}`,
          lane: LANE.edit,
          updated_at: anHourAgo,
          ...more,
        })
      await insertItem("imported", { lane: LANE.import })
      await insertItem("failed", { state: "failed", acknowledged: 1 })
      const seen = await codes()
      expect(seen).toContain("products_failed")
      expect(seen).not.toContain("worker_stuck")
      // An edit that no worker took: the pause is none of its business.
      await insertItem("edit")
      expect(await codes()).toContain("worker_stuck")

      const hold = async (until: Date) => {
        const { holds } = getContainer().resolve(SVC_MODULE).connections
        const reason = { code: "endpoint_refuses", message: "404.", fix: "Check the address." }
        await holds.hold(connection, "products", { ms: 0, reason, counts: true })
        await shop.knex("svc_hold").where({ connection_id: connection }).update({ until })
      }
      // While it lasts the reason is told, and it is not the worker's fault.
      await hold(new Date(Date.now() + 3_600_000))
      expect(await problems()).toContainEqual(
        expect.objectContaining({ code: "endpoint_refuses", connection_id: connection }),
      )
      expect(await codes()).not.toContain("worker_stuck")
      // It ended long ago, and nobody has tried again.
      await hold(new Date(Date.now() - 1_800_000))
      expect(await codes()).toContain("worker_stuck")
      // Somebody has: what a call has just brought is one of many that are worked off.
      const takenUntil = (lease_until: Date) =>
        shop.knex("svc_catalog_item").where({ id: "svcprod_taken" }).update({ lease_until })
      await insertItem("taken")
      await takenUntil(new Date(Date.now() + 30_000))
      expect(await codes()).not.toContain("worker_stuck")
      // Whoever took it has died.
      await takenUntil(new Date(Date.now() - 30_000))
      expect(await codes()).toContain("worker_stuck")
      jest.restoreAllMocks()
    })

    it("is begun by no night, no taxes and no other settings, where nobody has asked for one, or it is paused or cancelled", async () => {
      const { marks, walks } = getContainer().resolve(SVC_MODULE).catalog
      const connection = await shop.connect()
      const [id = "", ...others] = await shop.insertProducts(titles(3))
      const goesBy = async (country_code: string) => {
        await shop.change(connection, { catalog: { country_code } })
        await eachNight(getContainer())
        await walks.openCompare([connection])
        await shop.aMinuteLater()
        await shop.aMinuteLater()
        return [(await shop.received()).size, (await shop.syncOf(connection)).status]
      }
      expect(await goesBy("dk")).toEqual([0, "idle"])

      await shop.fault({ kind: "status", status: 503 })
      await shop.sync(connection)
      await shop.sync(connection, "/pause")
      // What is on its way is not called back.
      await workCatalog(getContainer())
      await shop.sandbox.forgetFaults()
      expect(await goesBy("se")).toEqual([0, "paused"])
      expect((await shop.syncOf(connection)).done).toBe(0)
      await shop.sync(connection, "/cancel")
      expect(await goesBy("no")).toEqual([0, "cancelled"])

      // Products of which it has told the service are set right.
      await marks.mark([id])
      await shop.aMinuteLater()
      await shop.change(connection, { storefront_url: "https://new.example/" })
      await shop.productAt(id, ({ product }) => product.url.startsWith("https://new.example/"))
      expect((await shop.received()).size).toBe(1)
      // Once an import has completed, the night looks at everything.
      await shop.importAll(connection)
      await shop.insertProducts(["Came by SQL"])
      expect(await goesBy("dk")).toEqual([1 + others.length + 1, "completed"])
    })

    it.each([
      ["a person changes, while it is paused,", true],
      ["a restart with another declaration changes", false],
      ["somebody changes by SQL", false],
    ])("looks at all products of the sales channel that %s meanwhile", async (who, isPaused) => {
      const [other] = await shop.result(createSalesChannelsWorkflow, {
        salesChannelsData: [{ name: "Other" }],
      })
      const ofOther = await shop.insertProducts(titles(3, "Other"), other.id)
      await shop.insertProducts(titles(3))
      await shop.fault({ kind: "status", status: 503 })
      const connection = await shop.connect()
      await shop.sync(connection)
      await workCatalog(getContainer())
      if (isPaused) await shop.sync(connection, "/pause")
      const change = { sales_channel_id: other.id }
      if (who === "somebody changes by SQL") {
        await shop.knex("svc_connection").where({ id: connection }).update(change)
      } else if (isPaused) await shop.change(connection, change)
      else await shop.declare({ salesChannelId: other.id })
      await eachMinute(getContainer())
      await shop.sandbox.endFaults()
      await shop.aMinuteLater()
      if (isPaused) await shop.sync(connection, "/resume")
      expect(await shop.importEnds(connection)).toMatchObject({ total: 3, done: 3, failed: 0 })
      const enabled = [...(await shop.received()).values()].filter(
        ({ product }) => product.status === "enabled",
      )
      expect(enabled.map(({ product }) => product.id).sort()).toEqual(ofOther)
    })

    it("that is paused hides from nobody that its connection has other settings than what was sent", async () => {
      const { walks } = getContainer().resolve(SVC_MODULE).catalog
      const connection = await shop.connect()
      await shop.insertProducts(titles(2))
      await shop.importAll(connection)
      const opened = await walks.openImport(connection, false)
      await walks.pause(opened?.id ?? "")
      await shop
        .knex("svc_connection")
        .where({ id: connection })
        .update({ storefront_url: "https://new.example/" })
      // The process ends before it opens the comparison.
      await walks.restartImports([connection])
      expect(await walks.outdated()).toEqual([connection])
    })

    it("is begun by no other name of a connection where no mapper is told it, nor is a comparison", async () => {
      const connection = await shop.connect()
      await shop.insertProducts(titles(1))
      await shop.importAll(connection)
      await shop.change(connection, { name: "Norge" })
      await eachMinute(getContainer())
      expect(await shop.knex("svc_catalog_import").pluck("kind")).toEqual(["import"])
    })

    it("that is cancelled leaves nothing at the service that the store's own code, a restart later, has otherwise", async () => {
      const { catalog, options } = getContainer().resolve(SVC_MODULE)
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(titles(2))
      await shop.fault({ kind: "status", status: 503 })
      await shop.sync(connection)
      await workCatalog(getContainer())
      await shop.sync(connection, "/cancel")
      await shop.sandbox.forgetFaults()
      await catalog.marks.mark([id])
      await shop.aMinuteLater()
      await shop.productAt(id)
      Object.assign(options, {
        mapProduct: (payload: { name: string }) => ({ ...payload, name: `Our ${payload.name}` }),
      })
      await eachMinute(getContainer())
      await shop.productAt(id, { name: "Our Product 0" })
      expect((await shop.received()).size).toBe(1)
    })

    it("that is cancelled takes its marks back, also those that a worker had just then, and leaves what others asked for", async () => {
      const { marks, walks } = getContainer().resolve(SVC_MODULE).catalog
      const connection = await shop.connect()
      const [known = "", edited = ""] = await shop.insertProducts(titles(2))
      await shop.importAll(connection)
      await workCatalog(getContainer())
      const [fresh = "", taken = ""] = await shop.insertProducts(titles(2, "New"))
      // As the import leaves them: marked, one of them with a worker, and one that was edited since.
      const importId = await shop.insertImport(connection, { status: "running", marked_all: true })
      const all = [known, edited, fresh, taken]
      await marks.mark(all, LANE.import, { connectionId: connection, importId })
      await marks.mark([edited])
      await shop
        .knex("svc_catalog_item")
        .where({ product_id: taken })
        .update({ lease_token: "a worker", lease_until: new Date(Date.now() + 600_000) })
      await walks.cancel(importId)
      await walks.tidy()
      const left = async () =>
        new Map(
          (await shop.knex("svc_catalog_item").orderBy("product_id")).map((row) => [
            row.product_id,
            [row.import_id, row.wanted > row.acknowledged],
          ]),
        )
      expect(await left()).toEqual(
        new Map<string, unknown>([
          [known, [null, false]],
          [edited, [null, true]],
          [taken, [importId, true]],
        ]),
      )
      // The worker has sent it.
      await shop
        .knex("svc_catalog_item")
        .where({ product_id: taken })
        .update({ lease_token: null, lease_until: null, acknowledged: 1, state: "synced" })
      await walks.tidy()
      expect((await left()).get(taken)).toEqual([null, false])
    })

    it("counts what the connection leaves out apart, so that its end is known before it comes", async () => {
      const connection = await shop.connect({ catalog: { exclude: { metadata: { live: "no" } } } })
      const ids = await shop.insertProducts(titles(6))
      await shop
        .knex("product")
        .whereIn("id", ids.slice(2))
        .update({ metadata: { live: "no" } })
      const counted = () =>
        shop
          .knex("svc_catalog_import")
          .where({ connection_id: connection, kind: "import" })
          .orderBy("started_at", "desc")
          .first("done", "failed", "left_out", "total")
      // By the worker the first time, by the walk the second.
      for (let times = 0; times < 2; times++) {
        await shop.importAll(connection)
        expect(await counted()).toEqual({ done: 2, failed: 0, left_out: 4, total: 2 })
      }
    })

    it("is not done with a product that is edited while it waits, and done with one that is edited after", async () => {
      const connection = await shop.connect()
      const [waiting = "", sent = ""] = await shop.insertProducts(["A", "B"])
      // Nothing leaves: what the worker does is done by hand.
      await shop.fault({ kind: "status", status: 503 })
      await shop.sync(connection)
      await workCatalog(getContainer())
      const { items, marks, walks } = getContainer().resolve(SVC_MODULE).catalog
      const token = "a worker"
      const rows = await eventually(
        async () => {
          await shop.pass("1 hour")
          return items.claim(connection, { limit: 10, leaseMs: 60_000, token })
        },
        ({ length }) => length === 2,
      )
      const settle = (productId: string) =>
        items.settle(
          token,
          rows
            .filter((row) => row.product_id === productId)
            .map(({ id, wanted }) => ({
              id,
              generation: wanted,
              state: "synced" as const,
              title: null,
              sent: null,
              reason: null,
              target: "",
            })),
        )

      await settle(sent)
      await marks.mark([waiting])
      await settle(waiting)
      await walks.complete(connection)
      // What was counted is shown for a while.
      const { status } = await eventually(
        () => shop.syncOf(connection),
        ({ done }) => done === 1,
      )
      expect(status).toBe("running")

      await shop.sandbox.endFaults()
      await shop.aMinuteLater()
      await marks.mark([sent])
      expect(await shop.syncOf(connection)).toMatchObject({
        status: "completed",
        total: 2,
        done: 2,
        failed: 0,
      })
    })
  })
}
