/** What we know that the service has. */
import { eventually } from "../../setup/market"
import { type CatalogShop, gate, titles } from "./shop"

export function describeAcknowledged(shop: CatalogShop): void {
  const { api } = shop

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
      await api.post(
        `/admin/svc/connections/${connection}`,
        { page_uid: "new-page", api_token: "new-token" },
        shop.admin,
      )
      open()
      await eventually(
        async () => taken.new.size,
        (count) => count === ids.length,
      )
      await eventually(
        () => unsettled(connection),
        (left) => left === 0,
      )
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
