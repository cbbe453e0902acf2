/** What the plugin puts into a store: jobs on the clock, statements on Medusa's tables, links to its records. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { WorkflowManager } from "@medusajs/framework/orchestration"
import { parseExpression } from "cron-parser"
import { ROOT } from "../../../tools/child"
import type { OperationsShop } from "./shop"

const JOBS = join(ROOT, "src/jobs")
/** These compare everything with the service. All others heal what an event failed to tell, and nobody waits longer. */
const HOURLY = ["purge-deliveries.ts"]
const NIGHTLY = ["sweep-catalog.ts", "read-listings.ts", "sweep-orders.ts"]
const MINUTE = 60_000

export function describeStoreParts(shop: OperationsShop): void {
  const { api, health } = shop

  describe("the store that runs the plugin's sources", () => {
    it("comes to each of its jobs by itself, in a minute, in an hour or at night", async () => {
      const files = readdirSync(JOBS)
      expect(files).toEqual(expect.arrayContaining([...NIGHTLY, ...HOURLY]))
      for (const file of files) {
        const { config } = await import(join(JOBS, file))
        const { schedule } = WorkflowManager.getWorkflow(`job-${config.name}`)?.options ?? {}
        if (typeof schedule !== "object" || !("cron" in schedule))
          throw new Error(`${file} is not on the clock`)
        const clock = parseExpression(schedule.cron, { tz: "UTC" })
        const [first, second] = [clock.next(), clock.next()]
        const minutes = NIGHTLY.includes(file) ? 24 * 60 : HOURLY.includes(file) ? 60 : 1
        expect([file, second.getTime() - first.getTime()]).toEqual([file, minutes * MINUTE])
        // When few shops are busy, and not on the hour, when everybody else's jobs run.
        if (NIGHTLY.includes(file)) {
          expect([first.getHours() < 5, first.getMinutes() === 0]).toEqual([true, false])
        }
      }
    })

    it("tells a monitor which column a newer Medusa took away, and what stands still without it", async () => {
      const [svc, knex] = [shop.svc(), shop.knex()]
      await knex.raw("ALTER TABLE order_cart RENAME COLUMN cart_id TO basket_id")
      try {
        await svc.checkCoreTables()
        const { status, problems } = await health()
        expect(status).toBe("critical")
        expect(problems).toContainEqual({
          severity: "critical",
          connection_id: null,
          code: "core_table_changed",
          message: expect.stringMatching(/\(link\.cart_id\).*reporting orders to the service/),
          fix: expect.stringContaining("medusa-plugin-svc"),
          params: {
            missing: "link.cart_id",
            uses: expect.stringContaining("reporting orders to the service"),
          },
        })
      } finally {
        await knex.raw("ALTER TABLE order_cart RENAME COLUMN basket_id TO cart_id")
        await svc.checkCoreTables()
      }
      // It has every other column that our statements use.
      expect(svc.startProblems).toEqual([])
    })
  })

  it("shows shoppers nothing of the links between our records and the store's, whatever fields they ask for", async () => {
    for (const connection_id of ["svccon_dk", "svccon_de"]) {
      await shop.svc().createSvcCatalogItems({
        connection_id,
        product_id: shop.mug.product_id,
        title: "Mug",
        state: "synced",
      })
    }
    const { data } = await api.get(
      `/store/products?id=${shop.mug.product_id}&fields=id,*svc_catalog_items,svc_catalog_item.state`,
      shop.denmark.store,
    )
    expect(data.products).toEqual([{ id: shop.mug.product_id }])
  })
}
