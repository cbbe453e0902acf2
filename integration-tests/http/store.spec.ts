import { adminHeaders, describeStore } from "../setup/medusa"

jest.setTimeout(120_000)

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
  })
})
