/** The choices of the player: variants come in the order in which a shop happens to keep them. */

import type { Product } from "../web/pages/player/service"
import { optionValues } from "../web/pages/player/variants"

const product = (...names: string[][]): Product =>
  ({ variants: names.map((of) => ({ names: of })) }) as unknown as Product

test("sizes go from small to large, numbers from low to high, words stay as the shop has them", () => {
  const clothes = product(["XL", "Moss"], ["S", "Clay"], ["M", "Moss"], ["s", "Clay"])
  expect(optionValues(clothes)).toEqual([
    ["S", "s", "M", "XL"],
    ["Moss", "Clay"],
  ])
  expect(optionValues(product(["42"], ["38.5"], ["39"], ["100"]))).toEqual([
    ["38.5", "39", "42", "100"],
  ])
  expect(optionValues(product(["L"], ["One size"], ["S"]))).toEqual([["L", "One size", "S"]])
  expect(optionValues(product())).toEqual([])
})
