/** What we know that the service has. */
import { eventually } from "../../setup/market"
import { type CatalogShop, gate, titles } from "./shop"

export function describeAcknowledged(shop: CatalogShop): void {
  const { api } = shop

  describe("what is acknowledged", () => {
    it("is written down with each answer, not when the whole page is through", async () => {
      const { open, opened } = gate()
      let calls = 0
      const url = await shop.answering(async () => {
        calls += 1
        if (calls > 1) await opened
        return { status: 200, body: {} }
      })
      const connection = await shop.connect({ base_url: url })
      await shop.insertProducts(titles(150))
      await shop.sync(connection)
      await eventually(
        () => shop.items({ state: "synced" }),
        (synced) => synced.length === 100,
      )
      open()
      await shop.importEnds(connection)
    })

    it("is of the page that took it: a connection that moves sends everything anew", async () => {
      await shop.sandbox.control("/pages", { uid: "new-page", name: "New", api_token: "new-token" })
      await shop.sandbox.control("/profiles", { batch_limit: 50 })
      const connection = await shop.connect()
      const ids = await shop.insertProducts(titles(120))
      await shop.sync(connection)
      await shop.importEnds(connection)
      await api.post(
        `/admin/svc/connections/${connection}`,
        { page_uid: "new-page", api_token: "new-token" },
        shop.admin,
      )
      await eventually(
        () => shop.received("new-page"),
        (seen) => seen.size === ids.length,
      )
    })
  })
}
