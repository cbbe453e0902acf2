import { WorkflowManager } from "@medusajs/framework/orchestration"
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
  })
})
