import { refundedAmount, type Sale } from "../refunded-amount"

const sale = (changes: Partial<Sale> = {}): Sale => ({
  gross: 258,
  canceled: false,
  lines: [{ total: 258, ofCampaign: true }],
  goodwill: 0,
  ...changes,
})

describe("what is taken back of a campaign's sale (gap 51)", () => {
  it.each<[string, Partial<Sale>, number]>([
    ["nothing, while the order stands", {}, 0],
    ["all of it, when the order is cancelled", { canceled: true, goodwill: 297 }, 258],
    ["one of two pieces that came back", { lines: [{ total: 129, ofCampaign: true }] }, 129],
    ["everything that came back", { lines: [{ total: 0, ofCampaign: true }] }, 258],
    ["a line that was edited away", { lines: [] }, 258],
    ["a goodwill refund", { goodwill: 50 }, 50],
    [
      "goodwill on top of a return",
      { lines: [{ total: 129, ofCampaign: true }], goodwill: 9 },
      138,
    ],
    ["no more than was sold, when the parcel is refunded too", { goodwill: 297 }, 258],
    ["nothing, when pieces were added", { lines: [{ total: 387, ofCampaign: true }] }, 0],
    [
      "its share of a goodwill refund, by value",
      {
        lines: [
          { total: 258, ofCampaign: true },
          { total: 86, ofCampaign: false },
        ],
        goodwill: 40,
      },
      30,
    ],
    [
      "nothing, when the other goods came back",
      {
        lines: [
          { total: 258, ofCampaign: true },
          { total: 0, ofCampaign: false },
        ],
      },
      0,
    ],
    [
      "nothing, for what only a tax's fraction differs in",
      { gross: 35.7, lines: [{ total: "35.69999999999999999", ofCampaign: true }] },
      0,
    ],
  ])("%s", (_what, changes, amount) => {
    expect(refundedAmount(sale(changes))).toBe(amount)
  })
})
