import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Modules } from "@medusajs/framework/utils"
import { connectMarket } from "../../setup/connected-market"
import { eventually } from "../../setup/market"
import type { OperationsShop } from "./shop"

export function describeCommand(shop: OperationsShop): void {
  describe("the command", () => {
    const { command, commandAsProcess } = shop
    const json = async (...args: string[]) => {
      const { code, stdout } = await command([...args, "--json"])
      return { code, ...JSON.parse(stdout) }
    }

    it("doctor says what is wrong and what to do, and sync --wait mends the first of it", async () => {
      const before = await json("doctor")
      expect(before).toMatchObject({ code: 0, ok: true, status: "warning" })
      expect(before.problems).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            code: "catalog_not_imported",
            connection: shop.denmark.connectionId,
            fix: expect.any(String),
          }),
        ]),
      )
      await shop.ask("post", `/admin/products/${shop.mug.product_id}`, { title: "Another title" })
      await eventually(
        async () => (await shop.ask("get", "/admin/svc/products")).data.products,
        (products) => products.some(({ state }: { state: string }) => state === "synced"),
      )
      const { stdout } = await commandAsProcess(["doctor"])
      expect(stdout).toMatch(/WARNING \[Demo denmark\] catalog_not/)

      const sent = await json("sync", "--wait", "--connection", shop.denmark.connectionId)
      expect(sent).toMatchObject({ code: 0, ok: true, connections: [{ sync: { failed: 0 } }] })
      expect(sent.connections[0].sync.status).toBe("completed")
      const codes = (await json("doctor")).problems.map(({ code }: { code: string }) => code)
      expect(codes).not.toContain("catalog_not_imported")
    })

    it("doctor asks for no import of a sales channel without products once there was one", async () => {
      const { api, sandbox } = shop
      const container = shop.getContainer()
      const europe = await connectMarket(api, container, sandbox, "europe")
      const empty = await container
        .resolve(Modules.SALES_CHANNEL)
        .createSalesChannels({ name: "Empty" })
      await shop.ask("post", `/admin/svc/connections/${europe.connectionId}`, {
        sales_channel_id: empty.id,
      })
      const isAskedFor = async () =>
        (await json("doctor")).problems.some(
          (problem: { code: string; connection: string }) =>
            problem.code === "catalog_not_imported" && problem.connection === europe.connectionId,
        )
      expect(await isAskedFor()).toBe(true)
      const sent = await json("sync", "--wait", "--connection", europe.connectionId)
      expect(sent).toMatchObject({ code: 0, connections: [{ sync: { total: 0 } }] })
      expect(await isAskedFor()).toBe(false)
    })

    it("doctor ends with 1 where something is critical", async () => {
      await shop.ask("post", `/admin/svc/connections/${shop.denmark.connectionId}`, {
        api_token: "wrong",
      })
      const found = await json("doctor")
      expect(found).toMatchObject({ code: 1, ok: false, status: "critical" })
      expect(found.problems[0]).toMatchObject({ severity: "critical", code: "svc_unauthorized" })
    })

    it("export writes the ledger and the results as CSV", async () => {
      const { code, stdout } = await command(["export", "results", "--group-by", "day"])
      expect([code, stdout]).toEqual([0, expect.stringContaining("period,name,campaign_uid")])
      const out = join(await mkdtemp(join(tmpdir(), "svc-export-")), "ledger.csv")
      expect(await json("export", "ledger", "--out", out)).toMatchObject({ code: 0, file: out })
      expect(await readFile(out, "utf8")).toContain("occurred_at,order_id")
      expect(await json("export", "ledger")).toMatchObject({ error: { code: "out_missing" } })
    })

    it("says what is missing, and never the key", async () => {
      const key = "sk_a_key_that_no_store_has"
      const failures = [
        [await command(["doctor"], ""), 2, "SVC_ADMIN_API_KEY"],
        [await command(["doctor"], key), 3, "Settings → Secret API keys"],
        [await command(["doctor", "--url", "http://127.0.0.1:9"]), 3, "does not answer"],
        [await command(["doctor", "--surprise"]), 2, "--surprise"],
        [await commandAsProcess(["dcotor"]), 2, 'Unknown command "dcotor"'],
        [await command(["sync", "--connection", "svccon_none"]), 1, "There is no connection"],
        // Without its option's name a connection would be passed over, and all of them meant.
        [await command(["sync", "svccon_none"]), 2, "svccon_none"],
        [await command(["uninstall", "svccon_none"]), 2, "svccon_none"],
        [await command(["export", "ledger", "results"]), 2, "results"],
        [await command(["doctor", "--connection", ""]), 2, "--connection"],
      ] as const
      for (const [{ code, stdout, stderr }, exit, text] of failures) {
        expect([code, stdout]).toEqual([exit, ""])
        expect(stderr).toContain(text)
        expect(stderr).not.toContain(key)
      }
    })
  })
}
