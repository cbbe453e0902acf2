import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { attribution } from "../../setup/attribution"
import { connectMarket } from "../../setup/connected-market"
import { localServers } from "../../setup/local-servers"
import { eventually, runShow } from "../../setup/market"
import type { OperationsShop } from "./shop"

/** What the first step of leaving does; both steps, from a tarball: `integration-tests/package/tarball.spec.ts`. */
export function describeUninstall(shop: OperationsShop): void {
  describe("uninstalling", () => {
    const json = async (...args: string[]) => {
      const { code, stdout } = await shop.command(["uninstall", ...args, "--json"])
      return { code, ...JSON.parse(stdout) }
    }

    it("names baskets that were paid and never ordered, and leaves them on an explicit word, so that it ends", async () => {
      const { denmark, mug, sandbox } = shop
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const [anna, bo] = [await shop.deliveredShopper(), await shop.deliveredShopper()]
      const carl = await shop.deliveredShopper()
      for (const one of [anna, bo, carl]) await one.add(show, mug)
      // Ordered: it counts nowhere.
      await shop.knex()("cart").where({ id: carl.cartId }).update({ completed_at: new Date() })
      const inAnHour = new Date(Date.now() + 3_600_000)
      // Bought in the show, and the service has not taken the report yet.
      await shop
        .knex()("svc_attribution")
        .insert(
          attribution(denmark.connectionId, "waits", {
            state: "waiting",
            next_attempt_at: inAnHour,
          }),
        )
      const { session } = await anna.pay()
      await shop.getContainer().resolve(Modules.PAYMENT).authorizePaymentSession(session, {})
      const prices = () =>
        Promise.all([anna, bo].map(async (one) => (await one.cart()).items[0]?.unit_price))
      const [{ id, total }] = [await anna.cart()]
      const paid = [
        {
          cart_id: id,
          payments: [
            {
              id: session,
              provider_id: "pp_system_default",
              amount: total,
              currency_code: "dkk",
              is_made: true,
            },
          ],
        },
      ]

      const before = { code: 0, carts: 1, paid_carts: paid, orders_waiting: 1 }
      expect(await json()).toMatchObject(before)
      expect((await shop.command(["uninstall"])).stdout).toContain(
        "was not told of yet, and will not be: 1",
      )
      expect(await prices()).toEqual([129, 129])

      const kept = await json("--apply")
      expect(kept).toMatchObject({
        code: 1,
        ok: false,
        carts: 0,
        paid_carts: paid,
        error: { code: "paid_carts_left", fix: expect.stringContaining("--leave-paid-carts") },
      })
      expect(await prices()).toEqual([129, 189])
      const { stderr } = await shop.command(["uninstall", "--apply"])
      expect(stderr).toContain("--leave-paid-carts")

      // The answer that names it is lost, and no later one knows it: it was read before, and is in the log.
      const { expiring } = shop.svc().cart
      const warned = jest.spyOn(
        shop.getContainer().resolve(ContainerRegistrationKeys.LOGGER),
        "warn",
      )
      jest.spyOn(expiring, "close").mockImplementationOnce(async () => {
        throw new Error("the answer is lost")
      })
      const lost = await shop.command(["uninstall", "--apply", "--leave-paid-carts", "--json"])
      const told = warned.mock.calls.map(String).filter((line) => line.includes(session))
      jest.restoreAllMocks()
      expect(lost.code).toBe(1)
      expect(lost.stderr).toContain(session)
      expect(told).toEqual([expect.stringContaining(id)])

      expect(await json("--apply", "--leave-paid-carts")).toMatchObject({
        code: 0,
        ok: true,
        carts: 0,
        paid_carts: paid,
      })
      expect(await prices()).toEqual([129, 189])
      // It was paid: its order may still come.
      expect((await anna.order()).data).toMatchObject({ type: "order", order: { item_total: 129 } })
    })

    it("puts baskets back also where the store's address is not the one that it was connected at, and ends no payment there", async () => {
      const { denmark, mug, sandbox } = shop
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const [anna, bo] = [await shop.deliveredShopper(), await shop.deliveredShopper()]
      for (const one of [anna, bo]) await one.add(show, mug)
      const { session } = await bo.pay()
      await shop.knex()("svc_connection").update({ store_host: "old.example.com" })
      expect(await json("--apply")).toMatchObject({ code: 0, carts: 0 })
      expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
      expect(await shop.knex()("payment_session").pluck("id")).toEqual([session])
    })

    it("puts the merchant's own rules back where not every product was told as disabled, and takes its own for no merchant's", async () => {
      const { denmark, sandbox, api } = shop
      const europe = await connectMarket(api, shop.getContainer(), sandbox, "europe")
      const path = `/admin/svc/connections/${denmark.connectionId}`
      const catalog = async () => (await shop.ask("get", path)).data.connection.catalog
      const statuses = async ({ pageUid: page_uid }: { pageUid: string }) => {
        const { products } = await sandbox.client.products.list({ page_uid })
        return new Set(products.map(({ product }) => product.status))
      }
      const rules = { include: null, exclude: { metadata: { live: "no" } } }
      await shop.ask("post", path, { catalog: rules })
      const own = await catalog()
      const sync = ["sync", "--wait", "--connection", denmark.connectionId]
      expect((await shop.command(sync)).code).toBe(0)
      expect(await statuses(denmark)).toContain("enabled")

      const leave = () => shop.command(["uninstall", "--apply", "--disable-products", "--json"])
      const codeOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).error?.code
      const putBack = `POST ${path} {"catalog":{"include":null}}`
      const importOf = async () => (await shop.ask("get", `${path}/sync`)).data.sync.status
      const leaveAndCancel = async () => {
        await sandbox.control("/faults", { on: "products", kind: "delay", delay_ms: 3_000 })
        const leaving = leave()
        await eventually(importOf, (status) => status === "running")
        expect((await shop.ask("post", `${path}/sync/cancel`)).status).toBe(200)
        await sandbox.forgetFaults()
        return leaving
      }
      const cancelled = await leaveAndCancel()
      // Else what is under way, and the comparison with its own rule, may leave the next one nothing to send.
      expect((await shop.command(sync)).code).toBe(0)
      expect(codeOf(cancelled)).toBe("products_not_disabled")
      expect(cancelled.stderr).toContain(putBack)
      expect(cancelled.stderr).toContain("its own rule applies again. Products that were told")
      expect(await catalog()).toEqual(own)
      // Nobody has asked for an import of it yet, and nobody has now.
      const europes = `/admin/svc/connections/${europe.connectionId}`
      expect((await shop.ask("get", `${europes}/sync`)).data.sync.status).toBe("idle")
      expect((await shop.ask("get", europes)).data.connection.catalog.include).toBeNull()
      expect([...(await statuses(europe))]).toEqual([])

      // What the command does first; it is killed after it, and begun again.
      const disabled = { dry_run: false, products: "disable" }
      expect((await shop.ask("post", "/admin/svc/uninstall", disabled)).status).toBe(200)
      const again = await leaveAndCancel()
      expect(codeOf(again)).toBe("products_not_disabled")
      expect(again.stderr).toContain("What it was is not known any more")
      expect(again.stderr).not.toContain(putBack)
      expect((await catalog()).include).not.toBeNull()
      expect((await shop.command(sync)).code).toBe(0)
      expect([...(await statuses(denmark))]).toEqual(["disabled"])
      await shop.ask("post", path, { catalog: { include: null } })
      await eventually(
        () => statuses(denmark),
        (seen) => seen.has("enabled"),
      )
      expect(await catalog()).toEqual(own)

      await eventually(importOf, (status) => status === "completed")
      expect(await json("--apply", "--disable-products")).toMatchObject({ code: 0, ok: true })
      expect([...(await statuses(denmark))]).toEqual(["disabled"])
      expect((await shop.ask("get", path)).status).toBe(404)
    })

    it("names a webhook by its address where the answer to its registration was lost", async () => {
      const { denmark, sandbox, knex } = shop
      const path = `/admin/svc/connections/${denmark.connectionId}/webhook`
      const { url } = (await shop.ask("post", path, {})).data.webhook
      await sandbox.control("/faults", { on: "webhooks", kind: "status", status: 500 })
      await knex()("svc_webhook").update({ webhook_uid: null })
      const unsure = { webhook_uid: null, webhook_url: url }
      expect(await json()).toMatchObject({ connections: [unsure] })
      expect((await shop.command(["uninstall"])).stdout).toContain(`a webhook to ${url}, of which`)
      const left = await json("--apply")
      await sandbox.endFaults()
      expect(left).toMatchObject({
        code: 0,
        webhooks_left: [{ webhook_uid: null, url, code: "svc_unavailable" }],
      })
    })

    it("says which webhook is left, and which connection, when one cannot be disconnected", async () => {
      const { denmark, sandbox, api, svc } = shop
      const europe = await connectMarket(api, shop.getContainer(), sandbox, "europe")
      const [{ webhook }] = [
        (await shop.ask("post", `/admin/svc/connections/${denmark.connectionId}/webhook`, {})).data,
      ]
      // Not for one call alone, which a lookup of the webhook may be.
      await sandbox.control("/faults", { on: "webhooks", kind: "status", status: 500 })
      // Whatever comes first: the one is disconnected, and its webhook stays; the other stays as a whole.
      const { rows } = svc().connections
      const forget = rows.forget.bind(rows)
      const forgetting = jest.spyOn(rows, "forget").mockImplementation(async (ids) => {
        if (ids.includes(europe.connectionId)) throw new Error("this connection stays")
        return forget(ids)
      })
      const first = await json("--apply").finally(() => forgetting.mockRestore())
      await sandbox.endFaults()
      expect(first).toMatchObject({
        code: 1,
        webhooks_left: [{ webhook_uid: webhook.webhook_uid }],
        connections_left: [{ id: europe.connectionId }],
        error: { code: "connections_left" },
      })
      const out = join(await mkdtemp(join(tmpdir(), "svc-uninstall-")), "ledger.csv")
      // What is sold or refunded now is booked, and goes with the tables.
      const exported = await shop.command(["uninstall", "--apply", "--export", out])
      expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining("once more")])
      const again = await json("--apply")
      expect(again).toMatchObject({ code: 0, webhooks_left: [], connections_left: [] })
    })

    describe("its last step", () => {
      const listening = localServers()

      it("says what DATABASE_URL has to say where the store's tables are in a schema of its own", async () => {
        const withoutPlugin = createServer(({ url }, response) => {
          const isStores = url?.startsWith("/admin/stores")
          response.writeHead(isStores ? 200 : 404).end(isStores ? '{"stores":[]}' : "{}")
        })
        const { DATABASE_URL } = process.env
        const elsewhere = new URL(shop.databaseUrl)
        elsewhere.searchParams.set("options", "-c search_path=elsewhere")
        process.env.DATABASE_URL = elsewhere.href
        try {
          const { code, stderr } = await shop.command([
            "uninstall",
            "--url",
            await listening(withoutPlugin),
          ])
          expect([code, stderr]).toEqual([2, expect.stringContaining("search_path%3D")])
        } finally {
          if (DATABASE_URL === undefined) delete process.env.DATABASE_URL
          else process.env.DATABASE_URL = DATABASE_URL
        }
      })
    })
  })
}
