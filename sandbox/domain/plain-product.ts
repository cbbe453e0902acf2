/**
 * Whether a product is as plain as nearly all of an import are: the known fields with values that
 * nobody could mistake, and no others. A product that is not plain may well be right; the schemas of
 * `catalog.ts` decide. They refuse nothing that is plain.
 */

import { type Fields, isFields } from "./pushed-product"

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === "string" && value !== ""
const isAmount: Test = (value) => typeof value === "number" && value >= 0 && value < 1e15
const isFlag: Test = (value) => typeof value === "boolean"
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText)
const isAddress: Test = (value) =>
  typeof value === "string" && /^https?:/.test(value) && URL.canParse(value)

const OF_BOTH: Record<string, Test> = {
  id: isText,
  sku: isText,
  name: isText,
  status: isText,
  price: isAmount,
  inventory: isAmount,
  manageStock: isFlag,
}
const OF_PRODUCT: Record<string, Test> = {
  ...OF_BOTH,
  type: isText,
  url: isAddress,
  image: isAddress,
  images: isTextList,
  description: isText,
  configurableOptions: (value) => Array.isArray(value) && value.length > 0 && value.every(isOption),
  variants: (value) => Array.isArray(value) && value.length > 0 && value.every(isVariant),
}
const OF_VARIANT: Record<string, Test> = {
  ...OF_BOTH,
  image: isAddress,
  options: (value) => isFields(value) && Object.values(value).every(isText),
}
const OF_OPTION: Record<string, Test> = { name: isText, values: isTextList }

const NEEDED = ["id", "sku", "name", "price", "url", "status"] as const

export function isPlain(product: unknown): boolean {
  if (!isFields(product) || !has(product, OF_PRODUCT)) return false
  for (const name of NEEDED) if (product[name] === undefined) return false
  const { type, variants, configurableOptions } = product
  if (type === "simple") return variants === undefined && configurableOptions === undefined
  if (type !== "configurable" || configurableOptions === undefined) return false
  return Array.isArray(variants) && areNamedApart(variants)
}

/** Only known fields, each with a plain value. */
function has(fields: Fields, tests: Record<string, Test>): boolean {
  for (const name in fields) {
    if (!Object.hasOwn(tests, name)) return false
    if (!tests[name]?.(fields[name])) return false
  }
  return true
}

function isVariant(value: unknown): boolean {
  return isFields(value) && value.id !== undefined && has(value, OF_VARIANT)
}

function isOption(value: unknown): boolean {
  return isFields(value) && value.name !== undefined && has(value, OF_OPTION)
}

function areNamedApart(variants: Fields[]): boolean {
  const ids = new Set<unknown>()
  for (const { id } of variants) ids.add(id)
  return ids.size === variants.length
}
