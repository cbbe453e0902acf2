/** The quick look at a product of an import never takes what the schemas refuse. */

import { checkProduct } from "../domain/catalog"
import { isPlain } from "../domain/plain-product"
import { CONFIGURABLE, SIMPLE } from "./harness"

const VARIANT = { name: "S", price: 1, inventory: 2, manageStock: true, status: "enabled" }
const whole = [
  { ...SIMPLE, image: SIMPLE.url, inventory: 3, manageStock: true },
  { ...CONFIGURABLE, variants: CONFIGURABLE.variants.map((one) => ({ ...one, ...VARIANT })) },
]

const ODD: unknown[] = [
  undefined,
  null,
  "",
  " ",
  "text",
  "https://",
  "ftp://shop.example/x",
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e300,
  true,
  [],
  [null],
  [""],
  [{}],
  [[]],
  {},
  { id: "" },
  { name: "" },
  "simple",
  "configurable",
]

/** Each value, at every depth, replaced by each odd one; and each object with a field too many. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* ODD
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) yield { ...value, surprise: { deep: [1] } }
  if (Array.isArray(value)) yield [...value, ...value]
  for (const [key, inner] of Object.entries(value)) {
    for (const other of spoilt(inner)) {
      const change = { [key]: other }
      yield Array.isArray(value) ? Object.assign([...value], change) : { ...value, ...change }
    }
  }
}

test("what it takes, the schemas take; and what an import sends is plain", () => {
  expect(whole.map(isPlain)).toEqual([true, true])
  let plain = 0
  for (const product of whole) {
    for (const other of spoilt(product)) {
      if (!isPlain(other)) continue
      plain++
      expect([other, checkProduct(other, "documented", "refused")]).toEqual([other, []])
    }
  }
  expect(plain).toBeGreaterThan(20)
})
