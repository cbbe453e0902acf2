/**
 * From the basket to the order: what a line of a show costs, what a payment's beginning holds, what is asked, and how a
 * storefront is told.
 */
import {
  createPaymentCollectionForCartWorkflow,
  createPaymentSessionsWorkflow,
  deleteCartCreditLinesWorkflow,
} from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import expireCampaignPrices from "../../src/jobs/expire-campaign-prices"
import { KEPT_DAYS, sweepOrdersNightly } from "../../src/workflows/orders"
import { cardPayments } from "../setup/card-provider"
import { createPercentOff } from "../setup/connected-market"
import { connectedShop } from "../setup/connected-shop"
import { takenCart } from "../setup/copied-cart"
import { giftCard } from "../setup/gift-card"
import { eventually, type Market, runShow, type Show, type Variant } from "../setup/market"
import { describeStore } from "../setup/medusa"
import { readWhole, recorded, statementsOf } from "../setup/read-whole"
import type { RunningSandbox } from "../setup/sandbox"
import {
  CARD,
  changeInShow,
  knownToStore,
  minutesPass,
  newShopper,
  proofsOf,
  ref,
  type Shopper,
} from "../setup/shopper"
import { stock } from "../setup/stock"
import { whileRefusing } from "../setup/while-refusing"
import { describePrices } from "./cart-payments/prices"

describeStore(
  (suite) => {
    const { api, getContainer } = suite
    const shop = connectedShop(suite, { delivers: ["denmark"] })
    const { knex } = shop
    beforeAll(() => {
      const { connectionId, admin } = shop.denmark
      return api.post(`/admin/svc/connections/${connectionId}/webhook`, {}, admin)
    })

    describe("paying for a show's lines", () => {
      let sandbox: RunningSandbox
      let denmark: Market
      let mug: Variant
      let basket: Awaited<ReturnType<typeof takenCart>>
      let paying: typeof basket

      beforeAll(async () => {
        ;({ sandbox, denmark, mug } = shop)
        await knex()("region_payment_provider").insert(
          (await regionIds()).map((region_id, index) => ({
            id: `regpp_card_${index}`,
            region_id,
            payment_provider_id: CARD,
          })),
        )
        const show = await runningShow()
        const taken = ({ cartId }: Shopper) =>
          takenCart(knex(), cartId, show.orderNo, show.campaignUid)
        basket = await taken(await filled(show))
        const anna = await filled(show)
        await anna.pay(CARD)
        paying = await taken(anna)
      })

      afterEach(() => jest.restoreAllMocks())

      describePrices(shop)

      const regionIds = (): Promise<string[]> => knex()("region").pluck("id")
      /** A show that sells the mug. */
      const runningShow = (price = 129) =>
        runShow(sandbox, denmark, [
          { variant: mug, price, extra: { variants: [{ external_id: mug.id, price }] } },
        ])
      const filled = async (show: Show) => {
        const anna = await shop.deliveredShopper()
        expect((await anna.add(show, mug, 1)).data.status).toBe("SUCCESS")
        return anna
      }
      const collectionsOf = (cartId: string) =>
        knex()("cart_payment_collection").where({ cart_id: cartId }).select("payment_collection_id")
      /** A running show, and a shopper whose cart is delivered and has a piece from it, for 129. */
      const withBasket = async (known?: Show) => {
        const show = known ?? (await runningShow())
        const { orderNo, campaignUid } = show
        const anna = await newShopper(api, denmark, {}, await basket(orderNo, campaignUid))
        return { show, anna }
      }
      /** The same with a payment by card that has begun. */
      const withPayment = async (known?: Show) => {
        const show = known ?? (await runningShow())
        const { orderNo, campaignUid } = show
        const anna = await newShopper(api, denmark, {}, await paying(orderNo, campaignUid))
        const { id: session, amount } = await knex()("payment_session")
          .whereIn("payment_collection_id", collectionsOf(anna.cartId))
          .first("id", "amount")
        cardPayments().set(session, {
          sessionId: session,
          amount: Number(amount),
          status: "open",
          captures: 0,
        })
        return { show, anna, session: session as string }
      }
      /** The show is over, and the store knows. */
      const end = async (show: Show) => {
        await sandbox.control(`/events/${show.eventId}`, { deadline: Date.now() - 1000 })
        await knownToStore(api, denmark, show, ({ deadline }) => deadline !== null)
      }
      const cancel = async (show: Show) => {
        await sandbox.control(`/events/${show.eventId}/cancel`, {})
        await knownToStore(api, denmark, show, ({ status }) => status === "cancelled")
      }
      /** What the lines of the order cost; else what was answered. */
      const orderedAt = async (anna: Shopper) => {
        const { data } = await anna.order()
        return data.type === "order" ? data.order.item_total : data
      }
      const paidOrderOf = (anna: Shopper) =>
        eventually(
          async () =>
            (
              await getContainer()
                .resolve(ContainerRegistrationKeys.QUERY)
                .graph({
                  entity: "order_cart",
                  fields: [
                    "order.*",
                    "order.total",
                    "order.items.*",
                    "order.payment_collections.payments.id",
                  ],
                  filters: { cart_id: anna.cartId },
                })
            ).data[0]?.order,
          // Core makes the order before it authorises its payment.
          (order) => order?.payment_collections?.[0]?.payments?.length > 0,
        )

      /** As a process leaves a basket that dies between the line and the totals. */
      const leaveOldTotals = ({ cartId }: Shopper) =>
        knex()("payment_collection")
          .whereIn("id", collectionsOf(cartId))
          .update({ amount: 1, raw_amount: JSON.stringify({ value: "1", precision: 20 }) })

      const takeOffGiftCard = async ({ cartId }: Shopper) => {
        const id = await knex()("credit_line").where({ cart_id: cartId }).pluck("id")
        await deleteCartCreditLinesWorkflow(getContainer()).run({ input: { id } })
      }

      /** A store's own checkout shows the basket as it is and begins its payment, past our guard. */
      const beginUnguarded = async ({ cartId }: Shopper, provider_id: string): Promise<string> => {
        const container = getContainer()
        const { result } = await createPaymentCollectionForCartWorkflow(container).run({
          input: { cart_id: cartId },
        })
        await createPaymentSessionsWorkflow(container).run({
          input: { payment_collection_id: result.id, provider_id },
        })
        return result.id
      }

      it("finds all that belongs to a basket by an index, from the tap to the order", async () => {
        const show = await runningShow()
        const statements = await statementsOf([knex()], async () => {
          const anna = await filled(show)
          await anna.pay(CARD)
          await cancel(show)
          await expireCampaignPrices(getContainer())
          await anna.order()
        })
        const ours = statements.filter(({ sql }) => sql.includes("hasOldDiscounts"))
        expect(ours.length).toBeGreaterThan(0)
        const tables = "cart_\\w+|credit_line|payment\\w*|order_\\w+|product_variant\\w*"
        expect(await readWhole(knex(), statements, tables)).toEqual([])
      })

      describe("the answer to an order that has to be asked about", () => {
        /** As the SDK says it before it has shown a change. */
        const ACKNOWLEDGES_NOTHING = { "x-svc-acknowledged-changes": "" }

        it("is core's own for a basket that was not ordered, and comes again until the storefront says that it was shown", async () => {
          const { show, anna } = await withBasket()
          await cancel(show)
          const { status, data } = await anna.order()
          expect(status).toBe(200)
          expect(data).toMatchObject({
            type: "cart",
            cart: { id: anna.cartId, items: [{ unit_price: 189 }] },
            error: {
              type: "conflict",
              name: "svc_price_changed",
              code: "svc_price_changed",
              message: expect.any(String),
              lines: [
                {
                  id: expect.any(String),
                  old_unit_price: 129,
                  new_unit_price: 189,
                  currency_code: "dkk",
                  reason: "campaign_ended",
                },
              ],
            },
          })
          // It was lost.
          const again = await anna.order()
          expect(again.data.error.lines).toEqual(data.error.lines)
          const ids = again.data.error.lines.map(({ id }: { id: string }) => id).join(", ")
          const acknowledged = { "x-svc-acknowledged-changes": ids }
          // Core's own answer: the payment has to be prepared for the new total.
          expect((await anna.order(acknowledged)).data.type).toBe("invalid_data")
          await anna.pay()
          expect((await anna.order()).data.type).toBe("order")
        })

        it("does not ask a shopper again who has begun to pay the new total", async () => {
          const { show, anna } = await withBasket()
          await anna.pay()
          await cancel(show)
          // The hold of the payment is over, and the minute's job has set the basket right.
          await minutesPass(getContainer(), anna.cartId, 16)
          await expireCampaignPrices(getContainer())
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])

          const asked = await anna.pay()
          expect([asked.status, asked.data.code]).toEqual([409, "svc_price_changed"])
          expect(asked.data.lines).toMatchObject([{ old_unit_price: 129, new_unit_price: 189 }])
          expect((await anna.pay()).status).toBe(200)
          expect(await orderedAt(anna)).toBe(189)
        })

        it("is asked for again where the browser left before the answer to a payment came", async () => {
          const { show, anna } = await withBasket()
          const { data } = await api.post(
            "/store/payment-collections",
            { cart_id: anna.cartId },
            denmark.store,
          )
          await changeInShow(sandbox, getContainer(), denmark, show, mug, {
            price: 149,
            variants: [{ external_id: mug.id, price: 149 }],
          })
          const slow = { on: "price", kind: "delay", delay_ms: 4_000 }
          await sandbox.control("/faults", { rules: [slow] })
          const path = `/store/payment-collections/${data.payment_collection.id}/payment-sessions`
          const browser = new AbortController()
          const leaving = api
            .post(
              path,
              { provider_id: "pp_system_default" },
              { ...denmark.store, signal: browser.signal, validateStatus: () => true },
            )
            .catch((error: { code: string }) => error.code)
          // The store has begun: it waits for the show's price.
          await sandbox.faultsStruck()
          browser.abort()
          expect(await leaving).toBe("ERR_CANCELED")
          await eventually(
            () => anna.cart(),
            ({ items }) => items[0]?.unit_price === 149,
          )
          await sandbox.endFaults()
          // The request ends, gives the basket's lock back, and its answer goes nowhere.
          await getContainer()
            .resolve(Modules.LOCKING)
            .execute(anna.cartId, async () => undefined, { timeout: 60 })

          const asked = await eventually(
            () => anna.pay(),
            (answer) => answer.data.code !== "cart_busy",
          )
          expect([asked.status, asked.data.code]).toEqual([409, "svc_price_changed"])
          expect(asked.data.lines).toMatchObject([{ old_unit_price: 129, new_unit_price: 149 }])
          const paid = await anna.pay()
          expect([paid.status, paid.data.code, paid.data.lines]).toEqual([
            200,
            undefined,
            undefined,
          ])
          expect(await orderedAt(anna)).toBe(149)
        })

        it("comes where only the player has read of the change, whether the storefront knows of acknowledgements or nothing of us", async () => {
          const show = await runningShow()
          const knowing = { ...(await withBasket(show)), headers: ACKNOWLEDGES_NOTHING }
          const unknowing = { ...(await withBasket(show)), headers: {} }
          await cancel(show)
          await expireCampaignPrices(getContainer())
          for (const { anna, headers } of [knowing, unknowing]) {
            // The player asks by itself, and an action answers it too: neither is the page that shows 129.
            expect((await anna.contents()).changes).toHaveLength(1)
            const acted = await anna.act("update-cart-contents", show, [
              { action: "change", ...ref(mug, 1) },
            ])
            expect(acted.data.changes).toHaveLength(1)
            const asked = await anna.pay(CARD, headers)
            expect([asked.status, asked.data.code]).toEqual([409, "svc_price_changed"])
            const ids = asked.data.lines.map(({ id }: { id: string }) => id).join(",")
            const shown = { "x-svc-acknowledged-changes": ids }
            expect((await anna.pay(CARD, shown)).status).toBe(200)
          }
        })

        it("is that the basket is busy, where the totals that a dead process left cannot be set right now", async () => {
          const { show, anna } = await withBasket()
          await api.post("/store/payment-collections", { cart_id: anna.cartId }, denmark.store)
          await cancel(show)
          await expireCampaignPrices(getContainer())
          await leaveOldTotals(anna)
          const locking = getContainer().resolve(Modules.LOCKING)
          await locking.acquire(anna.cartId, { expire: 60 })
          const busy = await anna.order()
          expect([busy.status, busy.data.code]).toEqual([409, "cart_busy"])
          await locking.release(anna.cartId)
          expect((await anna.order()).data.error?.code).toBe("svc_price_changed")
          const cart = await anna.cart()
          expect(cart.payment_collection?.amount).toBe(cart.total)
        })

        it("is none where nothing changed but the totals that a dead process left, which are set right before the payment", async () => {
          const { anna } = await withBasket()
          await api.post("/store/payment-collections", { cart_id: anna.cartId }, denmark.store)
          await leaveOldTotals(anna)
          await knex()("cart_line_item")
            .where({ cart_id: anna.cartId })
            .update({ updated_at: new Date() })
          const { data } = await anna.pay(CARD)
          const { total } = await anna.cart()
          expect(data.payment_collection).toMatchObject({
            amount: total,
            payment_sessions: [{ amount: total }],
          })
        })

        it("takes what the page shows where a dead process left old discounts, which the next tap sets right", async () => {
          await createPercentOff(getContainer(), "TENTH-OFF")
          const show = await runningShow()
          const leftBehind = async (was: "at its payment" | "looked at" = "looked at") => {
            const { anna } = await withBasket(show)
            await anna.add(show, mug, 1)
            await anna.promotions(["TENTH-OFF"])
            const { items, discount_total } = await anna.cart()
            expect(discount_total).toBe(25.8)
            if (was === "at its payment") await anna.pay(CARD)
            // As the process leaves it: the line is written, and nothing else.
            await getContainer()
              .resolve(Modules.CART)
              .updateLineItems(items[0]?.id ?? "", { quantity: 1 })
            const { total, discount_total: old } = await anna.cart()
            expect(old).toBe(25.8)
            return { anna, total }
          }
          const paying = await leftBehind()
          expect((await paying.anna.pay(CARD)).data.payment_collection).toMatchObject({
            amount: paying.total,
            payment_sessions: [{ amount: paying.total }],
          })
          const { anna } = await leftBehind()
          await anna.act("update-cart-contents", show, [{ action: "change", ...ref(mug, 1) }])
          expect((await anna.cart()).discount_total).toBe(12.9)

          // Its payment has an amount that has to be set right now, and the discounts with it: another total than the page's.
          for (const press of ["pay", "order"] as const) {
            const { anna: asked, total } = await leftBehind("at its payment")
            const { data } = press === "pay" ? await asked.pay(CARD) : await asked.order()
            expect(data.error ?? data).toMatchObject({
              code: "svc_price_changed",
              message:
                "The total of your basket may have changed. Please look at the basket and order again.",
              lines: [],
            })
            const now = await asked.cart()
            expect([now.discount_total, now.total < total]).toEqual([12.9, false])
            expect(now.payment_collection).toMatchObject({ amount: now.total })
            const again = await asked.pay(CARD)
            expect(again.data.payment_collection).toMatchObject({
              payment_sessions: [{ amount: now.total }],
            })
            if (press === "pay") continue
            asked.confirmCard(again.session, "authorized")
            expect((await asked.order()).data).toMatchObject({
              type: "order",
              order: { total: now.total },
            })
          }
        })

        it("leaves the taxes that the store had computed, where the totals are set right in a region without automatic ones", async () => {
          await knex()("region").where({ id: denmark.regionId }).update({ automatic_taxes: false })
          const { show, anna } = await withBasket()
          await api.post(`/store/carts/${anna.cartId}/taxes`, {}, denmark.store)
          await api.post("/store/payment-collections", { cart_id: anna.cartId }, denmark.store)
          const fields = "items.tax_lines.rate,shipping_methods.tax_lines.rate"
          const rates = async () => {
            const path = `/store/carts/${anna.cartId}?fields=${fields}`
            const { items, shipping_methods } = (await api.get(path, denmark.store)).data.cart
            return [...items, ...shipping_methods].map(({ tax_lines }) =>
              tax_lines.map(({ rate }: { rate: number }) => rate),
            )
          }
          expect(await rates()).toEqual([[25], [25]])
          await cancel(show)
          await expireCampaignPrices(getContainer())
          await leaveOldTotals(anna)
          expect((await anna.order()).data.error?.code).toBe("svc_price_changed")
          expect(await rates()).toEqual([[25], [25]])
          const cart = await anna.cart()
          expect(cart.payment_collection?.amount).toBe(cart.total)
        })

        it("is not needed to pay what the basket costs where core has written taxes or a gift card and left the payment's amount", async () => {
          await knex()("region").where({ id: denmark.regionId }).update({ automatic_taxes: false })
          const vat = { rate: 25, included: false }
          const anna = await filled(
            await runShow(sandbox, denmark, [{ variant: mug, price: 129, extra: { vat } }]),
          )
          const paidFor = async () =>
            (await anna.pay(CARD)).data.payment_collection.payment_sessions.map(
              ({ amount }: { amount: number }) => amount,
            )
          const { total: untaxed } = await anna.cart()
          expect(await paidFor()).toEqual([untaxed])
          await api.post(`/store/carts/${anna.cartId}/taxes`, {}, denmark.store)
          const { total: taxed } = await anna.cart()
          expect(taxed).toBeGreaterThan(untaxed)
          expect(await paidFor()).toEqual([taxed])
          await giftCard(getContainer(), anna.cartId, 50)
          expect((await anna.cart()).total).toBe(taxed - 50)
          expect(await paidFor()).toEqual([taxed - 50])
          await takeOffGiftCard(anna)
          expect((await anna.cart()).total).toBe(taxed)
          expect(await paidFor()).toEqual([taxed])
        })

        const ASKED_AGAIN = { code: "svc_price_changed", lines: [] }

        it("is that the payment was ended, where its show is over and the price is the catalog's", async () => {
          const show = await runningShow(189)
          const anna = await filled(show)
          await anna.pay()
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 16)
          expect((await anna.order()).data.error).toMatchObject(ASKED_AGAIN)
          await anna.pay()
          expect(await orderedAt(anna)).toBe(189)
        })

        it("comes before a payment where only a discount went, because the show is over", async () => {
          await createPercentOff(getContainer(), "GONE-SOON")
          const show = await runningShow(189)
          const anna = await filled(show)
          await anna.promotions(["GONE-SOON"])
          const { total } = await anna.cart()
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 31)
          await knex()("promotion").where({ code: "GONE-SOON" }).update({ status: "inactive" })
          expect((await anna.cart()).total).toBe(total)
          const asked = await anna.pay()
          expect([asked.status, asked.data]).toMatchObject([409, ASKED_AGAIN])
          const now = await anna.cart()
          expect(now.total).toBeGreaterThan(total)
          expect((await anna.pay()).data.payment_collection).toMatchObject({
            payment_sessions: [{ amount: now.total }],
          })
        })

        it("comes where a payment was begun for another amount than the basket's, as another tab or a dead process leaves it", async () => {
          const { anna } = await withBasket()
          const { data } = await anna.pay()
          const [line] = (await anna.cart()).items
          await getContainer()
            .resolve(Modules.CART)
            .updateLineItems(line?.id ?? "", { quantity: 2 })
          const { total } = await anna.cart()
          await getContainer()
            .resolve(Modules.PAYMENT)
            .updatePaymentCollections(data.payment_collection.id, { amount: total })
          expect((await anna.order()).data.error).toMatchObject(ASKED_AGAIN)
          const paid = await anna.pay()
          expect(paid.data.payment_collection).toMatchObject({
            payment_sessions: [{ amount: total }],
          })
          expect((await anna.order()).data).toMatchObject({ type: "order", order: { total } })
        })

        it("comes where a payment was begun in another currency than the basket's, for the same number", async () => {
          const { anna } = await withBasket()
          const { session } = await anna.pay()
          await knex()("payment_session").where({ id: session }).update({ currency_code: "eur" })
          expect((await anna.order()).data.error).toMatchObject(ASKED_AGAIN)
          await anna.pay()
          expect((await anna.order()).data).toMatchObject({ type: "order" })
        })

        it("ends for a basket that costs nothing, where no payment is ever begun", async () => {
          const { show, anna } = await withBasket()
          await giftCard(getContainer(), anna.cartId, 10_000)
          await cancel(show)
          expect((await anna.order()).data.error.code).toBe("svc_price_changed")
          expect((await anna.order()).data).toMatchObject({ type: "order" })
        })
      })

      describe("a payment that has begun (gap 45a)", () => {
        it("holds its prices past the deadline, and is ended when its window is over, so that nobody can pay the old price", async () => {
          const { show, anna, session } = await withPayment()
          const { anna: other } = await withBasket(show)
          await other.pay()
          await end(show)
          // The minute's job leaves them alone, and so does the guard of the order.
          await minutesPass(getContainer(), anna.cartId, 10)
          await minutesPass(getContainer(), other.cartId, 10)
          await expireCampaignPrices(getContainer())
          expect(await orderedAt(other)).toBe(129)
          expect(cardPayments().get(session)?.status).toBe("open")
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 129 }])

          await minutesPass(getContainer(), anna.cartId, 6)
          await expireCampaignPrices(getContainer())
          expect(cardPayments().get(session)?.status).toBe("canceled")
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
        })
      })

      describe("a payment that was made is the shopper's yes", () => {
        /** The shopper confirms a card for 129; then the show ends, and the payment's time does. */
        const authorised = async (how: "authorized" | "captured" = "authorized") => {
          const { show, anna, session } = await withPayment()
          const payment = anna.confirmCard(session, how)
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 40)
          return { show, anna, session, payment }
        }

        const isPaidAs129 = async (anna: Shopper, session: string) => {
          const order = await paidOrderOf(anna)
          expect(
            order.items.map((item: { unit_price: unknown }) => Number(item.unit_price)),
          ).toEqual([129])
          expect(cardPayments().get(session)?.status).not.toBe("canceled")
        }

        it("is not cancelled by another payment, which is refused, nor by the minute's job, however often it comes", async () => {
          const { anna, session, payment } = await authorised()
          // The order is what is missing.
          const another = await anna.pay(CARD)
          expect([another.status, another.data.code]).toEqual([409, "payment_under_way"])
          expect(payment.status).toBe("authorized")
          for (let minute = 0; minute < 3; minute++) await expireCampaignPrices(getContainer())
          expect(payment.status).toBe("authorized")
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 129 }])
          expect(await orderedAt(anna)).toBe(129)
          await isPaidAs129(anna, session)
        })

        it("is honoured where only what the show's price strikes through is another by then, and shipping too", async () => {
          const { anna, session } = await withPayment()
          const payment = anna.confirmCard(session, "authorized")
          await minutesPass(getContainer(), anna.cartId, 40)
          await knex()("price").update({
            amount: knex().raw("amount + 10"),
            raw_amount: knex().raw(
              "jsonb_set(raw_amount, '{value}', to_jsonb((amount + 10)::text))",
            ),
          })
          await expireCampaignPrices(getContainer())
          expect(await orderedAt(anna)).toBe(129)
          expect(payment.status).toBe("authorized")
        })

        it("stays with its order where the answer was lost and the shopper presses again, and where a merchant cancels it later", async () => {
          const { anna, session } = await withPayment()
          const payment = anna.confirmCard(session, "authorized")
          const { data } = await anna.order()
          const another = await anna.pay(CARD)
          expect([another.status, another.data.code]).toEqual([409, "cart_completed"])
          expect(another.data.message).toContain("neither changed nor charged again")
          expect(payment.status).toBe("authorized")
          expect((await anna.order()).data.order?.id).toBe(data.order.id)

          await api.post(`/admin/orders/${data.order.id}/cancel`, {}, denmark.admin)
          expect((await anna.pay(CARD)).data.code).toBe("cart_completed")
          const again = await anna.order()
          expect([again.status, again.data.order?.id]).toEqual([200, data.order.id])
          expect(
            await knex()("payment_session").where({ id: session, deleted_at: null }),
          ).toHaveLength(1)
        })

        it("is not begun a second time where the money was taken, though nothing has changed", async () => {
          const { anna, session } = await withPayment()
          const payment = anna.confirmCard(session, "captured")
          const another = await anna.pay(CARD)
          expect([another.status, another.data.code]).toEqual([409, "payment_under_way"])
          expect(await orderedAt(anna)).toBe(129)
          expect(payment.captures).toBe(1)
        })

        it("gives way to another way of paying while the show goes on, where nothing was captured", async () => {
          const { anna, session } = await withPayment()
          const payment = anna.confirmCard(session, "authorized")
          expect((await anna.pay()).status).toBe(200)
          expect(payment.status).toBe("canceled")
          expect((await anna.order()).data.type).toBe("order")
        })

        it("is not cancelled by what the player does while the show goes on", async () => {
          const { show, anna, session } = await withPayment()
          const payment = anna.confirmCard(session, "authorized")
          for (const action of ["add", "change", "remove"]) {
            const { status, data } = await anna.act("update-cart-contents", show, [
              { action, ...ref(mug, 2) },
            ])
            expect([action, status, data.code]).toEqual([action, 409, "payment_under_way"])
            expect(payment.status).toBe("authorized")
          }
          expect((await anna.order()).data.type).toBe("order")
          await isPaidAs129(anna, session)
        })

        it.each([
          ["once, for a payment that was captured", "captured", 1],
          ["twice, for one that was authorised", "authorized", 2],
        ] as const)(
          "is not cancelled where the card company's webhook comes late: %s",
          async (_often, how, often) => {
            const { anna, session, payment } = await authorised(how)
            await expireCampaignPrices(getContainer())
            for (let times = 0; times < often; times++) {
              expect((await anna.sendCardWebhook(session)).status).toBe(200)
            }
            await isPaidAs129(anna, session)
            expect(payment.captures).toBe(how === "captured" ? 1 : 0)
          },
        )

        it("is asked of its provider once in the time of a hold, where no time is held", async () => {
          Object.assign(getContainer().resolve("svc").options, { paymentHoldMinutes: 0 })
          const payments = getContainer().resolve(Modules.PAYMENT)
          const asked = jest.spyOn(
            Reflect.get(payments, "paymentProviderService_") as {
              getStatus: (id: string, input: object) => Promise<unknown>
            },
            "getStatus",
          )
          const { show, anna } = await withBasket()
          const { session } = await anna.pay(CARD)
          const held = knex()("svc_line_price").where({ cart_id: anna.cartId }).pluck("held_until")
          expect(await held).toEqual([null])
          anna.confirmCard(session, "captured")
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 40)
          asked.mockClear()
          for (let minute = 0; minute < 3; minute++) await expireCampaignPrices(getContainer())
          expect(asked).toHaveBeenCalledTimes(1)
        })

        /** What health says of payments that no order came of. */
        const paidWithoutOrder = async () => {
          const { data } = await api.get("/admin/svc/health", denmark.admin)
          return data.health.problems.find(
            ({ code }: { code: string }) => code === "paid_without_order",
          )
        }

        it("is told to people where no order has come of it for a day, and only then", async () => {
          const { anna, session } = await authorised()
          const { anna: onlyBegun } = await withPayment()
          await expireCampaignPrices(getContainer())
          await minutesPass(getContainer(), anna.cartId, 23 * 60)
          await expireCampaignPrices(getContainer())
          expect(await paidWithoutOrder()).toBeUndefined()
          for (const { cartId } of [anna, onlyBegun]) {
            await minutesPass(getContainer(), cartId, 25 * 60)
          }
          await expireCampaignPrices(getContainer())
          expect(await paidWithoutOrder()).toMatchObject({
            severity: "warning",
            params: { count: 1, payments: session },
          })
          expect((await anna.order()).data.type).toBe("order")
          expect(await paidWithoutOrder()).toBeUndefined()
        })

        it("is told to people a day after it was made, though the shopper has come back since", async () => {
          const { show, anna, session } = await withPayment()
          anna.confirmCard(session, "authorized")
          await getContainer().resolve(Modules.PAYMENT).authorizePaymentSession(session, {})
          await minutesPass(getContainer(), anna.cartId, 23 * 60)
          expect(await paidWithoutOrder()).toBeUndefined()
          await minutesPass(getContainer(), anna.cartId, 2 * 60)
          // The same pieces once more: the show's price is proven anew, and stands for half an hour.
          const [line] = (await anna.cart()).items
          const again = { action: "change", ...ref(mug, line?.quantity ?? 0) }
          expect((await anna.act("update-cart-contents", show, [again])).data.status).toBe(
            "SUCCESS",
          )
          expect(await paidWithoutOrder()).toMatchObject({
            params: { count: 1, payments: session },
          })
        })

        it("is none to what the minute's job changed after it was begun", async () => {
          const [show, other] = [await runningShow(), await runningShow()]
          const { anna } = await withBasket(show)
          await end(show)
          await expireCampaignPrices(getContainer())
          // The shopper has not been told of that yet, and takes the product from another show.
          await anna.add(other, mug, 1)
          const payment_collection_id = await beginUnguarded(anna, CARD)
          // It fails.
          await knex()("payment_session")
            .where({ payment_collection_id })
            .update({ status: "error" })
          await end(other)
          await expireCampaignPrices(getContainer())
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
          expect((await anna.order()).data).toMatchObject({
            type: "cart",
            error: {
              code: "svc_price_changed",
              lines: [{ old_unit_price: 129, new_unit_price: 189 }],
            },
          })
        })

        it("can be made at no price that is over where the card was declined once", async () => {
          const { show, anna, session } = await withPayment()
          // What the page has of it takes another card.
          await knex()("payment_session").where({ id: session }).update({ status: "error" })
          await changeInShow(sandbox, getContainer(), denmark, show, mug, {
            price: 149,
            variants: [{ external_id: mug.id, price: 149 }],
          })
          await minutesPass(getContainer(), anna.cartId, 40)
          await expireCampaignPrices(getContainer())
          expect(cardPayments().get(session)?.status).toBe("canceled")
          expect((await anna.cart()).items).toMatchObject([{ unit_price: 149 }])
        })

        it.each([
          "the show goes on, and the company cannot be reached by then",
          "the show is over",
        ])("is none where core cancelled it, because the order failed: %s", async (what) => {
          const { show, anna, session } = await withPayment()
          const card = anna.confirmCard(session, "authorized")
          // As core leaves it where a step after the authorisation fails.
          const payments = getContainer().resolve(Modules.PAYMENT)
          const payment = await payments.authorizePaymentSession(session, {})
          if (!payment) throw new Error("Nothing was authorised.")
          await payments.cancelPayment(payment.id)
          expect(card.status).toBe("canceled")
          if (what === "the show is over") {
            await end(show)
            await minutesPass(getContainer(), anna.cartId, 40)
            await expireCampaignPrices(getContainer())
            expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
          } else {
            card.isUnreachable = true
          }
          for (let tries = 0; tries < 2; tries++) {
            expect((await anna.order()).data.type).not.toBe("order")
          }
          const { session: another } = await anna.pay(CARD)
          anna.confirmCard(another, "captured")
          const { data } = await anna.order()
          const total = what === "the show is over" ? 189 : 129
          expect(data).toMatchObject({ type: "order", order: { item_total: total } })
          expect(cardPayments().get(another)?.amount).toBe(data.order.total)
        })

        it("is none where core paid back what was captured, because the order failed, and the provider cancels nothing of it", async () => {
          const show = await runningShow()
          const paidBack = async () => {
            const { anna, session } = await withPayment(show)
            anna.confirmCard(session, "captured")
            const payments = getContainer().resolve(Modules.PAYMENT)
            const payment = await payments.authorizePaymentSession(session, {})
            await payments.refundPayment({ payment_id: payment?.id ?? "" })
            return anna
          }
          const paysAnew = async (anna: Shopper) => {
            const { data, session } = await anna.pay(CARD)
            const { total: amount } = await anna.cart()
            expect(data.payment_collection.payment_sessions).toMatchObject([
              { id: session, amount },
            ])
            anna.confirmCard(session, "captured")
            return session
          }
          const pressing = await paidBack()
          expect((await pressing.order()).data.type).not.toBe("order")
          await paysAnew(pressing)
          const adding = await paidBack()
          expect((await adding.add(show, mug, 1)).data.status).toBe("SUCCESS")
          await paysAnew(adding)
          const anna = await paidBack()
          const session = await paysAnew(anna)
          const { data } = await anna.order()
          expect(data.type).toBe("order")
          expect(cardPayments().get(session)?.amount).toBe(data.order?.total)
        })

        it("stands while core pays it back, however long that takes, and the card company may refuse", async () => {
          const { show, anna, session } = await withPayment()
          const card = anna.confirmCard(session, "captured")
          const payments = getContainer().resolve(Modules.PAYMENT)
          const payment = await payments.authorizePaymentSession(session, {})
          const payment_id = payment?.id ?? ""
          let refuse: () => void = () => undefined
          card.paysBackAfter = new Promise((_, reject) => {
            refuse = () => reject(new Error("There is too little to pay it back from."))
          })
          // Core has lost the lock of the basket by then, which lasts two minutes.
          const refused = expect(payments.refundPayment({ payment_id })).rejects.toThrow(
            "too little",
          )
          await eventually(
            () => knex()("refund").where({ payment_id }),
            ({ length }) => length > 0,
          )
          for (const asks of [
            () => anna.order(),
            () => anna.add(show, mug, 1),
            () => anna.pay(CARD),
          ]) {
            expect((await asks()).data).toMatchObject({ code: "cart_busy" })
          }
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 40)
          await expireCampaignPrices(getContainer())
          refuse()
          await refused
          const { data } = await anna.order()
          expect(data.type).toBe("order")
          expect(cardPayments().get(session)?.amount).toBe(data.order?.total)
        })

        it("counts where core has cancelled what the card company had taken and did not pay back", async () => {
          const { anna, session } = await withPayment()
          anna.confirmCard(session, "captured")
          const payments = getContainer().resolve(Modules.PAYMENT)
          const payment = await payments.authorizePaymentSession(session, {})
          expect(payment?.captured_at).toBeTruthy()
          await knex()("payment").where({ id: payment?.id }).update({ canceled_at: new Date() })
          const { data } = await anna.order()
          expect(data.type).toBe("order")
          expect(cardPayments().get(session)?.amount).toBe(data.order?.total)
        })

        it.each(["isUnreachable", "isSilent"] as const)(
          "is not to be had from a card company that cannot be reached, nor from one that never answers: %s",
          async (trouble) => {
            const { show, anna, session } = await withPayment()
            await end(show)
            await minutesPass(getContainer(), anna.cartId, 16)
            // As a company that authorises whatever the store asks for, once it can be reached again.
            const payment = anna.confirmCard(session, "authorized")
            payment[trouble] = true
            // Both wait for the company's answer at the same time.
            const [asked] = await Promise.all([anna.order(), expireCampaignPrices(getContainer())])
            expect([asked.status, asked.data.code]).toEqual([409, "cart_busy"])
            payment[trouble] = false
            payment.status = "open"
            expect((await anna.order()).data.error?.lines).toMatchObject([{ new_unit_price: 189 }])
            expect(payment.status).toBe("canceled")
          },
        )

        it("is over where its page has expired, and the company cancels it no second time: the show is over, whoever comes first", async () => {
          const show = await runningShow()
          const withExpiredPage = async () => {
            const { anna, session } = await withPayment(show)
            anna.pageExpires(session)
            return anna
          }
          const [ordering, paying] = [await withExpiredPage(), await withExpiredPage()]
          const [changing, idle] = [await withExpiredPage(), await withExpiredPage()]
          await end(show)
          for (const { cartId } of [ordering, paying, changing, idle]) {
            await minutesPass(getContainer(), cartId, 16)
          }
          await ordering.order()
          await paying.pay(CARD)
          await changing.add(show, mug, 1)
          for (const anna of [ordering, paying, changing]) {
            expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
          }
          expect((await idle.cart()).items).toMatchObject([{ unit_price: 129 }])
          await expireCampaignPrices(getContainer())
          expect((await idle.cart()).items).toMatchObject([{ unit_price: 189 }])
          for (const anna of [changing, idle]) {
            // Says what changed, where that was not said yet.
            await anna.pay(CARD)
            const { data, session } = await anna.pay(CARD)
            const { total: amount } = await anna.cart()
            expect(data.payment_collection.payment_sessions).toMatchObject([
              { id: session, amount },
            ])
          }
          const { session } = await ordering.pay(CARD)
          ordering.confirmCard(session, "captured")
          expect(await orderedAt(ordering)).toBe(189)
        })

        it("is over where its page has expired, and gives way to another while the show goes on", async () => {
          const { anna, session } = await withPayment()
          anna.pageExpires(session)
          const { session: another } = await anna.pay(CARD)
          anna.confirmCard(another, "captured")
          expect(await orderedAt(anna)).toBe(129)
        })

        it("is over where its page expires in the very moment in which it is cancelled", async () => {
          const { show, anna, session } = await withPayment()
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 16)
          const payments = getContainer().resolve(Modules.PAYMENT)
          const remove = payments.deletePaymentSession.bind(payments)
          jest.spyOn(payments, "deletePaymentSession").mockImplementationOnce(async (id) => {
            anna.pageExpires(session)
            return remove(id)
          })
          expect((await anna.order()).data.error?.lines).toMatchObject([{ new_unit_price: 189 }])
        })

        it("is ended where somebody else has just ended it", async () => {
          const { show, anna } = await withPayment()
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 16)
          const payments = getContainer().resolve(Modules.PAYMENT)
          const remove = payments.deletePaymentSession.bind(payments)
          const spied = jest
            .spyOn(payments, "deletePaymentSession")
            .mockImplementation(async (id) => {
              spied.mockRestore()
              await remove(id)
              return remove(id)
            })
          expect((await anna.order()).data.error?.lines).toMatchObject([{ new_unit_price: 189 }])
        })

        it("is not stuck where the order failed after the money was taken", async () => {
          const { show, anna, session } = await withPayment()
          anna.confirmCard(session, "captured")
          // Everything is sold while the card is confirmed: the order fails, the payment stands.
          const putBack = await stock(knex(), 0)
          expect((await anna.order()).data.type).not.toBe("order")
          await putBack()
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 40)
          // Core may still be taking the first order back, or have left the cart's lock to its two minutes.
          await eventually(
            async () => (await anna.order()).data,
            ({ type, error }) => type === "order" || error?.code === "svc_price_changed",
            240_000,
          )
        })

        it("does not pass for another total", async () => {
          const { show, anna, session } = await withPayment()
          anna.confirmCard(session, "failed")
          await end(show)
          await minutesPass(getContainer(), anna.cartId, 40)
          expect((await anna.order()).data.error?.lines).toMatchObject([{ new_unit_price: 189 }])
        })
      })

      describe("what it costs a basket without a show", () => {
        const statements = async (work: () => Promise<unknown>): Promise<string[]> => {
          const seen = (await recorded([knex()], work)).map(({ sql }) => sql)
          // Attribution, the catalog's marks and whether there is a proof to close (`is_open`) come after the answer.
          return seen.filter(
            (sql) =>
              /svc_line_price|svc_price_change/.test(sql) &&
              !/is_open|order_line_item|svc_cart_order_number/.test(sql),
          )
        }

        it("is one short statement for the order, and one for the beginning of its payment", async () => {
          const anna = await shop.deliveredShopper()
          await anna.addAtCatalogPrice(mug)
          const collection = await api.post(
            "/store/payment-collections",
            { cart_id: anna.cartId },
            denmark.store,
          )
          const begun = await statements(() =>
            api.post(
              `/store/payment-collections/${collection.data.payment_collection.id}/payment-sessions`,
              { provider_id: "pp_system_default" },
              denmark.store,
            ),
          )
          expect(begun).toHaveLength(1)
          const ordered = await statements(async () => {
            expect((await anna.order()).data.type).toBe("order")
          })
          expect(ordered).toHaveLength(1)
        })
      })

      it("puts every basket of a show back, in as many runs of the minute's job as it takes", async () => {
        const { show, anna } = await withBasket()
        // More than the job reads at a time.
        await copyBasket(anna.cartId, 21)
        await cancel(show)
        const left = () =>
          knex()("cart_line_item").where({ unit_price: 129 }).whereNull("deleted_at")
        for (let minute = 0; minute < 4 && (await left()).length > 0; minute++) {
          await expireCampaignPrices(getContainer())
        }
        expect(await left()).toEqual([])
      })

      it("comes to what could still be paid before it comes to the baskets of a show that is over", async () => {
        const [over, running] = [await runningShow(), await runningShow()]
        const { anna: idle } = await withBasket(over)
        // Before the other in the order of the ids.
        await copyBasket(idle.cartId, 3, "cart_00_over")
        const { anna } = await withBasket(running)
        await anna.pay()
        await minutesPass(getContainer(), anna.cartId, 31)
        await cancel(over)
        const locks = jest.spyOn(getContainer().resolve(Modules.LOCKING), "acquire")
        await expireCampaignPrices(getContainer())
        const carts = locks.mock.calls.map(([keys]) => keys)
        expect(carts).toContain(anna.cartId)
        expect(carts.indexOf(anna.cartId)).toBeLessThan(carts.indexOf("cart_00_over_0"))
      })

      it("proves what is paid behind any number of baskets that fail", async () => {
        // As many as the job reads at a time, and before the others in its order.
        const FAILING = 20
        const { anna } = await withBasket()
        await anna.pay()
        await minutesPass(getContainer(), anna.cartId, 31)
        await copyBasket(anna.cartId, FAILING, "cart_00_poison")
        const all = [
          anna.cartId,
          ...Array.from({ length: FAILING }, (_, n) => `cart_00_poison_${n}`),
        ]
        const [payment] = await knex()("cart_payment_collection").where({ cart_id: anna.cartId })
        await knex()("cart_payment_collection").insert(
          all.slice(1).map((cart_id) => ({ ...payment, id: `paycol_${cart_id}`, cart_id })),
        )
        const proven = () =>
          knex()("svc_line_price")
            .whereIn("cart_id", all)
            .where("expires_at", ">", new Date())
            .pluck("cart_id")
        const poison = "NEW.cart_id LIKE 'cart_00_poison%'"
        const minutes = async () => {
          // A busy machine need not come to it in the first.
          for (let minute = 0; minute < 4 && (await proven()).length === 0; minute++) {
            await expireCampaignPrices(getContainer())
          }
        }
        await whileRefusing(knex(), "UPDATE ON svc_line_price", "a poison basket", minutes, poison)
        expect(await proven()).toEqual([anna.cartId])
      })

      it("asks for no old amount where a payment is prepared while the job puts the basket back", async () => {
        const show = await runningShow()
        const anna = await shop.shopper()
        await anna.add(show, mug, 1)
        // Nothing else hangs on the basket's total.
        await knex()("promotion").update({ is_automatic: false })
        await cancel(show)
        const locking = getContainer().resolve(Modules.LOCKING)
        const acquire = locking.acquire.bind(locking)
        const spied = jest.spyOn(locking, "acquire").mockImplementation(async (keys, options) => {
          // Between the job's look at the basket and its lock.
          if (keys === anna.cartId) {
            spied.mockRestore()
            await api.post("/store/payment-collections", { cart_id: anna.cartId }, denmark.store)
          }
          return acquire(keys, options)
        })
        await expireCampaignPrices(getContainer())
        const cart = await anna.cart()
        expect([cart.items[0]?.unit_price, cart.total]).toEqual([189, 189])
        expect(cart.payment_collection?.amount).toBe(189)
      })

      it.each(["DELETE", "quantity 0"])(
        "leaves a basket alone whose line of the show was removed in the shop: by %s",
        async (how) => {
          const { show, anna } = await withBasket()
          const [line] = (await anna.cart()).items
          if (how === "DELETE") await anna.removeLine(line?.id ?? "")
          else await anna.setLine(line?.id ?? "", { quantity: 0 })
          await expireCampaignPrices(getContainer())
          const proof = () =>
            knex()("svc_line_price").where({ cart_id: anna.cartId }).first("is_open")
          expect(await proof()).toEqual({ is_open: false })
          await cancel(show)
          const locking = getContainer().resolve(Modules.LOCKING)
          const locked = jest.spyOn(locking, "acquire")
          const read = jest.spyOn(getContainer().resolve("svc").cart.situations, "read")
          await expireCampaignPrices(getContainer())
          expect(locked.mock.calls.filter(([key]) => key === anna.cartId)).toEqual([])
          expect(read.mock.calls.filter(([{ cartId }]) => cartId === anna.cartId)).toEqual([])
        },
      )

      it("waits for nobody who is writing the record of a line that is gone", async () => {
        const { anna } = await withBasket()
        const [line] = (await anna.cart()).items
        await anna.removeLine(line?.id ?? "")
        const proof = () => knex()("svc_line_price").where({ cart_id: anna.cartId })
        await knex().transaction(async (other) => {
          await other("svc_line_price").where({ cart_id: anna.cartId }).forUpdate().select("id")
          await expireCampaignPrices(getContainer())
          expect(await proof().first("is_open")).toEqual({ is_open: true })
        })
        await expireCampaignPrices(getContainer())
        expect(await proof().first("is_open")).toEqual({ is_open: false })
      })

      it("gives back no lock but its own, however long it took", async () => {
        const { show, anna } = await withBasket()
        await cancel(show)
        const locking = getContainer().resolve(Modules.LOCKING)
        const acquire = locking.acquire.bind(locking)
        // Ours has run out by the time that we give it back, and the shopper's own request holds the lock.
        const spied = jest.spyOn(locking, "acquire").mockImplementation(async (keys, options) => {
          if (keys !== anna.cartId) return acquire(keys, options)
          spied.mockRestore()
          await acquire(keys, { ...options, expire: 0.001 })
          await new Promise((resolve) => setTimeout(resolve, 10))
          return acquire(keys, { ownerId: "the shopper", expire: 60 })
        })
        await expireCampaignPrices(getContainer())
        await expect(acquire(anna.cartId, { ownerId: "somebody" })).rejects.toThrow()
        await locking.release(anna.cartId, { ownerId: "the shopper" })
      })

      it("sees the end of a show in a basket whose order failed", async () => {
        const { show, anna } = await withPayment()
        // Core marks the basket as ordered, and takes that back where the payment fails. Meanwhile the job looks.
        const { paymentHoldMs } = getContainer().resolve("svc").cart.pricePolicy()
        await knex()("cart").where({ id: anna.cartId }).update({ completed_at: new Date() })
        await cancel(show)
        await minutesPass(getContainer(), anna.cartId, paymentHoldMs / 60_000 + 1)
        await expireCampaignPrices(getContainer())
        await knex()("cart").where({ id: anna.cartId }).update({ completed_at: null })
        await expireCampaignPrices(getContainer())
        expect((await anna.cart()).items).toMatchObject([{ unit_price: 189 }])
      })

      it("leaves no line at a show's price where the basket's records are forgotten", async () => {
        const { anna } = await withBasket()
        const [line] = (await anna.cart()).items
        // Core's own route takes the mark from the line: only our record knows now what it is.
        await anna.setLine(line?.id ?? "", { quantity: 5, metadata: { svc_campaign_uid: "" } })
        const later = new Date(Date.now() + (KEPT_DAYS.carts + 1) * 86_400_000)
        await sweepOrdersNightly(getContainer(), later)
        await expireCampaignPrices(getContainer())
        await sweepOrdersNightly(getContainer(), later)
        expect(await proofsOf(getContainer(), anna.cartId)).toEqual([])
        expect((await anna.cart()).items).toMatchObject([{ quantity: 5, unit_price: 189 }])
        await anna.pay()
        expect((await anna.order()).data).toMatchObject({
          type: "order",
          order: { items: [{ unit_price: 189 }] },
        })
      })

      /** As many baskets like this one, with their proofs. */
      const copyBasket = async (cartId: string, count: number, name = "cart_copy") => {
        const copy = async (
          table: string,
          column: string,
          changes: (row: Record<string, unknown>, n: number) => Record<string, unknown>,
        ) => {
          const rows = await knex()(table).where({ [column]: cartId })
          for (const row of rows) {
            const copies = Array.from({ length: count }, (_, n) => {
              const copied = { ...row, ...changes(row, n) }
              return Object.fromEntries(
                Object.entries(copied).map(([name, value]) => [
                  name,
                  typeof value === "object" && value !== null && !(value instanceof Date)
                    ? JSON.stringify(value)
                    : value,
                ]),
              )
            })
            for (let at = 0; at < count; at += 100)
              await knex()(table).insert(copies.slice(at, at + 100))
          }
        }
        await copy("cart", "id", (_row, n) => ({
          id: `${name}_${n}`,
          shipping_address_id: null,
          billing_address_id: null,
        }))
        await copy("cart_line_item", "cart_id", (row, n) => ({
          id: `${row.id}_${n}`,
          cart_id: `${name}_${n}`,
        }))
        await copy("svc_line_price", "cart_id", (row, n) => ({
          id: `${row.id}_${n}`,
          cart_id: `${name}_${n}`,
          line_item_id: `${row.line_item_id}_${n}`,
        }))
      }
    })
  },
  { cardPayments: true },
)
