/** The price lookup while shoppers wait: for a crowd, for a flood, and with a service that errs (interface §4.1). */
import { ContainerRegistrationKeys, ProductStatus } from "@medusajs/framework/utils"
import { forgetPrices } from "../../../src/workflows/cart"
import { connectMarket } from "../../setup/connected-market"
import { drawn } from "../../setup/generated"
import { createCart, eventually, type Market, runShow } from "../../setup/market"
import { knownToStore, ref } from "../../setup/shopper"
import type { CartShop } from "./shop"

export function describeLookup(shop: CartShop): void {
  const { act, api, getContainer, knex, svc } = shop

  const lookups = async (campaignUid: string): Promise<number> => {
    const q = `endpoint:price path:*${campaignUid}`
    return (await shop.sandbox.client.journal.find({ q })).count
  }
  const statusOf = async ({ connectionId }: Market): Promise<string> =>
    (await api.get(`/admin/svc/connections/${connectionId}`, shop.denmark.admin)).data.connection
      .status
  const holdsOf = ({ connectionId }: Market) =>
    knex()("svc_hold").where({ connection_id: connectionId })
  /** Variants that can be bought, as a checkout link names them. */
  const someProducts = async (count: number) => {
    const { data } = await getContainer()
      .resolve(ContainerRegistrationKeys.QUERY)
      .graph({
        entity: "product",
        fields: ["id", "variants.id"],
        filters: { status: ProductStatus.PUBLISHED },
      })
    return data
      .flatMap(({ id, variants }: { id: string; variants: { id: string }[] }) =>
        variants.map((variant) => ({ product_id: id, variant_id: variant.id, quantity: 1 })),
      )
      .slice(0, count)
  }
  const foreign = (campaign_uid: string) => ({
    campaign_uid,
    page_uid: "demo-page",
    order_no: "X-1",
  })

  describe("the lookup of prices", () => {
    it("asks once for a crowd that wants one product", async () => {
      const show = await runShow(shop.sandbox, shop.denmark, [{ variant: shop.mug, price: 129 }])
      const crowd = await Promise.all(Array.from({ length: 4 }, () => shop.shopper()))
      // Until all of them have asked: an answer serves a crowd for five seconds only.
      await shop.sandbox.control("/faults", { on: "price", kind: "delay", delay_ms: 2_000 })
      const answers = await Promise.all(crowd.map((anna) => anna.add(show, shop.mug, 1)))
      expect(answers.map(({ data }) => [data.status, data.cart?.items[0]?.unit_price])).toEqual(
        crowd.map(() => ["SUCCESS", 129]),
      )
      expect(await lookups(show.campaignUid)).toBe(1)
    })

    it("costs one call for a campaign that nobody ever named, however much is asked of it", async () => {
      // The journal is of the whole file: no other test may ask for this campaign.
      const cartId = await createCart(api, shop.denmark)
      const products = await someProducts(20)
      for (let times = 0; times < 2; times++) {
        const { data } = await act("some-checkout", cartId, {
          ...foreign("unnamed-show"),
          products,
        })
        expect(data.status).toBe("FAILURE")
        expect(new Set(data.failed_products.map(({ code }: { code: string }) => code))).toEqual(
          new Set(["not_in_show"]),
        )
      }
      expect(await lookups("unnamed-show")).toBe(1)
    })

    it("lets no shopper break the connection with a foreign campaign", async () => {
      const cartId = await createCart(api, shop.denmark)
      for (const status of [401, 403]) {
        const asked = jest.spyOn(svc().connections.calls, "now")
        await shop.sandbox.control("/faults", { on: "price", kind: "status", status })
        const { data } = await act("some-checkout", cartId, {
          ...foreign(`foreign-${status}`),
          products: [ref(shop.mug, 1)],
        })
        await shop.sandbox.endFaults()
        expect(data.failed_products).toMatchObject([{ code: "price_unavailable" }])
        // The token is tried where no shopper has a say, and is fine.
        await Promise.allSettled(asked.mock.results.map(({ value }) => value))
        asked.mockRestore()
        expect(await statusOf(shop.denmark)).toBe("active")
        expect(await holdsOf(shop.denmark)).toEqual([])
      }
    })

    it("notices a token that is refused everywhere", async () => {
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const show = await runShow(shop.sandbox, europe, [{ variant: shop.mug, price: 19 }])
      const anna = await shop.shopper(europe)
      await shop.sandbox.control("/faults", { on: "api", kind: "status", status: 401 })
      const { data } = await anna.add(show, shop.mug, 1)
      expect(data.failed_products).toMatchObject([{ code: "price_unavailable" }])
      expect(
        await eventually(
          () => statusOf(europe),
          (status) => status === "broken",
        ),
      ).toBe("broken")
    })

    /**
     * A market of its own with a show, where somebody new taps: in a basket that has it already the price holds for a while.
     *
     * @param isTold deliveries tell what is on sale
     */
    async function tappedMarket(isTold = false) {
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const { connectionId: connection_id, admin } = europe
      if (isTold) await api.post(`/admin/svc/connections/${connection_id}/webhook`, {}, admin)
      const show = await runShow(shop.sandbox, europe, [{ variant: shop.mug, price: 19 }])
      if (isTold) {
        await knownToStore(api, europe, show, ({ status }) => status === "live")
        await eventually(
          () => knex()("svc_event_product").where({ connection_id }),
          (products) => products.length > 0,
        )
      }
      const tap = async (): Promise<string> => {
        await forgetPrices(getContainer(), europe.connectionId, show.campaignUid)
        const anna = await shop.shopper(europe)
        return (await anna.add(show, shop.mug, 1)).data.status
      }
      return { europe, tap }
    }

    it("says nothing of a connection that only another process has declared", async () => {
      const { europe, tap } = await tappedMarket()
      const { connectionId } = europe
      expect(await tap()).toBe("SUCCESS")
      await knex()("svc_connection")
        .where({ id: connectionId })
        .update({ managed_by: "environment", api_token: null, api_token_fingerprint: "another" })
      const noted = jest.spyOn(svc().connections.rows, "noteError")
      for (let times = 0; times < 6; times++) expect(await tap()).toBe("FAILURE")
      expect(noted).not.toHaveBeenCalled()
      noted.mockRestore()
    })

    const untilStatus = (market: Market, status: string) =>
      eventually(
        () => statusOf(market),
        (now) => now === status,
      )

    it("says that prices fail until one is answered, whatever else goes well", async () => {
      const { europe, tap } = await tappedMarket()
      const { connectionId } = europe
      const told = async (): Promise<string[]> => {
        const { data } = await api.get("/admin/svc/health", {
          ...europe.admin,
          validateStatus: () => true,
        })
        return data.health.problems
          .filter((one: { connection_id: string }) => one.connection_id === connectionId)
          .map(({ code }: { code: string }) => code)
      }
      expect(await tap()).toBe("SUCCESS")
      const [status] = drawn([500, 405], 1)
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status })
      for (let times = 0; times < 6; times++) expect(await tap()).toBe("FAILURE")
      await untilStatus(europe, "broken")
      // As the look at the webhook does each five minutes.
      await svc().connections.calls.inBackground(connectionId, "webhooks", (client) =>
        client.listWebhooks(),
      )
      expect([await statusOf(europe), await told()]).toEqual([
        "broken",
        expect.arrayContaining(["lookups_failing"]),
      ])
      // A person has had a look, and shoppers meet it again.
      await api.post(`/admin/svc/connections/${connectionId}/check`, {}, europe.admin)
      expect(await statusOf(europe)).toBe("active")
      // The pause after failures is over, once and again.
      const own = performance.now.bind(performance)
      const clock = jest.spyOn(performance, "now").mockImplementation(() => own() + 6_000)
      expect(await tap()).toBe("FAILURE")
      await untilStatus(europe, "broken")
      await shop.sandbox.endFaults()
      clock.mockImplementation(() => own() + 12_000)
      expect(await tap()).toBe("SUCCESS")
      clock.mockRestore()
      await untilStatus(europe, "active")
      expect(await told()).not.toContain("lookups_failing")
    })

    it("says so, too, where the service refuses for good what a delivery has told to be on sale", async () => {
      const { europe, tap } = await tappedMarket(true)
      expect(await tap()).toBe("SUCCESS")
      const [status] = drawn([404, 422], 1)
      await shop.sandbox.control("/faults", { on: "price", kind: "status", status })
      for (let times = 0; times < 6; times++) expect(await tap()).toBe("FAILURE")
      await untilStatus(europe, "broken")
    })

    it("lets nobody wait longer than its deadline, and holds nothing else up", async () => {
      // Its lookups rest for seconds afterwards, which the connection of the next test must not.
      const europe = await connectMarket(api, getContainer(), shop.sandbox, "europe")
      const show = await runShow(shop.sandbox, europe, [{ variant: shop.mug, price: 19 }])
      const shoppers = await Promise.all(Array.from({ length: 4 }, () => shop.shopper(europe)))
      // Shorter than a merchant's store waits; the tests' own is more patient.
      svc().cart.priceLookup.settings.timeoutMs = 500
      // Longer than a test may take: without a deadline of ours this would be the test's end.
      await shop.sandbox.control("/faults", { on: "price", kind: "hang", delay_ms: 600_000 })
      const [, cup] = shop.mugs
      const answers = await Promise.all(
        shoppers.map((anna, n) => anna.add(show, (n % 2 && cup) || shop.mug, 1)),
      )
      for (const { data } of answers) {
        expect(data.failed_products).toMatchObject([{ code: "price_unavailable" }])
      }
      // Lookups have a hold of their own: catalog and orders go on. The connection says that something is wrong.
      expect(await holdsOf(europe)).toEqual([])
    })

    it("refuses a flood with a code and a time to wait, and serves everybody else meanwhile", async () => {
      const { show, anna } = await shop.open()
      const flooder = await shop.shopper()
      const products = await someProducts(50)
      const flood = Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          flooder.act("some-checkout", { campaignUid: `flood-${n}`, orderNo: "X-1" }, products),
        ),
      )
      const { data } = await anna.add(show, shop.mug, 1)
      expect(data).toMatchObject({
        status: "SUCCESS",
        failed_products: [],
        cart: { items: [{ unit_price: 129 }] },
      })

      await flood
      // As if it went on at once, however slow this machine is: what a basket may ask is used up for the next minutes.
      const later = Date.now() + 600_000
      while (shop.svc().cart.actionLimits.take(flooder.cartId, later) === 0);
      const { data: answer, headers, status } = await flooder.add(show, shop.mug, 1)
      expect([status, answer]).toMatchObject([
        429,
        {
          type: "not_allowed",
          code: "too_many_requests",
          message: expect.stringContaining("seconds"),
          params: { seconds: expect.any(Number) },
        },
      ])
      expect(headers["retry-after"]).toBe(String(answer.params.seconds))
      expect(await statusOf(shop.denmark)).toBe("active")
      expect(await holdsOf(shop.denmark)).toEqual([])
    })
  })
}
