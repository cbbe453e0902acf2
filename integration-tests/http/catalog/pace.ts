/** How often a connection is called. */
import { setTimeout as sleep } from "node:timers/promises"
import { SVC_MODULE } from "../../../src/modules/svc"
import { CatalogPaceRows } from "../../../src/modules/svc/catalog/pace-rows"
import { workCatalog } from "../../../src/workflows/catalog"
import { type CatalogShop, titles } from "./shop"

export function describePace(shop: CatalogShop): void {
  describe("a connection with nothing to do", () => {
    it("costs the database nothing between the jobs of two minutes", async () => {
      const connection = await shop.connect()
      await shop.connectPage("other-page")
      await shop.insertProducts(titles(3))
      await shop.importAll(connection)
      await workCatalog(shop.getContainer())
      const { items, walks } = shop.getContainer().resolve(SVC_MODULE)
      expect([...(await items.dueInMs()), ...(await walks.dueInMs())]).toEqual([])
      // The alarms that the import set have gone off.
      await sleep(1_500)
      const lastStatement = async () =>
        (
          await shop.knex.raw(
            `SELECT max(query_start)::text AS at FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'svc background'`,
          )
        ).rows[0].at
      const before = await lastStatement()
      expect(before).not.toBeNull()
      await sleep(3_000)
      expect(await lastStatement()).toBe(before)
    })
  })

  describe("the pace of a connection", () => {
    it("is one for all processes: two workers together call no more often than the option says", async () => {
      const connection = await shop.connect()
      const other = await shop.connectPage("other-page")
      const most = { callsPerSecond: 10, batchSize: 100 }
      const until = Date.now() + 2_000
      const worker = async (id: string): Promise<number> => {
        const pace = new CatalogPaceRows(shop.knex, most)
        let calls = 0
        while (Date.now() < until) {
          const permission = await pace.take(id)
          if (permission.kind === "go") calls += 1
          else await sleep(permission.ms)
        }
        return calls
      }
      const [first = 0, second = 0, alone = 0] = await Promise.all([
        worker(connection),
        worker(connection),
        worker(other),
      ])
      // 2 s at 10 calls a second, and the first call at once.
      expect(first + second).toBeLessThanOrEqual(22)
      expect(first + second).toBeGreaterThan(10)
      // Another connection has a pace of its own.
      expect(alone).toBeLessThanOrEqual(22)
      expect(alone).toBeGreaterThan(10)
    })

    it("halves when the service says that it is too fast, and comes back while it goes well", async () => {
      const connection = await shop.connect()
      const pace = new CatalogPaceRows(shop.knex, { callsPerSecond: 8, batchSize: 100 })
      await pace.take(connection)
      const rate = async () => {
        const row = await shop
          .knex("svc_catalog_pace")
          .where({ connection_id: connection })
          .first("calls_per_second")
        return row.calls_per_second
      }
      const reason = { code: "svc_rate_limited", message: "Too fast.", fix: "Nothing to do." }
      const before = Math.min(8, await rate())
      // Three calls were under way when the service said so: it is one hold, not three.
      for (const ms of [300, 300, 300]) {
        await pace.hold(connection, { ms, reason, slower: true, counts: false })
      }
      expect(await rate()).toBe(before / 2)
      expect(await pace.take(connection)).toMatchObject({ kind: "held" })
      await sleep(350)
      for (let calls = 0; calls < 60; calls++) await pace.wentWell(connection)
      expect(Math.min(8, await rate())).toBe(8)
    })
  })
}
