import { readdirSync } from "node:fs"
import { join } from "node:path"
import { WorkflowManager } from "@medusajs/framework/orchestration"
import { parseExpression } from "cron-parser"
import { adminHeaders, describeStore, ROOT } from "../setup/medusa"

const JOBS = join(ROOT, "src/jobs")
/** These compare everything with the service. All others heal what an event failed to tell, and nobody waits longer. */
const NIGHTLY = ["catalog-sweep.ts", "tidy-deliveries.ts"]
const MINUTE = 60_000

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

    it.each(readdirSync(JOBS))(
      "comes to the job %s by itself, in a minute or at night",
      async (file) => {
        const { config } = await import(join(JOBS, file))
        const { schedule } = WorkflowManager.getWorkflow(`job-${config.name}`)?.options ?? {}
        if (typeof schedule !== "object" || !("cron" in schedule))
          throw new Error("not on the clock")
        const clock = parseExpression(schedule.cron, { tz: "UTC" })
        const [first, second] = [clock.next(), clock.next()]
        const waitMs = second.getTime() - first.getTime()
        if (NIGHTLY.includes(file)) {
          expect(waitMs).toBe(24 * 60 * MINUTE)
          // When few shops are busy, and not on the hour, when everybody else's jobs run.
          expect([first.getHours() < 5, first.getMinutes() === 0]).toEqual([true, false])
        } else {
          expect(waitMs).toBe(MINUTE)
        }
      },
    )

    it("has no nightly job by a name that is gone", () => {
      expect(readdirSync(JOBS)).toEqual(expect.arrayContaining(NIGHTLY))
    })
  })
})
