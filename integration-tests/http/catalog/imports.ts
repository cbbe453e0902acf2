/** Full imports: begun, paused, resumed, cancelled, and gone on with after a kill. */
import { updateProductsWorkflow } from "@medusajs/core-flows"
import eachMinute from "../../../src/jobs/push-catalog"
import { SVC_MODULE } from "../../../src/modules/svc"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import type { CatalogShop } from "./shop"

export function describeImports(shop: CatalogShop): void {
  const {
    api,
    connect,
    createProduct,
    getContainer,
    importEnds,
    insertProduct,
    insertProducts,
    itemOf,
    laterOn,
    productAt,
    received,
    refused,
    result,
    sync,
    variant,
  } = shop

  describe("an import", () => {
    it("imports everything, and explains what it leaves out", async () => {
      const products = []
      for (const title of ["One", "Two", "Three", "Four"]) products.push(await createProduct(title))
      const draft = await createProduct("Draft", undefined, { status: "draft" })
      const unpriced = await createProduct("Unpriced", [variant("S", null)])
      const connection = await connect()

      await sync(connection)
      expect(await importEnds(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      const ids = new Set(products.map(({ id }) => id))
      expect(new Set((await received()).keys())).toEqual(ids)
      expect((await itemOf(draft.id)).reason?.code).toBe("not_published")
      expect((await itemOf(unpriced.id)).state).toBe("invalid")

      // The service may lose what it had; nobody but the merchant can know.
      await shop.sandbox.control("/reset", {})
      await sync(connection)
      expect(await importEnds(connection)).toMatchObject({ total: 5, done: 4, failed: 1 })
      expect(new Set((await received()).keys())).toEqual(ids)
    })

    it("pauses, resumes and cancels an import; live changes go on meanwhile", async () => {
      await shop.sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const first = await createProduct("First")
      const second = await createProduct("Second")
      const connection = await connect()
      // A new connection waits for the merchant.
      expect((await sync(connection, "", "get")).status).toBe("idle")
      await sync(connection)
      expect(await sync(connection, "/pause")).toMatchObject({
        status: "paused",
        total: 2,
        done: 0,
      })
      const again = await api.post(`/admin/svc/connections/${connection}/sync`, {}, refused())
      expect([again.status, again.data.code]).toEqual([409, "sync_running"])
      await shop.sandbox.control("/faults", undefined, "DELETE")
      await laterOn()
      expect((await received()).size).toBe(0)
      await result(updateProductsWorkflow, {
        selector: { id: second.id },
        update: { title: "Second, changed" },
      })
      await productAt(second.id)
      expect((await received()).has(first.id)).toBe(false)

      expect((await sync(connection, "/resume")).status).toBe("running")
      expect(await importEnds(connection)).toMatchObject({ total: 2, done: 2, failed: 0 })
      expect((await received()).has(first.id)).toBe(true)

      await shop.sandbox.control("/faults", { on: "products", kind: "status", status: 503 })
      const third = await insertProduct("Third")
      await sync(connection)
      await sync(connection, "/pause")
      // What is on its way is not called back.
      await workCatalog(getContainer())
      expect(await sync(connection, "/cancel")).toMatchObject({ status: "cancelled", total: 3 })
      await shop.sandbox.control("/faults", undefined, "DELETE")
      await laterOn()
      expect((await received()).has(third)).toBe(false)
      expect((await itemOf(first.id)).state).toBe("synced")
      const none = await api.post(`/admin/svc/connections/${connection}/sync/pause`, {}, refused())
      expect([none.status, none.data.code]).toEqual([409, "sync_not_running"])
    })

    it("takes a paused import for no stuck worker, and tells of products that were given up", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      const problems = async (): Promise<string[]> =>
        (await api.get("/admin/svc/health", shop.admin)).data.health.problems.map(
          (problem: { code: string }) => problem.code,
        )
      const anHourAgo = new Date(Date.now() - 3_600_000)
      await shop.knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await shop.knex("svc_catalog_import").insert({
        id: "svcimp_paused",
        connection_id: connection,
        status: "paused",
        started_at: anHourAgo,
      })
      await shop.knex("svc_catalog_item").insert(
        (["pending", "failed"] as const).map((state) => ({
          id: `svcprod_${state}`,
          connection_id: connection,
          product_id: `prod_${state}`,
          state,
          live: false,
          acknowledged: state === "failed" ? 1 : 0,
          updated_at: anHourAgo,
        })),
      )
      const seen = await problems()
      expect(seen).toContain("products_failed")
      expect(seen).not.toContain("worker_stuck")
      // The very same rows are a stuck worker's where nobody paused the import.
      await shop.knex("svc_catalog_import").update({ status: "running" })
      expect(await problems()).toContain("worker_stuck")
    })

    it("goes on with an import whose process was killed", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      const ids = await insertProducts(["A", "B", "C"])
      // As a killed process leaves it: the first product marked and its cursor stored, the rest not.
      await shop.knex("svc_catalog_import").where({ connection_id: connection }).delete()
      await shop.knex("svc_catalog_import").insert({
        id: "svcimp_killed",
        connection_id: connection,
        status: "running",
        cursor: ids[0],
        total: 3,
        started_at: new Date(),
      })
      await shop.knex("svc_catalog_item").insert({
        id: "svcprod_marked",
        connection_id: connection,
        product_id: ids[0],
        live: false,
        lease_token: "the process that was killed",
        lease_until: new Date(Date.now() - 1000),
      })
      await eachMinute(getContainer())

      expect(await importEnds(connection)).toMatchObject({ total: 3, done: 3, failed: 0 })
      expect(new Set((await received()).keys())).toEqual(new Set(ids))
    })

    it("is not done with a product that is edited while it waits, and done with one that is edited after", async () => {
      const connection = await connect()
      await workCatalog(getContainer())
      await shop.knex("svc_catalog_import").where({ connection_id: connection }).delete()
      const ids = await insertProducts(["A", "B"])
      const [waiting, sent] = ids
      if (!waiting || !sent) throw new Error("no products")
      // Nothing leaves: what the worker does is done by hand.
      await shop
        .knex("svc_connection")
        .update({ breaker_open_until: new Date(Date.now() + 3_600_000) })
      const settle = (id: string) =>
        shop
          .knex("svc_catalog_item")
          .where({ product_id: id })
          .update({ acknowledged: shop.knex.ref("wanted"), force: false, state: "synced" })
      await sync(connection)
      await eventually(
        () => shop.knex("svc_catalog_import").where({ connection_id: connection }).first(),
        (row) => row.marked_all,
      )
      const { imports, marks } = getContainer().resolve(SVC_MODULE)

      await settle(sent)
      await marks.mark([waiting])
      await imports.complete()
      expect(await sync(connection, "", "get")).toMatchObject({ status: "running", done: 1 })

      await settle(waiting)
      await marks.mark([sent])
      await imports.complete()
      expect(await sync(connection, "", "get")).toMatchObject({
        status: "completed",
        total: 2,
        done: 2,
        failed: 0,
      })
    })
  })
}
