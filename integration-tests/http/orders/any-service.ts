/** Whatever the service is like where the interface is silent: an evening comes to the same. */
import fc from "fast-check"
import {
  type ProfileName,
  type ProfileSettings,
  Profiles,
  type ProfileValue,
  type ProfileView,
} from "../../../sandbox/simulation/profiles"
import { eventually, newOrderNo, placeOrder, runShow } from "../../setup/market"
import type { OrdersShop } from "./shop"

/** Evenings of this run; `SERVICES=50` for as many as the weekly run. */
const SERVICES = Number(process.env.SERVICES ?? 2)

/** Under these nothing is sold, or not by one tap: they have tests of their own. */
const NOT_DRAWN: { [Name in ProfileName]?: ProfileValue<Name>[] } = {
  timestamps: ["clock"],
  ties: ["same_ms"],
  event_campaign: ["missing"],
  key_encoding: ["base64"],
  occurred_at: ["future"],
  rotation: ["answer_lost"],
  price_answer: ["ambiguous", "two_currencies", "two_bases"],
  process_orders: ["conflict_first"],
}
const AMOUNTS: { [Name in ProfileName]?: number[] } = {
  listing_age: [0, 5],
  listing_cap: [0, 2],
  batch_limit: [0, 4],
  rate_limit: [0, 3],
}
/** All else that the sandbox can be. */
const valuesOf = ({ name, values }: ProfileView): unknown[] =>
  values === "number"
    ? (AMOUNTS[name] ?? [])
    : values.filter((value) => !NOT_DRAWN[name]?.some((one) => one === value))
const service = fc.record(
  Object.fromEntries(
    new Profiles().list().map((profile) => [profile.name, fc.constantFrom(...valuesOf(profile))]),
  ),
) as fc.Arbitrary<Partial<ProfileSettings>>

/** That we wait for as long as it asks, and that its lists are not whole. */
const SAID_OF_IT = ["svc_rate_limited", "listing_incomplete"]

export function describeAnyService(shop: OrdersShop): void {
  const { api } = shop
  describe("a service of any kind", () => {
    it(`sells at the price of its show, and is told of the order (${SERVICES} services)`, async () => {
      const { denmark, mug, sandbox } = shop
      const { admin, connectionId } = denmark
      const connection = `/admin/svc/connections/${connectionId}`
      const sync = async () => (await api.get(`${connection}/sync`, admin)).data.sync
      const sent = async () =>
        (await sandbox.client.products.get(mug.product_id, { page_uid: denmark.pageUid })).product
      const rename = (title: string) =>
        api.post(`/admin/products/${mug.product_id}`, { title }, admin)
      let evenings = 0

      await fc.assert(
        fc.asyncProperty(service, async (profiles) => {
          evenings += 1
          await sandbox.client.profiles.reset()
          await sandbox.client.products.clear()
          await sandbox.client.profiles.set(profiles)
          await api.post(`${connection}/webhook`, {}, admin)
          const [subscriber] = (await sandbox.client.subscribers.list()).subscribers
          await sandbox.client.subscribers.test(subscriber?.uid ?? "")
          const test = await api.post(`${connection}/webhook/test`, { wait_seconds: 20 }, admin)
          expect(test.data.test).toMatchObject({ status: "received" })

          await api.post(`${connection}/sync`, { force: true }, admin)
          expect(await eventually(sync, ({ status }) => status === "completed")).toMatchObject({
            failed: 0,
          })
          expect(await sent()).toMatchObject({ price: 189 })

          const show = await runShow(sandbox, denmark, [{ variant: mug, price: 129 }], {
            name: `Evening ${evenings}`,
          })
          const shown = async () =>
            (await api.get("/store/svc/live-events", denmark.store)).data.live_events.find(
              (event: { campaign_uid: string }) => event.campaign_uid === show.campaignUid,
            )
          const isAt = (price: number) =>
            eventually(
              shown,
              (event) => event?.status === "live" && event.products[0]?.price === price,
            )
          await isAt(129)
          const { products } = await sandbox.client.events.get(show.eventId)
          const uid = products[0]?.uid ?? ""
          const { deliveries } = await sandbox.client.deliveries.list()
          for (const { id } of deliveries.slice(0, 3)) await sandbox.client.deliveries.resend(id)
          // What comes now is signed with another key.
          await api.post(`${connection}/webhook/rotate`, {}, admin)
          await sandbox.client.events.updateProduct(show.eventId, uid, {
            price: 120,
            variants: [{ external_id: mug.id, price: 120 }],
          })
          await isAt(120)

          // A shopper who is refused taps again; this one taps once.
          await sandbox.client.profiles.set({ rate_limit: 0 })
          const anna = await shop.deliveredShopper()
          const orderNo = await newOrderNo(sandbox, show.campaignUid)
          const { data: action } = await anna.add({ ...show, orderNo }, mug, 2)
          expect([action.status, action.failed_products]).toEqual(["SUCCESS", []])
          expect(action.cart.items).toMatchObject([
            { quantity: 2, unit_price: profiles.lookup_price === "lower" ? 108 : 120 },
          ])
          const placed = await placeOrder(api, denmark, anna.cartId)
          expect(placed.data).toMatchObject({ type: "order" })
          expect(await shop.becomes(placed.data.order?.id ?? "", "reported")).toMatchObject([
            { svc_order_no: orderNo, state: "reported", units: 2 },
          ])
          const { conversions } = await sandbox.client.orders.conversions()
          expect(conversions.filter(({ order_no }) => order_no === orderNo)).toMatchObject([
            { reports: 1 },
          ])

          await rename(`Mug of evening ${evenings}`)
          await eventually(sent, ({ name }) => name === `Mug of evening ${evenings}`)

          await sandbox.client.events.cancel(show.eventId)
          await eventually(shown, (event) => event === undefined)
          const late = await shop.deliveredShopper()
          const refused = await late.add({ ...show, orderNo }, mug)
          expect(refused.data).toMatchObject({
            status: "FAILURE",
            failed_products: [{ code: "campaign_ended" }],
          })
          const { data } = await api.get("/admin/svc/health", admin)
          const problems = data.health.problems.map(({ code }: { code: string }) => code)
          expect(problems.filter((code: string) => !SAID_OF_IT.includes(code))).toEqual([])
          await api.delete(`${connection}/webhook`, admin)
        }),
        // The first evening that fails leaves behind what lets all others fail, too.
        { numRuns: SERVICES, seed: jest.getSeed(), endOnFailure: true },
      )
    }, 3_600_000)
  })
}
