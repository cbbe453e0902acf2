import { Modules } from "@medusajs/framework/utils"
import { connectMarket, runShow } from "../../setup/market"
import { newShopper } from "../../setup/shopper"
import type { OperationsShop } from "./shop"

/** What the first step of leaving does; both steps, from a tarball: `integration-tests/package/tarball.spec.ts`. */
export function describeUninstall(shop: OperationsShop): void {
  describe("uninstalling", () => {
    const json = async (...args: string[]) => {
      const { code, stdout } = await shop.command(["uninstall", ...args, "--json"])
      return { code, ...JSON.parse(stdout) }
    }

    it("names baskets that were paid and never ordered, and leaves them on an explicit word, so that it ends", async () => {
      const { denmark, mug, sandbox, api } = shop
      const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }])
      const shopper = async () => {
        const one = await newShopper(api, denmark)
        await one.add(show, mug, 1)
        return one
      }
      const [anna, bo, carl] = [await shopper(), await shopper(), await shopper()]
      // Bought in the show, and the service does not take the report.
      await sandbox.control("/faults", { on: "process_orders", kind: "status", status: 500 })
      await carl.checkOut()
      await carl.pay()
      await carl.order()
      await sandbox.faultsStruck()
      await anna.checkOut()
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

    it("says which webhook is left, and which connection, when one cannot be disconnected", async () => {
      const { denmark, sandbox, api, knex } = shop
      const europe = await connectMarket(api, shop.getContainer(), sandbox, "europe")
      const [{ webhook }] = [
        (await shop.ask("post", `/admin/svc/connections/${denmark.connectionId}/webhook`, {})).data,
      ]
      // Not for one call alone, which a lookup of the webhook may be.
      await sandbox.control("/faults", { on: "webhooks", kind: "status", status: 500 })
      // Whatever comes first: the one is disconnected, and its webhook stays; the other stays as a whole.
      await knex().raw(`
        CREATE FUNCTION refuse_leaving() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'this connection stays'; END $$;
        CREATE TRIGGER refuse_leaving BEFORE UPDATE ON svc_connection
          FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL AND NEW.id = '${europe.connectionId}')
          EXECUTE FUNCTION refuse_leaving();
`)
      const first = await json("--apply")
      await sandbox.endFaults()
      await knex().raw("DROP FUNCTION refuse_leaving CASCADE")
      expect(first).toMatchObject({
        code: 1,
        webhooks_left: [{ webhook_uid: webhook.webhook_uid }],
        connections_left: [{ id: europe.connectionId }],
        error: { code: "connections_left" },
      })
      const again = await json("--apply")
      expect(again).toMatchObject({ code: 0, webhooks_left: [], connections_left: [] })
    })
  })
}
