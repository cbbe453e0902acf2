/** The files of one evening, added up as a spreadsheet does, beside Medusa's own totals. */
import type { OrdersShop } from "./shop"

export function describeFiles(shop: OrdersShop): void {
  const { api, changes, buy, buyReduced, settled, campaign, aMugShow } = shop

  const download = (path: string, accept: string) =>
    api.get(`/admin/svc/${path}`, {
      headers: { ...shop.denmark.admin.headers, accept },
    })

  /** The cells of a column, in the currency's smallest unit. A cancelled order is in no sum, and the file says which it is. */
  const column = async (path: string, name: string): Promise<number[]> => {
    const { data } = await download(path, "text/csv")
    const [head = [], ...rows] = String(data)
      .replace("\uFEFF", "")
      .trim()
      .split("\r\n")
      .map(cellsOf)
    expect(head).toContain(name)
    return rows
      .filter((row) => !row[head.indexOf("canceled_at")])
      .map((row) => Math.round(Number(row[head.indexOf(name)]) * 100))
  }
  const sumOf = (cells: number[]) => cells.reduce((sum, cell) => sum + cell, 0)

  describe("the files of an evening", () => {
    it.each([
      ["text/csv; charset=utf-8", "text/csv"],
      ["Text/CSV;header=present, */*;q=0.1", "text/csv"],
      ["text/csv; charset=utf-8; q=0.5, application/json", "application/json"],
      ["*/*", "application/json"],
    ])("are sent to whoever asks for one: %s", async (accept, sent) => {
      for (const path of ["ledger", "orders", "results", "campaigns"]) {
        const { headers } = await download(path, accept)
        expect(headers["content-type"]).toContain(sent)
      }
    })

    it("add up to each other and to Medusa's own totals, to the cent", async () => {
      const show = await aMugShow(79.95)
      const lineOf = async (id: string) => (await changes().order(id)).items[0]?.id ?? ""

      const discounted = await buyReduced(show, 2, 7)
      const [edited, returned, cancelled] = [await buy(show), await buy(show, 3), await buy(show)]
      const orders = [discounted, edited, returned, cancelled]
      for (const { orderId } of orders) await settled(orderId)

      await changes().edit(edited.orderId, await lineOf(edited.orderId), {
        quantity: 2,
        unit_price: 69.33,
      })
      const line = await lineOf(returned.orderId)
      await changes().fulfil(returned.orderId, [{ id: line, quantity: 3 }])
      await changes().sendBack(returned.orderId, [{ id: line, quantity: 1 }])
      await changes().cancel(cancelled.orderId)
      await campaign(show)

      const totals = await Promise.all(
        orders
          .filter(({ orderId }) => orderId !== cancelled.orderId)
          .map(async ({ orderId }) => (await changes().order(orderId)).item_total),
      )
      const earned = sumOf(totals.map((total) => Math.round(total * 100)))
      const of = `campaign_uid=${show.campaignUid}`
      expect(sumOf(await column(`orders?${of}`, "net"))).toBe(earned)
      expect(sumOf(await column(`ledger?${of}`, "amount"))).toBe(earned)
      for (const group of ["campaign", "product", "day", "hour", "currency"]) {
        expect(sumOf(await column(`results?${of}&group_by=${group}`, "net"))).toBe(earned)
      }
      const parts: number[] = []
      for (const name of ["gross", "discounts", "refunded"]) {
        const ofResults = sumOf(await column(`results?${of}`, name))
        expect([name, sumOf(await column(`orders?${of}`, name))]).toEqual([name, ofResults])
        parts.push(ofResults)
      }
      const [gross = 0, discounts = 0, refunded = 0] = parts
      expect(gross - discounts - refunded).toBe(earned)
      expect(discounts).toBeGreaterThan(0)
      expect(refunded).toBeGreaterThan(0)
    })
  })
}

/** The cells of a row: apart by commas, in quotes where a cell has one. */
const cellsOf = (row: string): string[] =>
  [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "",
  )
