import { isOwnProvider, taxOf } from "../country-tax"

const own = (country: string) => ({ country, provider: "tp_system" })

it("taxes are of the first country that has any, and none where none has", () => {
  expect(taxOf(["de", "dk", "se"], [own("se"), own("dk")])).toEqual(own("dk"))
  expect(taxOf(["de"], [own("dk")])).toBeNull()
  expect(taxOf([], [own("dk")])).toBeNull()
})

it("taxes are unknown where another provider computes them", () => {
  expect(isOwnProvider(own("dk"))).toBe(true)
  expect(isOwnProvider({ country: "dk", provider: "tp_other" })).toBe(false)
  expect(isOwnProvider({ country: "dk", provider: null })).toBe(false)
})
