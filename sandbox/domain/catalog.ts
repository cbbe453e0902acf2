/**
 * Products as the shop pushes them (interface §2.1, §4.2): checked by type, kept exactly as they
 * came, replaced when they come again.
 */

import { z } from "zod"
import type { FieldError } from "../contract/errors"
import { isDeeperThan } from "../contract/input"
import type { Context } from "../store/context"
import { productKey, type ReceivedProduct } from "../store/tables"
import { followCatalog } from "./availability"
import { readPushed, variantIdOf } from "./pushed-product"

const NO_OPTION = "An option has something that names it."
const url = z.string().refine(isWebAddress, { message: "An http or https address." })
/** A product ends far above, and what is nested thousands deep cannot be written as JSON again. */
const MOST_LEVELS = 100
const number = z.number().finite()

/** Fields of both shapes. Fields beyond these are "not shown" and kept as they are. */
const common = z.looseObject({
  id: z.string().min(1),
  sku: z.string().min(1),
  name: z.string().min(1),
  price: number,
  url,
  /** `enabled` is a known value; the others are not shown (gap 24). */
  status: z.string().min(1),
  image: url.optional(),
  inventory: number.min(0).optional(),
  manageStock: z.boolean().optional(),
})

/**
 * Its inner shape is not shown, but a variant that nothing names cannot be sold, nor can stock be owed,
 * and what is no number is no price.
 */
const variant = z
  .looseObject({
    price: number.optional(),
    inventory: number.min(0).optional(),
    manageStock: z.boolean().optional(),
  })
  .refine(isNamed, { message: "A variant has something that names it." })

const simpleProduct = common.extend({
  type: z.literal("simple"),
  variants: z.array(z.unknown()).max(0, "A simple product has no variants.").nullish(),
})

/** The inner shape of options (gap 27) and variants (gap 28) is not shown. */
const configurableProduct = common.extend({
  type: z.literal("configurable"),
  configurableOptions: z
    .array(z.union([z.string().min(1), z.looseObject({}).refine(isNamed)], NO_OPTION))
    .min(1, "A configurable product has options."),
  variants: z
    .array(variant)
    .min(1, "A configurable product has variants.")
    .superRefine((variants, { addIssue }) => {
      const seen = new Set<string>()
      variants.forEach((fields, i) => {
        const id = variantIdOf(fields)
        if (id !== "" && seen.has(id)) {
          const message = `Another variant has the id "${id}".`
          addIssue({ code: "custom", path: [i], message })
        }
        seen.add(id)
      })
    }),
})

/** Profile `product_rules: outside_only`: the inner shapes are not shown, so a service may not look. */
const outsideOnly = z.discriminatedUnion("type", [
  simpleProduct,
  common.extend({
    type: z.literal("configurable"),
    configurableOptions: z.array(z.unknown()).min(1),
    variants: z.array(z.unknown()).min(1),
  }),
])

const typed = z.looseObject({ type: z.enum(["simple", "configurable"]) })
const untyped = common.extend(typed.shape)

const pushedProduct = z.discriminatedUnion("type", [simpleProduct, configurableProduct])

/** Profile `product_rules: strict`: one way in which the real service could be stricter. */
const strictStatus = z.enum(["enabled", "disabled"])
const strict = z.discriminatedUnion("type", [
  simpleProduct.extend({ status: strictStatus }),
  configurableProduct.extend({
    status: strictStatus,
    configurableOptions: z
      .array(z.looseObject({ name: z.string().min(1), values: z.array(z.string()).min(1) }))
      .min(1),
    variants: z
      .array(
        z.looseObject({
          id: z.string().min(1),
          sku: z.string().min(1),
          price: number.optional(),
          inventory: number.optional(),
        }),
      )
      .min(1),
  }),
])

export type ItemResult = {
  /** As sent, where it is text; else its place in the batch. */
  id: string
  status: "created" | "updated" | "error"
  fields: FieldError[]
}

const SHAPES = { documented: pushedProduct, strict, outside_only: outsideOnly }
type Shapes = (typeof SHAPES)[keyof typeof SHAPES]

/** What is wrong with a product; empty where nothing is. */
function checkProduct(product: unknown, rules: keyof typeof SHAPES): FieldError[] {
  if (isDeeperThan(product, MOST_LEVELS)) {
    return [{ field: "", message: `Nested more than ${MOST_LEVELS} levels deep.` }]
  }
  const errors = shapeErrors(product, SHAPES[rules])
  if (rules !== "outside_only") {
    for (const field of pricesBelowZero(product)) errors.push({ field, message: "Not below 0." })
  }
  return errors
}

/** Of the product and its variants. */
function pricesBelowZero(product: unknown): string[] {
  if (!isTree(product)) return []
  const variants = Array.isArray(product.variants) ? product.variants : []
  const below = (fields: unknown) =>
    isTree(fields) && typeof fields.price === "number" && fields.price < 0
  return [
    ...(below(product) ? ["price"] : []),
    ...variants.flatMap((fields, i) => (below(fields) ? [`variants.${i}.price`] : [])),
  ]
}

function shapeErrors(product: unknown, shapes: Shapes): FieldError[] {
  // Without a known type neither shape applies, and the fields of both are still to be named.
  const shape = typed.safeParse(product).success ? shapes : untyped
  const result = shape.safeParse(product)
  if (result.success) return []
  return result.error.issues.map((issue) => ({
    field: issue.path.join("."),
    message: issue.message,
  }))
}

/** Takes a batch item by item: one bad product does not hold the others back. */
export function receiveProducts(
  context: Context,
  pageUid: string,
  products: unknown[],
): ItemResult[] {
  const results = products.map((product, i) => receive(context, pageUid, product, i))
  context.changes.touch("products")
  return results
}

/** The checks of a batch without taking anything; for the profile that refuses whole batches. */
export function checkProducts(
  context: Context,
  pageUid: string,
  products: unknown[],
): ItemResult[] {
  return products.map((product, i) => {
    const fields = check(context, pageUid, product)
    return { id: idOf(product, i), status: fields.length ? "error" : "updated", fields }
  })
}

function receive(context: Context, pageUid: string, product: unknown, i: number): ItemResult {
  const id = idOf(product, i)
  const fields = check(context, pageUid, product)
  if (fields.length > 0) return { id, status: "error", fields }

  const now = context.clock.now()
  const key = productKey(pageUid, id)
  const known = context.tables.products.get(key)
  const pushed = product as Record<string, unknown>
  context.tables.products.set(key, {
    page_uid: pageUid,
    product_id: id,
    product: pushed,
    first_received_at: known?.first_received_at ?? now,
    received_at: now,
    pushes: (known?.pushes ?? 0) + 1,
  })
  // An import before any show must not pay for reading each product again.
  if (context.tables.event_products.size > 0) {
    followCatalog(context, pageUid, id, readPushed(pushed))
  }
  return { id, status: known ? "updated" : "created", fields: [] }
}

function check(context: Context, pageUid: string, product: unknown): FieldError[] {
  const rules = context.profiles.get("product_rules")
  const fields = checkProduct(product, rules)
  if (rules !== "strict" || fields.length > 0) return fields
  const { id, sku } = product as { id: string; sku: string }
  for (const other of context.tables.products.values()) {
    if (other.page_uid === pageUid && other.product_id !== id && other.product.sku === sku) {
      return [{ field: "sku", message: `Product "${other.product_id}" has this sku.` }]
    }
  }
  return []
}

function idOf(product: unknown, i: number): string {
  const id = typeof product === "object" && product !== null && "id" in product ? product.id : null
  return typeof id === "string" && id ? id : `products[${i}]`
}

export function findProduct(
  context: Context,
  pageUid: string,
  id: string,
): ReceivedProduct | undefined {
  return context.tables.products.get(productKey(pageUid, id))
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}

/** Asked for every variant of an import, so it makes no list of the values. */
function isNamed(fields: Record<string, unknown>): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === "string" && value !== "") return true
  }
  return false
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(new URL(text).protocol)
}
