/** How the worker sends, and what it does with the answers. */

import { type CatalogShop, type ItemAnswer, titles } from "./shop"

export function describeSending(shop: CatalogShop): void {
  const { api } = shop

  describe("sending to the service", () => {
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
      const pushed = await shop.sendNow(id)
      expect(pushed.data.product).toMatchObject({ id, state: "synced", reason: null })
      const after = (await shop.received()).get(product.id)
      expect(after?.pushes).toBe(before + 1)
      expect(after?.product).toEqual(shown.payload)

      await shop.fault({ kind: "status", status: 500 })
      const failed = await shop.sendNow(id)
      expect(failed.data.product).toMatchObject({
        state: "pending",
        reason: { code: "svc_unavailable" },
        attempts: 1,
      })
      const unknown = await api.post("/admin/svc/products/none/push", {}, shop.refused())
      expect([unknown.status, unknown.data.code]).toEqual([404, "not_found"])
    })

    it("believes no batch in which the service names a failed product by ids of its own: it finds out which one it is", async () => {
      const connection = await shop.connect({
        base_url: await shop.answering((products) => ({
          status: 200,
          body: {
            results: products.map(({ name }) => ({
              id: `svc_${name}`,
              status: name === "Bad" ? "error" : "updated",
              message: "No such name.",
            })),
          },
        })),
      })
      const [bad = "", good = ""] = await shop.insertProducts(["Bad", ...titles(5)])
      expect(await shop.importAll(connection)).toMatchObject({ total: 6, done: 5, failed: 1 })
      expect(await shop.itemOf(bad)).toMatchObject({
        state: "failed",
        reason: { code: "svc_rejected", message: expect.stringContaining("No such name.") },
      })
      expect((await shop.itemOf(good)).state).toBe("synced")

      // Where one product is sent, it is that one: nothing waits for it.
      await shop.edit(good, { title: "Bad" })
      await shop.settled(good, "failed")
      expect(await shop.syncOf(connection)).toMatchObject({ reason: null })
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
