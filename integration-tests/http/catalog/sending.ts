/** How the worker sends, and what it does with the answers. */

import { updateProductsWorkflow } from "@medusajs/core-flows"
import { pushConnection, workCatalog } from "../../../src/workflows/catalog"
import { eventually } from "../../setup/market"
import type { CatalogShop, ItemAnswer } from "./shop"

export function describeSending(shop: CatalogShop): void {
  const { api, getContainer } = shop

  describe("sending to the service", () => {
    it("keeps an edit while the service is down, and sends it when it is back", async () => {
      await shop.connect()
      const product = await shop.createProduct("Lamp")
      await shop.productAt(product.id)
      await shop.sandbox.stop()

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Lamp, brass" },
      })
      const failing = await eventually(
        () => shop.itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(failing).toMatchObject({ state: "pending", reason: { code: "svc_unreachable" } })

      await shop.startSandboxAgain()
      const healed = await eventually(
        async () => {
          await shop.aMinuteLater()
          return shop.itemOf(product.id)
        },
        (item) => item.state === "synced",
      )
      expect(healed).toMatchObject({ reason: null, attempts: 0 })
      expect((await shop.received()).get(product.id)?.product.name).toBe("Lamp, brass")
    })

    it("keeps an edit that is made while the product is on its way", async () => {
      const names: string[] = []
      let arrived = () => {}
      let answer = () => {}
      const arrival = new Promise<void>((resolve) => (arrived = resolve))
      const held = new Promise<void>((resolve) => (answer = resolve))
      await shop.connect({
        base_url: await shop.answering(async (products) => {
          names.push(...products.map(({ name }) => name))
          arrived()
          await held
          return { status: 200, body: {} }
        }),
      })
      const product = await shop.createProduct("Slow")
      await arrival

      await shop.result(updateProductsWorkflow, {
        selector: { id: product.id },
        update: { title: "Slow, and changed meanwhile" },
      })
      answer()

      expect(await shop.settled(product.id, "synced")).toMatchObject({ reason: null })
      expect([names[0], names.at(-1)]).toEqual(["Slow", "Slow, and changed meanwhile"])
    })

    it("waits as long as the service asks, and does not count it as a failure of the service", async () => {
      await shop.sandbox.control("/faults", {
        on: "products",
        kind: "status",
        status: 429,
        retry_after: 1800,
        times: 1,
      })
      const connection = await shop.connect()
      const product = await shop.createProduct("Patience")

      const slowed = await eventually(
        () => shop.itemOf(product.id),
        (item) => item.reason !== null,
      )
      expect(slowed).toMatchObject({
        state: "pending",
        attempts: 0,
        reason: { code: "slow_down" },
      })
      expect(Date.parse(slowed.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(1_000_000)
      expect(await shop.syncOf(connection)).toMatchObject({ reason: { code: "slow_down" } })
      const [hold, ...others] = await shop.knex("svc_hold").where({ connection_id: connection })
      expect([hold, others]).toMatchObject([{ endpoint: "products", failures: 0 }, []])
      await workCatalog(getContainer())
      expect((await shop.received()).size).toBe(0)

      await shop.pass("30 minutes")
      await workCatalog(getContainer())
      expect((await shop.received()).has(product.id)).toBe(true)
      expect(await shop.itemOf(product.id)).toMatchObject({ state: "synced", reason: null })
      expect(await shop.syncOf(connection)).toMatchObject({ reason: null, next_attempt_at: null })
    })

    it("sends once when several workers drain at once, and again what a killed one had claimed", async () => {
      const connection = await shop.connect()
      const ids = await shop.insertProducts(["A", "B", "C", "D", "E", "F"])
      const container = getContainer()
      await shop.sync(connection)
      const push = () => pushConnection(container, connection)
      await Promise.all([push(), push(), push()])
      await shop.importEnds(connection)
      await workCatalog(container)
      expect([...(await shop.received()).values()].map(({ pushes }) => pushes)).toEqual(
        ids.map(() => 1),
      )

      // Claimed by a process that was killed before it could acknowledge.
      const [victim = ""] = ids
      await shop
        .knex("svc_catalog_item")
        .where({ product_id: victim })
        .update({
          wanted: shop.knex.raw("wanted + 1"),
          next_attempt_at: shop.knex.fn.now(),
          acknowledged_hash: "what it was before",
          lease_token: "dead",
          lease_until: shop.knex.raw("now() + interval '1 hour'"),
        })
      await push()
      expect((await shop.received()).get(victim)?.pushes).toBe(1)
      await shop.pass("2 hours")
      await push()
      // By this push, or by the store's own worker that was quicker.
      await eventually(
        async () => (await shop.received()).get(victim)?.pushes,
        (pushes) => pushes === 2,
      )
      await shop.settled(victim, "synced")
    })

    it("sends one product now, as shown before, and answers with what became of it", async () => {
      await shop.connect()
      const product = await shop.createProduct("Chair")
      await shop.productAt(product.id)
      await shop.settled(product.id, "synced")
      const { id } = await shop.itemOf(product.id)

      const shown = (await api.get(`/admin/svc/products/${id}`, shop.admin)).data
        .product as ItemAnswer
      expect(shown.payload).toEqual(shown.last_payload)
      const before = (await shop.received()).get(product.id)?.pushes ?? 0
      const pushed = await api.post(`/admin/svc/products/${id}/push`, {}, shop.admin)
      expect(pushed.data.product).toMatchObject({ id, state: "synced", reason: null })
      const after = (await shop.received()).get(product.id)
      expect(after?.pushes).toBe(before + 1)
      expect(after?.product).toEqual(shown.payload)

      await shop.sandbox.control("/faults", { on: "products", kind: "status", status: 500 })
      const failed = await api.post(`/admin/svc/products/${id}/push`, {}, shop.admin)
      expect(failed.data.product).toMatchObject({
        state: "pending",
        reason: { code: "svc_unavailable" },
        attempts: 1,
      })
      const unknown = await api.post("/admin/svc/products/none/push", {}, shop.refused())
      expect([unknown.status, unknown.data.code]).toEqual([404, "not_found"])
    })

    it("reads the reason that the service gives for one product of an accepted batch", async () => {
      const connection = await shop.connect({
        base_url: await shop.answering((products) => ({
          status: 200,
          body: {
            results: products.map(({ id, name }) =>
              name === "Bad"
                ? { id, status: "error", error: { code: "bad_name", message: "No such name." } }
                : { id, status: "updated" },
            ),
          },
        })),
      })
      const [bad = "", good = ""] = await shop.insertProducts(["Bad", "Good"])
      expect(await shop.importAll(connection)).toMatchObject({ total: 2, done: 1, failed: 1 })
      expect((await shop.itemOf(bad)).reason).toMatchObject({ code: "bad_name" })
      expect((await shop.itemOf(bad)).reason?.message).toContain("No such name.")
      expect((await shop.itemOf(good)).state).toBe("synced")
    })

    it("isolates the product that makes the service refuse a batch; the others go", async () => {
      const accepted: string[] = []
      const url = await shop.answering((products) => {
        if (products.length > 20) return { status: 413, body: {} }
        if (products.some(({ name }) => name === "Product 37")) {
          return { status: 422, body: { error: { message: "Product 37 is not welcome." } } }
        }
        accepted.push(...products.map(({ id }) => id))
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url })
      await shop.insertProducts(Array.from({ length: 100 }, (_, n) => `Product ${n}`))

      expect(await shop.importAll(connection)).toMatchObject({ total: 100, done: 99, failed: 1 })
      expect(new Set(accepted).size).toBe(99)
      expect(accepted).toHaveLength(99)
      const [refusedItem, ...others] = await shop.items({ state: "failed" })
      expect(others).toEqual([])
      expect(refusedItem).toMatchObject({ title: "Product 37", reason: { code: "svc_rejected" } })
      expect(refusedItem?.reason?.message).toContain("Product 37 is not welcome.")
    })
  })
}
