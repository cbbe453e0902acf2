import { readdirSync } from "node:fs"
import { join } from "node:path"
import { WorkflowManager } from "@medusajs/framework/orchestration"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { parseExpression } from "cron-parser"
import { SVC_MODULE } from "../../src/modules/svc"
import { ROOT } from "../../tools/child"
import { adminHeaders, describeStore, UNSEEDED } from "../setup/medusa"
import { describeOutage } from "./store/outage"

const JOBS = join(ROOT, "src/jobs")
/** These compare everything with the service. All others heal what an event failed to tell, and nobody waits longer. */
const HOURLY = ["purge-deliveries.ts"]
const NIGHTLY = ["sweep-catalog.ts", "read-listings.ts", "sweep-orders.ts"]
const MINUTE = 60_000

describeStore((suite) => {
  const { api, getContainer } = suite
  describeOutage(suite)

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
      const svc = getContainer().resolve(SVC_MODULE)
      const knex = getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
      await knex.raw("ALTER TABLE order_cart RENAME COLUMN cart_id TO basket_id")
      try {
        await svc.checkCoreTables()
        const { data } = await api.get("/admin/svc/health", {
          ...(await adminHeaders(getContainer())),
          validateStatus: () => true,
        })
        expect(data.health.status).toBe("critical")
        expect(data.health.problems).toContainEqual({
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

  describe("the links between our records and the store's", () => {
    const svc = () => getContainer().resolve(SVC_MODULE)

    async function productAtTwoConnections() {
      const product = await getContainer()
        .resolve(Modules.PRODUCT)
        .createProducts({ title: "Mug", status: "published" })
      for (const connection_id of ["svccon_dk", "svccon_de"]) {
        await svc().createSvcCatalogItems({
          connection_id,
          product_id: product.id,
          title: "Mug",
          state: "synced",
        })
      }
      return product
    }

    it("show shoppers nothing of it, whatever fields they ask for", async () => {
      await productAtTwoConnections()
      const container = getContainer()
      const key = await container.resolve(Modules.API_KEY).createApiKeys({
        type: "publishable",
        title: "Shop",
        created_by: "tests",
      })
      const { data } = await api.get(
        "/store/products?fields=id,*svc_catalog_items,svc_catalog_item.state",
        { headers: { "x-publishable-api-key": key.token }, validateStatus: () => true },
      )
      expect(JSON.stringify(data)).not.toContain("svc_catalog_item")
    })
  })
}, UNSEEDED)
