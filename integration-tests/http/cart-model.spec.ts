/**
 * Carts in random histories on a real store: what shoppers, players, core's own routes, shows, the service, payments and
 * time do to one, in whatever order. `CART_MODEL_RUNS` sets how many; the weekly run makes 300.
 */
import { createCartCreditLinesWorkflow } from "@medusajs/core-flows"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import fc from "fast-check"
import { REGIONS } from "../../demo/catalog/seed-names"
import expireCampaignPrices from "../../src/jobs/expire-campaign-prices"
import { forgetPrices } from "../../src/workflows/cart"
import { cardPayments } from "../setup/card-provider"
import {
  connectMarket,
  type Market,
  runShow,
  type Show,
  seedShop,
  type Variant,
  variantsOf,
} from "../setup/market"
import { describeStore } from "../setup/medusa"
import { type RunningSandbox, startSandbox } from "../setup/sandbox"
import {
  CARD,
  type CartAnswer,
  changeInShow,
  knownToStore,
  minutesPass,
  newShopper,
  ref,
  type Shopper,
} from "../setup/shopper"

const RUNS = Number(process.env.CART_MODEL_RUNS ?? 12)
const PROMOTION = "TEN"

const which = fc.nat(1)
const pieces = fc.integer({ min: 1, max: 4 })
const anyLine = fc.nat(3)
const one = <Do extends string, More extends object>(
  what: Do,
  more: { [K in keyof More]: fc.Arbitrary<More[K]> },
) => fc.record({ do: fc.constant(what), ...more }) as fc.Arbitrary<{ do: Do } & More>

const act = one("act", {
  show: which,
  action: fc.constantFrom("add", "change", "remove", "checkout"),
  variant: which,
  quantity: pieces,
  twice: fc.boolean(),
})
const step = fc.oneof(
  { weight: 8, arbitrary: act },
  {
    weight: 2,
    arbitrary: one("core_add", {
      variant: which,
      quantity: pieces,
      show: which,
      marked: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: one("core_set", { line: anyLine, quantity: fc.integer({ min: 0, max: 4 }) }),
  },
  { weight: 1, arbitrary: one("core_remove", { line: anyLine }) },
  {
    weight: 3,
    arbitrary: one("price", {
      show: which,
      amount: fc.constantFrom(99, 129, 149, 219),
      included: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: one("cancel", { show: which }) },
  { weight: 1, arbitrary: one("deadline", { show: which }) },
  { weight: 1, arbitrary: one("take_out", { show: which }) },
  { weight: 3, arbitrary: one("minutes", { minutes: fc.constantFrom(5, 16, 31) }) },
  { weight: 2, arbitrary: one("job", {}) },
  { weight: 2, arbitrary: one("region", { to: fc.constantFrom("denmark", "iceland", "europe") }) },
  { weight: 1, arbitrary: one("channel", { home: fc.boolean() }) },
  { weight: 1, arbitrary: one("customer", {}) },
  { weight: 1, arbitrary: one("promotion", { on: fc.boolean() }) },
  { weight: 1, arbitrary: one("gift", {}) },
  { weight: 1, arbitrary: one("service", { errs: fc.boolean() }) },
  { weight: 3, arbitrary: one("pay", { card: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: one("card", {
      how: fc.constantFrom("authorized", "captured", "failed"),
      minutes: fc.constantFrom(0, 16, 40),
      ends: fc.boolean(),
      job: fc.boolean(),
      webhook: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: one("order", {}) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

describeStore(
  ({ api, getContainer }) => {
    describe("whatever happens to a cart", () => {
      let sandbox: RunningSandbox
      let denmark: Market
      let variants: [Variant, Variant]
      let regions: Record<"denmark" | "iceland" | "europe", string>
      let elsewhere: string

      beforeAll(async () => {
        sandbox = await startSandbox()
        const container = getContainer()
        await seedShop(container)
        denmark = await connectMarket(api, container, sandbox, "denmark")
        await api.post(`/admin/svc/connections/${denmark.connectionId}/webhook`, {}, denmark.admin)
        const [mug, cup] = await variantsOf(container, "havn-mug")
        if (!mug || !cup) throw new Error("no mugs")
        variants = [mug, cup]
        const service = container.resolve(Modules.REGION)
        const [iceland] = await service.createRegions([
          { name: "Iceland, in kroner", currency_code: "dkk", countries: ["is"] },
        ])
        const [europe] = await service.listRegions({ name: REGIONS.europe })
        regions = {
          denmark: denmark.regionId,
          iceland: iceland?.id ?? "",
          europe: europe?.id ?? "",
        }
        await knex()("region_payment_provider").insert(
          Object.values(regions).map((region_id, index) => ({
            id: `regpp_card_${index}`,
            region_id,
            payment_provider_id: CARD,
          })),
        )
        elsewhere = (
          await container
            .resolve(Modules.SALES_CHANNEL)
            .createSalesChannels({ name: "Marketplace" })
        ).id
        await container.resolve(Modules.PROMOTION).createPromotions({
          code: PROMOTION,
          type: "standard",
          status: "active",
          application_method: {
            type: "percentage",
            target_type: "items",
            allocation: "across",
            value: 10,
          },
        })
        // Neither is what the shop has in stock, nor are the limits of a minute, what is tried here.
        await knex()("product_variant").update({ allow_backorder: true })
        const svc = container.resolve("svc")
        Object.assign(svc, { actionLimits: { take: () => 0 } })
      })
      afterAll(() => sandbox.stop())

      /** How often there was something to judge. */
      const met = { histories: 0, asked: 0, ordered: 0, atShowPrice: 0, emptied: 0 }
      const knex = (): Knex => getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)

      /** A shopper's cart and two shows, and what the test knows of them. */
      class World {
        /** What the shopper has last been shown, by line. */
        seen = new Map<string, string>()
        /** Every price, with its tax basis, that a show has had. */
        readonly prices: Set<string>[] = []
        readonly ended: boolean[] = [false, false]
        errs = false
        /** The cart is in a channel that the storefront's key is not for. */
        away = false
        order: CartAnswer | null = null
        readonly said: string[] = []

        constructor(
          readonly anna: Shopper,
          readonly shows: [Show, Show],
        ) {
          this.prices = shows.map(() => new Set(["129 true"]))
        }

        say(what: string) {
          this.said.push(what)
        }

        /** The shopper looks at the basket. */
        async look(): Promise<CartAnswer> {
          const cart = await this.anna.cart()
          this.seen = new Map(cart.items.map((line) => [line.id, asSeen(line, cart.currency_code)]))
          return cart
        }

        async line(place: number) {
          const { items } = await this.anna.cart()
          return items.length === 0 ? undefined : items[place % items.length]
        }

        placed(order: CartAnswer, total: number): void {
          this.say(
            `ordered ${order.items.map((line) => `${line.quantity} x ${line.unit_price}`).join(", ")}`,
          )
          this.order = order
          met.ordered += 1
          // Nobody pays a price, or a tax, that they did not see.
          const seen = [...this.seen.values()].sort()
          expect(order.items.map((line) => asSeen(line, order.currency_code)).sort()).toEqual(seen)
          // Totals are Medusa's: what the basket said a moment ago is what the order says.
          expect(order.total).toBeCloseTo(total, 2)
        }
      }

      const asSeen = (line: CartAnswer["items"][number], currency: string): string =>
        [line.variant_id, line.quantity, line.unit_price, line.is_tax_inclusive, currency].join(" ")

      const newWorld = async (): Promise<World> => {
        const show = () =>
          runShow(
            sandbox,
            denmark,
            [
              {
                variant: variants[0],
                price: 129,
                extra: { variants: variants.map(({ id }) => ({ external_id: id, price: 129 })) },
              },
            ],
            { is_published: true },
          )
        const shows: [Show, Show] = [await show(), await show()]
        for (const each of shows)
          await knownToStore(api, denmark, each, ({ status }) => status === "live")
        return new World(await newShopper(api, denmark), shows)
      }

      async function play(world: World, now: Step): Promise<void> {
        const { anna, shows } = world
        const container = getContainer()
        world.say(JSON.stringify(now))
        switch (now.do) {
          case "act": {
            const { action, show, quantity, twice } = now
            const product = ref(variants[now.variant as 0 | 1], quantity)
            const tap = () =>
              action === "checkout"
                ? anna.act("some-checkout", shows[show as 0 | 1], [product])
                : anna.act("update-cart-contents", shows[show as 0 | 1], [{ action, ...product }])
            for (const { status, data } of await Promise.all(twice ? [tap(), tap()] : [tap()])) {
              const allowed = ["cart_busy", "channel_mismatch", "payment_under_way"]
              if (world.away) allowed.push("not_found")
              if (status !== 200) expect(allowed).toContain(data.code)
            }
            await world.look()
            return
          }
          case "core_add":
            await anna.addAtCatalogPrice(variants[now.variant as 0 | 1], now.quantity, {
              ...(now.marked
                ? { metadata: { svc_campaign_uid: shows[now.show as 0 | 1].campaignUid } }
                : {}),
            })
            await world.look()
            return
          case "core_set": {
            const line = await world.line(now.line)
            if (line) await anna.setLine(line.id, { quantity: now.quantity })
            await world.look()
            return
          }
          case "core_remove": {
            const line = await world.line(now.line)
            if (line) await anna.removeLine(line.id)
            await world.look()
            return
          }
          case "price": {
            const { amount, included } = now
            if (world.ended[now.show]) return
            world.prices[now.show]?.add(`${amount} ${included}`)
            await changeInShow(sandbox, container, denmark, shows[now.show as 0 | 1], variants[0], {
              price: amount,
              vat: { rate: 25, included },
              variants: variants.map(({ id }) => ({ external_id: id, price: amount })),
            })
            return
          }
          case "cancel":
            if (world.ended[now.show]) return
            await end(world, now.show, "cancel")
            return
          case "deadline":
            if (world.ended[now.show]) return
            await end(world, now.show, "deadline")
            return
          case "take_out": {
            if (world.ended[now.show]) return
            const show = shows[now.show as 0 | 1]
            await changeInShow(sandbox, container, denmark, show, variants[0], { available: false })
            await eventuallyUnavailable(show)
            world.ended[now.show] = true
            return
          }
          case "minutes":
            await minutesPass(container, anna.cartId, now.minutes)
            for (const { campaignUid } of shows) {
              await forgetPrices(container, denmark.connectionId, campaignUid)
            }
            return
          case "job":
            await expireCampaignPrices(container)
            return
          case "region":
            await anna.update({ region_id: regions[now.to] })
            await world.look()
            return
          case "channel":
            world.away = !now.home
            await container.resolve(Modules.CART).updateCarts(anna.cartId, {
              sales_channel_id: now.home ? denmark.salesChannelId : elsewhere,
            })
            return
          case "customer":
            await anna.update({ email: "berta@example.test" })
            await world.look()
            return
          case "promotion":
            await anna.promotions(now.on ? [PROMOTION] : [])
            await world.look()
            return
          case "gift":
            await createCartCreditLinesWorkflow(container).run({
              input: [
                {
                  cart_id: anna.cartId,
                  amount: 50,
                  reference: "gift",
                  reference_id: "card",
                  metadata: null,
                },
              ],
            })
            return
          case "service":
            world.errs = now.errs
            await sandbox.control("/faults", undefined, "DELETE")
            if (now.errs) {
              await sandbox.control("/faults", { on: "price", kind: "status", status: 503 })
            }
            return
          case "pay":
            await pay(world, now.card ? CARD : undefined)
            return
          case "card":
            await payByCard(world, now)
            return
          case "order":
            await order(world)
        }
      }

      async function end(world: World, show: number, how: "cancel" | "deadline"): Promise<void> {
        const each = world.shows[show as 0 | 1]
        if (how === "cancel") await sandbox.control(`/events/${each.eventId}/cancel`, {})
        else await sandbox.control(`/events/${each.eventId}`, { deadline: Date.now() - 1000 })
        await knownToStore(
          api,
          denmark,
          each,
          ({ status, deadline }) => status === "cancelled" || deadline !== null,
        )
        world.ended[show] = true
      }

      const eventuallyUnavailable = async ({ campaignUid }: Show) => {
        const until = Date.now() + 30_000
        while (Date.now() < until) {
          const row = await knex()("svc_event_product")
            .where({ campaign_uid: campaignUid })
            .first("available")
          if (row && !row.available) return
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        throw new Error("The store was not told that the product is not available.")
      }

      /** Begins a payment; a shopper who is asked first looks at the basket and begins again. */
      async function pay(world: World, provider?: string): Promise<string | null> {
        const { anna } = world
        for (let tries = 0; tries < 4; tries++) {
          await world.look()
          const { status, data, session } = await anna.pay(provider)
          world.say(`pay ${status} ${data.code ?? ""}`)
          if (status === 200) return session
          if (data.code !== "svc_price_changed") return null
          met.asked += 1
        }
        throw new Error("A payment cannot be begun.")
      }

      async function order(world: World): Promise<void> {
        const { anna } = world
        const { total } = await anna.cart()
        const { data } = await anna.order()
        world.say(`order ${data.type} ${data.error?.code ?? data.code ?? data.message ?? ""}`)
        if (data.type === "order") world.placed(data.order, total)
        else if (data.error?.code === "svc_price_changed") {
          met.asked += 1
          await world.look()
        }
      }

      /** The card is confirmed in the browser, time passes, the show may end, and the order comes by one of two ways. */
      async function payByCard(world: World, how: Extract<Step, { do: "card" }>): Promise<void> {
        const { anna } = world
        if ((await anna.cart()).items.length === 0) return
        await goHome(world)
        await anna.checkOut().catch(() => undefined)
        const session = await pay(world, CARD)
        if (!session) return
        const agreed = await world.look()
        const payment = cardPayments().get(session)
        if (payment?.status !== "open") return
        anna.confirmCard(session, how.how)
        if (how.ends && !world.ended[0]) await end(world, 0, "cancel")
        if (how.minutes > 0) await minutesPass(getContainer(), anna.cartId, how.minutes)
        if (how.job) await expireCampaignPrices(getContainer())
        if (!how.webhook) await order(world)
        else {
          await anna.sendCardWebhook(session)
          const placed = await orderOf(anna)
          if (placed) world.placed(placed, agreed.total)
        }
        // What was captured for this total is the shopper's yes, whatever ended meanwhile.
        if (how.how === "captured") {
          const reason = world.said.slice(-6)
          expect([reason, world.order?.items.length]).toEqual([reason, agreed.items.length])
        }
        expect(payment.captures).toBeLessThanOrEqual(1)
      }

      const orderOf = async (anna: Shopper): Promise<CartAnswer | null> => {
        const until = Date.now() + 15_000
        while (Date.now() < until) {
          const link = await knex()("order_cart").where({ cart_id: anna.cartId }).first("order_id")
          if (link) {
            const { status, data } = await api.get(`/store/orders/${link.order_id}`, {
              ...denmark.store,
              validateStatus: () => true,
            })
            // Core makes the order before it authorises the payment, and deletes it where that fails.
            if (status === 200) return data.order
            expect(status).toBe(404)
          }
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        return null
      }

      /** Back in the shop and the region in which an order can be delivered. */
      async function goHome(world: World): Promise<void> {
        await getContainer()
          .resolve(Modules.CART)
          .updateCarts(world.anna.cartId, { sales_channel_id: denmark.salesChannelId })
        world.away = false
        await world.anna.update({ region_id: denmark.regionId })
      }

      /** The service is well, and the shopper is at home: now everything must be possible. */
      async function finish(world: World, empties: boolean): Promise<void> {
        const { anna } = world
        world.say("finish")
        await sandbox.control("/faults", undefined, "DELETE")
        for (const { campaignUid } of world.shows) {
          await forgetPrices(getContainer(), denmark.connectionId, campaignUid)
        }
        await goHome(world)
        // The breaker of lookups pauses for five seconds after errors.
        if (world.said.some((what) => what.includes('"errs":true'))) {
          await new Promise((resolve) => setTimeout(resolve, 5_100))
        }
        if (empties) {
          for (const { variant_id } of (await anna.cart()).items) {
            const { data } = await anna.act("update-cart-contents", world.shows[0], [
              { action: "remove", product_id: variants[0].product_id, variant_id },
            ])
            expect(data.status).toBe("SUCCESS")
          }
          expect((await anna.cart()).items).toEqual([])
          met.emptied += 1
          return
        }
        if ((await world.look()).items.length === 0) return
        await anna.checkOut()
        for (let tries = 0; tries < 4 && !world.order; tries++) {
          await pay(world)
          await order(world)
        }
        expect(world.order).not.toBeNull()
        await wasProven(world)
      }

      /** Every line at a price of a show has its proof, to the number and the tax basis, and the show has had that price. */
      async function wasProven({ order: placed, anna, shows, prices }: World): Promise<void> {
        const proofs = await getContainer().resolve("svc").linePrices.ofCart(anna.cartId)
        const regular = 189
        for (const line of placed?.items ?? []) {
          const campaign = line.metadata?.svc_campaign_uid
          const proof = proofs.find(
            ({ variant_id, campaign_uid, amount }) =>
              variant_id === line.variant_id &&
              campaign_uid === campaign &&
              Number(amount) === line.unit_price,
          )
          const show = shows.findIndex(({ campaignUid }) => campaignUid === proof?.campaign_uid)
          if (proof) {
            met.atShowPrice += 1
            expect(line.is_tax_inclusive).toBe(proof.is_tax_inclusive)
            expect(prices[show]?.has(`${line.unit_price} ${line.is_tax_inclusive}`)).toBe(true)
          } else expect(line.unit_price).toBe(regular)
        }
      }

      it(`keeps every promise (${RUNS} histories)`, async () => {
        const history = fc.record({
          // A cart that is empty has little to tell.
          begins: fc.tuple(act, fc.array(step, { minLength: 3, maxLength: 13 })),
          empties: fc.boolean(),
        })
        await fc.assert(
          fc.asyncProperty(history, async ({ begins: [tap, steps], empties }) => {
            const world = await newWorld()
            met.histories += 1
            try {
              for (const now of [tap, ...steps]) {
                if (world.order) break
                await play(world, now)
              }
              if (world.order) await wasProven(world)
              else await finish(world, empties)
            } catch (error) {
              throw new Error(
                `${world.said.join("\n")}\n${error instanceof Error ? error.stack : error}`,
              )
            } finally {
              await sandbox.control("/faults", undefined, "DELETE")
            }
          }),
          { numRuns: RUNS, seed: jest.getSeed(), endOnFailure: true },
        )
        // A few histories need not come by everything.
        if (RUNS >= 100) {
          for (const [what, times] of Object.entries(met)) {
            expect([what, times > RUNS / 20]).toEqual([what, true])
          }
        }
      }, 3_600_000)
    })
  },
  { cardPayments: true },
)
