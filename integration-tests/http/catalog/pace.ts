import { SVC_MODULE } from "../../../src/modules/svc"
import { CatalogPaceRows } from "../../../src/modules/svc/catalog/pace-rows"
import { workCatalog } from "../../../src/workflows/catalog"
import { startChild } from "../../../tools/child"
import { type CatalogShop, titles } from "./shop"

const HELD = { code: "svc_rate_limited", message: "Too fast.", fix: "Nothing to do." }

export function describePace(shop: CatalogShop): void {
  describe("a connection with nothing to do", () => {
    it("has nothing due, so that no alarm is set for it between the jobs of two minutes", async () => {
      const connection = await shop.connect()
      await shop.connectPage("other-page")
      await shop.insertProducts(titles(3))
      await shop.importAll(connection)
      await workCatalog(shop.getContainer())
      const { items, walks } = shop.getContainer().resolve(SVC_MODULE).catalog
      expect([...(await items.dueInMs()), ...(await walks.dueInMs())]).toEqual([])
    })
  })

  describe("the pace of a connection", () => {
    const holds = () => shop.getContainer().resolve(SVC_MODULE).connections.holds

    it("is one for all processes: two together call no more often than the option says", async () => {
      const connection = await shop.connect()
      const other = await shop.connectPage("other-page")
      const calls = 10
      const pace = new CatalogPaceRows(shop.knex, { callsPerSecond: 10, batchSize: 100 })
      for (const id of [connection, other]) {
        await pace.take(id)
        await holds().hold(id, "products", { ms: 3_600_000, reason: HELD, counts: false })
      }
      // Each waits for the end of the hold, so that they begin together.
      const takers = await Promise.all(
        [connection, connection, other].map((id) =>
          startChild({
            name: "A process that asks for the pace",
            script: "integration-tests/setup/pace-taker.ts",
            env: {
              DATABASE_URL: shop.databaseUrl,
              CONNECTION_ID: id,
              CALLS_PER_SECOND: "10",
              CALLS: String(calls),
              NODE_OPTIONS: "",
            },
          }),
        ),
      )
      const began = Date.now()
      for (const id of [connection, other]) await holds().resume(id, { moved: true })
      const [first = 0, second = 0, alone = 0] = await Promise.all(
        takers.map(async (taker) => {
          expect(await taker.ended).toMatchObject({ code: 0 })
          return Number(taker.output()) - began
        }),
      )
      // A tenth of a second for each call after the first, which may begin 50 ms early.
      expect(Math.max(first, second)).toBeGreaterThanOrEqual((2 * calls - 1) * 100 - 50)
      expect(alone).toBeGreaterThanOrEqual((calls - 1) * 100 - 50)
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
      const before = Math.min(8, await rate())
      // Three calls were under way when the service said so: it is one hold, not three.
      for (const ms of [3_600_000, 3_600_000, 3_600_000]) {
        await pace.slowDown(connection)
        await holds().hold(connection, "products", { ms, reason: HELD, counts: false })
      }
      expect(await rate()).toBe(before / 2)
      expect(await pace.take(connection)).toMatchObject({ kind: "held" })
      await shop.pass("1 hour")
      for (let calls = 0; calls < 60; calls++) await pace.wentWell(connection)
      expect(Math.min(8, await rate())).toBe(8)
    })
  })
}
