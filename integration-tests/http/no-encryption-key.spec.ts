import { SVC_MODULE } from "../../src/modules/svc"
import { Keyring } from "../../src/modules/svc/connections/secrets"
import { seedShop } from "../setup/connected-market"
import { adminHeaders, describeStore } from "../setup/medusa"

const TOKEN = "sandbox-token-demo-page"
const any = { validateStatus: () => true }

describeStore(
  ({ api, getContainer }) => {
    it("a store without an encryption key boots and says how to make one when a secret is saved, and says that nobody can read its proxy", async () => {
      const admin = await adminHeaders(getContainer())
      const container = getContainer()
      await seedShop(container)
      const [region] = await container.resolve("region").listRegions({}, { take: 1 })
      const [channel] = await container.resolve("sales_channel").listSalesChannels({}, { take: 1 })
      const answer = await api.post(
        "/admin/svc/connections",
        {
          name: "First",
          page_uid: "demo-page",
          base_url: "http://127.0.0.1:9400",
          api_token: TOKEN,
          sales_channel_id: channel?.id,
          region_id: region?.id,
          storefront_url: "http://127.0.0.1:8000",
        },
        { ...admin, ...any },
      )
      expect([answer.status, answer.data.code]).toEqual([400, "encryption_key_missing"])
      expect(answer.data.message).toMatch(/randomBytes\(32\).*SVC_ENCRYPTION_KEYS/)
      expect(answer.data.message).not.toContain(TOKEN)
      const { data } = await api.get("/admin/svc/connections", admin)
      expect(data.count).toBe(0)
      // Nothing goes out past a proxy that somebody has set.
      const health = await api.get("/admin/svc/health", { ...admin, ...any })
      expect([health.status, health.data.health]).toMatchObject([
        503,
        {
          status: "critical",
          problems: [
            { code: "encryption_key_missing", severity: "warning" },
            { code: "start_failed", message: expect.stringContaining("HTTPS_PROXY") },
          ],
        },
      ])

      // Where secrets are kept, another key is of no use.
      const lost = new Keyring(`k1:${Buffer.alloc(32, 9).toString("base64")}`)
      const place = { table: "svc_connection", id: "svccon_lost", column: "api_token" }
      await container.resolve(SVC_MODULE).createSvcConnections({
        id: place.id,
        name: "Kept",
        page_uid: "demo-page",
        base_url: "https://svc.example.com",
        sales_channel_id: channel?.id ?? "",
        region_id: region?.id ?? "",
        storefront_url: "https://shop.example.com",
        api_token: lost.encrypt(TOKEN, place),
      })
      const { problems } = (await api.get("/admin/svc/health", { ...admin, ...any })).data.health
      expect(
        problems.filter(({ code }: { code: string }) => code.startsWith("encryption_key")),
      ).toMatchObject([
        { code: "encryption_key_removed", severity: "critical", params: { keys: "k1", count: 1 } },
      ])
    })
  },
  { env: { SVC_ENCRYPTION_KEYS: "", HTTPS_PROXY: "proxy:port" } },
)
