import { percentOff } from "../page/money"

describe("what a price is lower by", () => {
  it.each([
    [90, 100, "−10 %"],
    [71, 100, "−29 %"],
    [149.25, 199, "−25 %"],
    [149.3, 199, "−24 %"],
  ])("%d instead of %d is %s, rounded down", (now, before, text) => {
    expect(percentOff(now, before)).toBe(text)
  })
})
