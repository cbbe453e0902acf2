/** What a merchant's own code is told on Medusa's event bus: real changes of shows, once each. */
import { Modules } from "@medusajs/framework/utils"
import { SHOW_EVENTS } from "../../../src/workflows/shows"
import { variantsOf } from "../../setup/connected-market"
import { envelope, eventProduct, liveEvent } from "../../setup/deliveries"
import { soon, type WebhooksShop } from "./shop"

export function describeChanges(shop: WebhooksShop): void {
  const { api, getContainer, keyIsKnown, settled, tell } = shop

  describe("a change of a show", () => {
    beforeEach(keyIsKnown)

    it("is told once, by its kind, and a repeat or a stale delivery tells nothing", async () => {
      const told: { name: string; data: Record<string, unknown> }[] = []
      const bus = getContainer().resolve(Modules.EVENT_BUS)
      const names = Object.values(SHOW_EVENTS).filter((name) => !name.endsWith(".changed"))
      const subscriberId = "tests-changes"
      const listen = async (event: { name: string; data: unknown }) => {
        told.push({ name: event.name, data: event.data as Record<string, unknown> })
      }
      for (const name of names)
        bus.subscribe(name, listen, { subscriberId: `${subscriberId}-${name}` })
      try {
        const start = Date.now() - 60_000
        let clock = start
        const tellTwice = async (topic: string, data: unknown) => {
          clock += 1_000
          const body = envelope(topic, data, { occurredAt: clock })
          await tell(body)
          await settled()
          await tell({ ...body, deliveryUid: "again" })
          await settled()
          return body
        }
        const first = await tellTwice("live_event.created", liveEvent("e1"))
        await tellTwice("live_event_product.created", eventProduct("p1", "campaign-e1"))
        await tellTwice(
          "live_event.updated",
          liveEvent("e1", { currentStatus: "live", liveStartTime: 1 }),
        )
        await tellTwice(
          "live_event_product.updated",
          eventProduct("p1", "campaign-e1", { price: 60 }),
        )
        // An old state, told late.
        await tell({
          ...first,
          occurredAt: start - 5_000,
          metadata: { ...first.metadata, eventUid: "late" },
        })
        await tellTwice("live_event.deleted", liveEvent("e1", { currentStatus: "live" }))
        const expected = [
          ["svc.live_event.planned", "e1"],
          ["svc.event_product.added", "p1"],
          ["svc.live_event.started", "e1"],
          ["svc.event_product.price_changed", "p1"],
          ["svc.live_event.deleted", "e1"],
        ]
        await soon(async () =>
          expect(told.map(({ name, data }) => [name, data.event_id ?? data.uid])).toEqual(expected),
        )
        expect(told[3]?.data).toEqual({
          connection_id: shop.denmark.connectionId,
          campaign_uid: "campaign-e1",
          uid: "p1",
          external_id: "prod_p1",
          price: 60,
          previous_price: 79.5,
        })
        expect(told[2]?.data).toMatchObject({ status: "live", previous_status: "planned" })
      } finally {
        for (const name of names)
          bus.unsubscribe(name, listen, { subscriberId: `${subscriberId}-${name}` })
      }
    })

    it("is on the storefront at once, though its list is cached", async () => {
      const list = async () =>
        (await api.get("/store/svc/live-events", shop.denmark.store)).data.live_events.map(
          ({ status }: { status: string }) => status,
        )
      expect(await list()).toEqual([])
      await tell(envelope("live_event.created", liveEvent("e1")))
      await soon(async () => expect(await list()).toEqual(["planned"]))
      await tell(envelope("live_event.updated", liveEvent("e1", { currentStatus: "cancelled" })))
      await soon(async () => expect(await list()).toEqual([]))
    })

    it("shows its pictures and texts, its products' pages, and its replay where that is asked for", async () => {
      const list = async (query = "") =>
        (await api.get(`/store/svc/live-events${query}`, shop.denmark.store)).data.live_events
      const [mug] = await variantsOf(getContainer(), "havn-mug")
      const told = {
        currentStatus: "vod",
        description: "With clay.",
        coverPhotoPath: "https://img.test/wide.jpg",
        coverPhotoPortraitModePath: "https://img.test/tall.jpg",
        liveVideoCover: "",
        cdnMp4VideoUrl: "https://video.test/e1.mp4",
        tags: ["clay", "evening"],
        category: "kitchen",
      }
      const product = eventProduct("p1", "campaign-e1", {
        externalId: mug?.product_id,
        images: [{ url: "https://img.test/mug.jpg" }],
        defaultQuantityToAdd: 2,
      })
      await tell(envelope("live_event.created", liveEvent("e1", told)))
      await tell(envelope("live_event_product.created", product))
      await settled()
      // What is over is no announcement.
      expect(await list()).toEqual([])
      expect(await list("?status=vod")).toEqual([
        expect.objectContaining({
          status: "vod",
          description: "With clay.",
          cover_urls: {
            landscape: "https://img.test/wide.jpg",
            portrait: "https://img.test/tall.jpg",
            video: null,
          },
          video_url: "https://video.test/e1.mp4",
          tags: ["clay", "evening"],
          category: "kitchen",
          products: [
            expect.objectContaining({
              external_id: mug?.product_id,
              handle: "havn-mug",
              url: "https://shop.test/p",
              image: "https://img.test/mug.jpg",
              brand: "Havn",
              default_quantity: 2,
            }),
          ],
        }),
      ])
    })
  })
}
