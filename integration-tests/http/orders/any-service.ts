/** Whatever the service is like where the interface is silent: an evening comes to the same. */
import fc from "fast-check"
import type {
  ProfileName,
  ProfileSettings,
  ProfileValue,
} from "../../../sandbox/simulation/profiles"
import { eventually, newOrderNo, placeOrder, runShow } from "../../setup/market"
import type { OrdersShop } from "./shop"

/** Evenings of this run; `SERVICES=50` for as many as the weekly run. */
const SERVICES = Number(process.env.SERVICES ?? 2)

/** What a show can be sold under. The others refuse what an evening needs: they have tests of their own. */
const SELLING: { [Name in ProfileName]?: ProfileValue<Name>[] } = {
  event_uid: ["per_record", "per_emission"],
  occurred_at: ["stable", "unstable"],
  ids: ["aligned", "aliased"],
  identifiers: ["plain", "any"],
  order: ["in_order", "shuffled"],
  duplicates: ["off", "storm"],
  late_2xx: ["off", "on"],
  resend_signing: ["fresh", "frozen"],
  rotation: ["immediate", "answer_late"],
  timestamp_header: ["delivery_at", "differs"],
  hint_headers: ["as_documented", "missing", "contradicting"],
  test_body: ["full", "bare"],
  body_format: ["compact", "pretty", "escaped", "spaced"],
  unknowns: ["off", "on"],
  field_types: ["documented", "other"],
  version: ["v1", "v2"],
  custom_headers: ["fixed", "changeable"],
  webhook_answers: ["flat", "wrapped", "snake_case", "other_types", "key_alone", "items"],
  subscriber_ids: ["same", "own"],
  listing: ["data", "array", "items", "named", "uncounted", "page_count"],
  listing_items: ["complete", "empty", "partial", "partial_counted", "stale"],
  listing_age: [0, 5],
  listing_fields: ["all", "few", "null", "own", "unlinked"],
  listing_drift: ["none", "deletion", "creation"],
  listing_cap: [0, 2],
  paging: ["limit_offset", "ignored"],
  price_answer: ["nested", "flat", "strings", "wrapped", "minimal", "amount_object", "two_prices"],
  campaign_prices: ["on_sale", "open", "always"],
  lookup_price: ["same", "lower", "many_digits"],
  item_errors: ["results", "errors", "products", "wrapped", "list", "reject_batch", "silent"],
  product_rules: ["documented", "strict", "outside_only"],
  process_orders: ["idempotent", "conflict", "empty", "keyed"],
  rest_errors: ["nested", "flat", "text", "empty", "in_200"],
  batch_limit: [0, 4],
  rate_limit: [0, 3],
}
const service = fc.record(
  Object.fromEntries(
    Object.entries(SELLING).map(([name, values]) => [name, fc.constantFrom<unknown>(...values)]),
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
