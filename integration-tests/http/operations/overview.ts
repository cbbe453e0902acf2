/** The overview: shows of several connections are judged at once, each by what its own connection knows. */
import type { OperationsShop } from "./shop"

export function describeOverview(shop: OperationsShop): void {
  const { ask, knex } = shop

  type Told = { name: string; connection_id: string; campaign_uid: string; event_id: string } & {
    [column: string]: unknown
  }
  /** Planned shows with one product each, as deliveries would have told of them. */
  const tellOf = async (shows: Told[], stateAt?: (connectionId: string) => string) => {
    const told = {
      occurred_at: new Date(),
      rank: 1,
      hash: "h",
      alive_at: new Date(),
      data: "{}",
    }
    await knex()("svc_live_event").insert(
      shows.map((show, n) => ({
        ...told,
        id: `svcev_${n}`,
        kind: "live",
        status: "planned",
        is_published: true,
        ...show,
      })),
    )
    await knex()("svc_event_product").insert(
      shows.map(({ connection_id, campaign_uid }, n) => ({
        ...told,
        id: `svcevp_${n}`,
        connection_id,
        campaign_uid,
        uid: "product",
        kind: "live",
        external_id: "prod_in_shows",
        price: 99,
        raw_price: { value: "99" },
        variants: "[]",
      })),
    )
    if (!stateAt) return
    await knex()("svc_catalog_item").insert(
      [...new Set(shows.map(({ connection_id }) => connection_id))].map((connection_id) => ({
        id: `svcprod_${connection_id}`,
        connection_id,
        product_id: "prod_in_shows",
        state: stateAt(connection_id),
        acknowledged: 1,
      })),
    )
  }
  const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)
  type Shown = { name: string; product_count: number; not_ready: number; warned: number }
  const currentShows = async (): Promise<Shown[]> =>
    (await ask("get", "/admin/svc/overview")).data.current_shows

  describe("the overview", () => {
    it("calls nothing ready that a connection sells whose token is refused, and warns where the service fails", async () => {
      const { connectionId } = shop.denmark
      const show = {
        name: "tonight",
        connection_id: connectionId,
        campaign_uid: "c",
        event_id: "e",
      }
      await tellOf([show], () => "synced")
      const judged = async (columns: Record<string, unknown>) => {
        await knex()("svc_connection").where({ id: connectionId }).update(columns)
        const [shown] = await currentShows()
        const { data } = await ask("get", "/admin/svc/live-events/e")
        const { ready, problems } = data.live_event.products[0].readiness
        return [
          shown?.not_ready,
          shown?.warned,
          ready,
          problems.map(({ code }: { code: string }) => code),
        ]
      }
      const reason = { code: "svc_unavailable", message: "m", fix: "f" }
      const well = { status: "active", last_error: null }
      expect(await judged(well)).toEqual([0, 0, true, []])
      expect(await judged({ ...well, status: "broken", last_error: reason })).toEqual([
        0,
        1,
        true,
        ["connection_trouble"],
      ])
      expect(await judged({ status: "broken", token_refused: true, last_error: reason })).toEqual([
        1,
        0,
        false,
        ["not_connected"],
      ])
    })

    it("warns of products that no import has sent, and calls them out of the sales channel only after one", async () => {
      const { connectionId: connection_id } = shop.denmark
      await tellOf([{ name: "tonight", connection_id, campaign_uid: "c", event_id: "e" }])
      const judged = async () => {
        const { data } = await ask("get", "/admin/svc/live-events/e")
        const { ready, problems } = data.live_event.products[0].readiness
        return [ready, ...problems.map(({ code }: { code: string }) => code)]
      }
      expect(await judged()).toEqual([true, "catalog_not_imported"])
      expect(await currentShows()).toMatchObject([{ not_ready: 0, warned: 1 }])
      const imports = () => knex()("svc_catalog_import")
      await imports().insert({
        ...{ id: "svcimp_1", connection_id },
        ...{ status: "paused", started_at: new Date() },
      })
      expect(await judged()).toEqual([true, "catalog_not_imported"])
      await imports().update({ status: "completed" })
      expect(await judged()).toEqual([false, "not_in_store"])
    })

    it("leaves out shows that were to begin days ago and never did, however many", async () => {
      const { connectionId: connection_id } = shop.denmark
      const show = (name: string, starts_at: Date | null) => ({
        name,
        connection_id,
        campaign_uid: name,
        event_id: name,
        starts_at,
      })
      const forgotten = Array.from({ length: 31 }, (_, n) => show(`old ${n}`, daysFromNow(-2 - n)))
      await tellOf(
        [
          ...forgotten,
          show("no time yet", null),
          show("an hour late", daysFromNow(-1 / 24)),
          show("tonight", daysFromNow(0.1)),
        ],
        () => "synced",
      )
      const open = ["an hour late", "tonight", "no time yet"]
      expect((await currentShows()).map(({ name }) => name)).toEqual(open)
      // Nor do they push the others off the page of a product.
      const { data } = await ask("get", "/admin/svc/products/shows?product_id=prod_in_shows")
      expect(data.shows.map((one: { name: string }) => one.name)).toEqual(open)
    })

    it("judges each show's products by its own connection and its own campaign", async () => {
      const { connectionId } = shop.denmark
      const made = await ask("post", "/admin/svc/connections", shop.anotherPage("another-page"))
      const other: string = made.data.connection.id
      const yesterday = daysFromNow(-1)
      const shows = [
        { name: "sells", connection_id: connectionId, campaign_uid: "same", deadline: null },
        { name: "failed there", connection_id: other, campaign_uid: "same", deadline: null },
        { name: "over", connection_id: connectionId, campaign_uid: "over", deadline: yesterday },
      ]
      await tellOf(
        shows.map((show) => ({ ...show, event_id: `event-${show.campaign_uid}` })),
        (connection_id) => (connection_id === other ? "failed" : "synced"),
      )
      const { status, data } = await ask("get", "/admin/svc/overview")
      expect(status).toBe(200)
      const notReady = data.current_shows.map((show: Record<string, unknown>) => [
        show.name,
        show.product_count,
        show.not_ready,
      ])
      expect(
        Object.fromEntries(notReady.map(([name, ...counts]: unknown[]) => [name, counts])),
      ).toEqual({
        sells: [1, 0],
        "failed there": [1, 1],
        over: [1, 1],
      })
    })
  })
}
