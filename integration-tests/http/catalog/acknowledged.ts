/** What we know that the service has. */
import { deleteProductVariantsWorkflow } from "@medusajs/core-flows"
import { SVC_MODULE } from "../../../src/modules/svc"
import { CatalogItemRows } from "../../../src/modules/svc/catalog/item-rows"
import { ProcessLeases } from "../../../src/modules/svc/shared/process-leases"
import { workCatalog } from "../../../src/workflows/catalog"
import { eventually, eventuallyIs } from "../../setup/market"
import { type CatalogShop, gate, type Pushed, titles, variant } from "./shop"

export function describeAcknowledged(shop: CatalogShop): void {
  describe("what is acknowledged", () => {
    it("is written down with each answer, not when the whole page is through", async () => {
      const another = gate()
      const { open, opened } = gate()
      let calls = 0
      // The first call is answered while another one of the same page is under way, and that one is not.
      const url = await shop.answering(async () => {
        calls += 1
        if (calls === 1) await another.opened
        else {
          another.open()
          await opened
        }
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url })
      await shop.insertProducts(titles(150))
      await shop.sync(connection)
      await eventually(
        () => shop.items({ state: "synced" }),
        (synced) => synced.length === 100,
      )
      // The worker still waits for that answer: it has neither ended nor given the call up.
      const waiting = await shop.knex("svc_catalog_item").whereNotNull("lease_token")
      expect([waiting.length, calls]).toEqual([50, 2])
      open()
      await shop.importEnds(connection)
      expect(calls).toBe(2)
    })

    it("is of whom took it: a connection whose page changes in the middle of an import sends everything anew", async () => {
      const { open, opened } = gate()
      const taken = { old: new Set<string>(), new: new Set<string>() }
      let calls = 0
      // The first call to the old page is answered at once, the others when the connection has moved.
      const url = await shop.answering(async (products, { token }) => {
        const target = token === "new-token" ? "new" : "old"
        calls += 1
        if (target === "old" && calls > 1) await opened
        for (const { id } of products) taken[target].add(id)
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url, api_token: "old-token" })
      const ids = await shop.insertProducts(titles(350))
      await shop.sync(connection)
      await eventually(
        async () => calls,
        (count) => count > 1,
      )
      await shop.change(connection, { page_uid: "new-page", api_token: "new-token" })
      open()
      await eventuallyIs(() => taken.new.size, ids.length)
      await eventuallyIs(() => unsettled(connection), 0)
      const targets = await shop
        .knex("svc_catalog_item")
        .where({ connection_id: connection })
        .distinct<{ acknowledged_target: string }[]>("acknowledged_target")
      const { base_url, page_uid } = await shop
        .knex("svc_connection")
        .where({ id: connection })
        .first()
      expect(targets).toEqual([{ acknowledged_target: `${base_url} ${page_uid}` }])
    })

    it("is kept for each page: variants that the product lost while the connection was elsewhere are turned off on its return", async () => {
      const service = async (has: Map<string, Pushed>) =>
        shop.answering((products) => {
          for (const product of products) {
            // As a service that merges: what a call does not name stays.
            const known = has.get(product.id)?.variants ?? []
            const named = product.variants ?? []
            const kept = known.filter(({ id }) => !named.some((one) => one.id === id))
            has.set(product.id, { ...product, variants: [...named, ...kept] })
          }
          return { status: 200, body: {} }
        })
      const [here, there] = [new Map<string, Pushed>(), new Map<string, Pushed>()]
      const [home, away] = [await service(here), await service(there)]
      const connection = await shop.connect({ base_url: home })
      const product = await shop.createProduct("Sized", [variant("S", 10), variant("M", 20)])
      await shop.importAll(connection)
      const medium = product.variants.find(({ title }) => title === "M")?.id ?? ""
      const move = async (base_url: string) => {
        await shop.change(connection, { base_url, api_token: "a token" })
        await eventuallyIs(() => unsettled(connection), 0)
      }
      await move(away)
      await shop.result(deleteProductVariantsWorkflow, { ids: [medium] })
      await eventuallyIs(() => there.get(product.id)?.type, "simple")
      await eventuallyIs(() => unsettled(connection), 0)
      await move(home)
      await eventuallyIs(
        () => here.get(product.id)?.variants?.find(({ id }) => id === medium)?.status,
        "disabled",
      )
      expect(here.get(product.id)?.type).toBe("simple")
    })

    it("is nobody's while nobody knows: what an ended process had claimed is taken over at once, and told again", async () => {
      const connection = await shop.connect()
      const [id = ""] = await shop.insertProducts(titles(1))
      await shop.importAll(connection)
      // Its run may last a little longer than the import.
      await workCatalog(shop.getContainer())
      const svc = shop.getContainer().resolve(SVC_MODULE)
      await svc.catalog.marks.mark([id])
      await shop.pass("1 minute")
      const { id: row } = await shop.itemOf(id)
      const processOf = () => {
        const leases = new ProcessLeases(shop.knex)
        return { leases, items: new CatalogItemRows(shop.knex, leases), token: leases.newToken() }
      }
      const [ended, next] = [processOf(), processOf()]
      expect(await ended.items.claimOne(row, ended.token, 600_000)).not.toBeNull()
      expect(await next.items.claimOne(row, next.token, 600_000)).toBeNull()
      ended.leases.close()
      await ended.leases.giveBack()
      expect(await ended.items.claimOne(row, ended.token, 600_000)).toBeNull()
      const taken = await next.items.claimOne(row, next.token, 600_000)
      expect(taken).toMatchObject({ acknowledged_hash: "unknown", lease_token: next.token })
      // Its answer comes after all: whoever has the row now decides.
      const settlement = {
        id: row,
        generation: taken?.wanted ?? 0,
        state: "synced" as const,
        title: null,
        sent: null,
        reason: null,
        target: "",
      }
      expect(await ended.items.settle(ended.token, [settlement])).toEqual(new Set())
      expect(await next.items.settle(next.token, [settlement])).toEqual(new Set([row]))
    })

    /** Rows and walks that still have something to do. */
    const unsettled = async (connection: string): Promise<number> => {
      const { rows } = await shop.knex.raw<{ rows: { count: number }[] }>(
        `SELECT (SELECT count(*) FROM svc_catalog_item WHERE connection_id = :connection
                 AND (wanted > acknowledged OR lease_token IS NOT NULL))::int
              + (SELECT count(*) FROM svc_catalog_import WHERE connection_id = :connection
                 AND status = 'running')::int AS count`,
        { connection },
      )
      return rows[0]?.count ?? 0
    }
  })
}
