import { WorkflowManager } from "@medusajs/framework/orchestration"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../src/modules/svc"
import { adminHeaders, describeStore } from "../setup/medusa"

describeStore(({ api, getContainer }) => {
  describe("the store that runs the plugin's sources", () => {
    it("answers its health check", async () => {
      const response = await api.get("/health")
      expect([response.status, response.data]).toEqual([200, "OK"])
    })

    it("lets a secret API key into the admin, and nobody without one", async () => {
      const refused = await api.get("/admin/stores", { validateStatus: () => true })
      expect(refused.status).toBe(401)
      const allowed = await api.get("/admin/stores", await adminHeaders(getContainer()))
      expect(allowed.data.stores).toHaveLength(1)
    })

    it.each([
      ["svc-push-catalog", "* * * * *"],
      ["svc-report-orders", "* * * * *"],
      ["svc-apply-deliveries", "* * * * *"],
      ["svc-reconcile-webhooks", "* * * * *"],
      ["svc-expire-campaign-prices", "* * * * *"],
      ["svc-sweep-catalog", "17 3 * * *"],
      ["svc-purge-deliveries", "17 3 * * *"],
    ])("has %s to do at %s", (job, cron) => {
      // The tests take the jobs off the clock, and call them.
      expect(WorkflowManager.getWorkflow(`job-${job}`)?.options).toMatchObject({
        schedule: { cron },
      })
    })

    it("has every column of Medusa's own tables that our statements use", async () => {
      const svc = getContainer().resolve(SVC_MODULE)
      await svc.checkCoreTables()
      expect(svc.coreTableProblems).toEqual([])
    })

    it("tells a monitor which column a newer Medusa took away, and what stands still without it", async () => {
      const svc = getContainer().resolve(SVC_MODULE)
      const knex = getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
      await knex.raw("ALTER TABLE order_cart RENAME COLUMN cart_id TO basket_id")
      try {
        await svc.checkCoreTables()
        const { data } = await api.get("/admin/svc/health", await adminHeaders(getContainer()))
        expect(data.health.status).toBe("critical")
        expect(data.health.problems).toContainEqual({
          severity: "critical",
          connection_id: null,
          code: "core_table_changed",
          message: expect.stringMatching(
            /"cart_id" of its table "order_cart".*finding placed orders/,
          ),
          fix: expect.stringContaining("medusa-plugin-svc"),
        })
      } finally {
        await knex.raw("ALTER TABLE order_cart RENAME COLUMN basket_id TO cart_id")
        await svc.checkCoreTables()
      }
      expect(svc.coreTableProblems).toEqual([])
    })
  })
})
