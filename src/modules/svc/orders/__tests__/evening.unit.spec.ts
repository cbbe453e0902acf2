/** The evening in `docs/orders.md`: every number on that page is made here, from Medusa's own functions. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { MathBN } from "@medusajs/framework/utils"
import { entriesOf, type LedgerEntry, soldBy } from "../entries"
import { MedusaOrder, type NewOrder } from "./medusa-order"

const PAGE = readFileSync(join(__dirname, "../../../../../docs/orders.md"), "utf8")
const SHOW = { connectionId: "connection", campaignUid: "campaign" }

const bought = (quantity: number, changes: Partial<NewOrder> = {}, discount = "0"): NewOrder => ({
  currency: "dkk",
  isTaxInclusive: true,
  rate: "25",
  lines: [{ variant: 1, quantity, price: "79", discount }],
  shipping: "39",
  giftCard: "0",
  ...changes,
})
const mug = (order: MedusaOrder) => order.lines[0]?.id ?? ""

async function theEvening() {
  const promotion = new MedusaOrder(bought(2, {}, "15.80"))
  const edited = new MedusaOrder(bought(1))
  await edited.edit(mug(edited), 3, null, null)
  const returned = new MedusaOrder(bought(2))
  await returned.fulfil({ line: mug(returned), quantity: 2 })
  await returned.sendBack({ line: mug(returned), quantity: 1 }, false)
  const exchanged = new MedusaOrder(bought(1, { giftCard: "50" }))
  await exchanged.fulfil({ line: mug(exchanged), quantity: 1 })
  await exchanged.exchange(
    { line: mug(exchanged), quantity: 1 },
    { variant: 3, quantity: 1, price: "99.95" },
  )
  await exchanged.refund(["10"])
  const cancelled = new MedusaOrder(bought(1))
  await cancelled.cancel()
  return {
    "two mugs, 10 % off by a promotion": promotion,
    "one mug, edited to three": edited,
    "two mugs, one came back": returned,
    "one mug for a gift card of 50.00, exchanged for one at 99.95, then 10.00 refunded": exchanged,
    "one mug, cancelled": cancelled,
  }
}

const sum = (entries: LedgerEntry[], of: "amount" | "tax") =>
  MathBN.sum(0, ...entries.map((entry) => entry[of])).toNumber()
const row = (cells: (string | number)[]) =>
  `| ${cells.map((cell) => (typeof cell === "number" ? cell.toFixed(2) : cell)).join(" | ")} |`

describe("an evening's orders, for an accountant", () => {
  it("are on the page with the sums that Medusa and the results have", async () => {
    const totals = { gross: 0, discounts: 0, refunded: 0, net: 0, tax: 0, own: 0, total: 0 }
    const rows: string[] = []
    for (const [name, order] of Object.entries(await theEvening())) {
      const sold = new Map([[mug(order), SHOW]])
      const entries = entriesOf(order.snapshot(), sold)
      const ofShow = entries.filter((entry) => entry.soldBy !== null)
      const isCancelled = order.canceledAt !== null
      const { gross, discounts, net } = soldBy(isCancelled ? [] : entries, SHOW)
      const figures = {
        gross,
        discounts,
        refunded: MathBN.sub(gross, discounts, net).toNumber(),
        net,
        tax: isCancelled ? 0 : sum(ofShow, "tax"),
        own: sum(
          entries.filter((entry) => entry.soldBy === null),
          "amount",
        ),
        total: isCancelled ? 0 : MathBN.convert(order.totals().total, 2).toNumber(),
      }
      expect([name, MathBN.sum(figures.net, figures.own).toNumber()]).toEqual([name, figures.total])
      rows.push(row([name, ...Object.values(figures)]))
      for (const key of Object.keys(totals) as (keyof typeof totals)[]) {
        totals[key] = MathBN.sum(totals[key], figures[key]).toNumber()
      }
    }
    expect(MathBN.sub(totals.gross, totals.discounts, totals.refunded).toNumber()).toBe(totals.net)
    rows.push(row(["all", ...Object.values(totals)]))
    expect(PAGE).toContain(rows.join("\n"))
  })
})
