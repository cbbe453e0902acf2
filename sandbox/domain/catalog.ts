/**
 * Products as the shop pushes them (interface §2.1, §4.2): checked by type, kept exactly as they
 * came, replaced when they come again.
 */

import { z } from "zod"
import type { FieldError } from "../contract/errors"
import { undocumented } from "../contract/payloads"
import type { Context } from "../store/context"
import { type FieldChange, productKey, type ReceivedProduct } from "../store/tables"
import { followCatalog } from "./availability"
import { readPushed, variantIdOf } from "./pushed-product"

const url = z.string().refine(isWebAddress, { message: "An http or https address." })
const number = z.number().finite()

/** Fields of both shapes. Fields beyond these are "not shown" and kept as they are. */
const common = z.looseObject({
  id: z.string().min(1),
  sku: z.string().min(1),
  name: z.string().min(1),
  price: number,
  url,
  status: z.string().min(1).meta({
    description: "`enabled` is a known value; the others are not shown (gap 24: `disabled`).",
  }),
  image: url.optional(),
  inventory: number.min(0).optional(),
  manageStock: z.boolean().optional(),
  images: z
    .unknown()
    .optional()
    .meta(
      undocumented(
        "29",
        "Alternative images exist as an optional field; its name and shape are not shown.",
      ),
    ),
})

/** Its inner shape is not shown, but a variant that nothing names cannot be sold, nor can stock be owed. */
const variant = z
  .looseObject({
    inventory: number.min(0).optional(),
    manageStock: z.boolean().optional(),
  })
  .refine(isNamed, { message: "A variant has something that names it." })

export const simpleProduct = common
  .extend({
    type: z.literal("simple"),
    variants: z.array(z.unknown()).max(0, "A simple product has no variants.").nullish(),
  })
  .meta({ description: "interface §2.1. No variants. Further fields are kept." })

export const configurableProduct = common
  .extend({
    type: z.literal("configurable"),
    configurableOptions: z
      .array(z.unknown())
      .min(1, "A configurable product has options.")
      .meta(
        undocumented(
          "27",
          "A list, for example size and colour; its inner shape is not shown. `[{name, values: []}]`.",
        ),
      ),
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
      })
      .meta(
        undocumented(
          "28",
          'Inner shape not shown. `{id, sku, name, price, inventory, manageStock, status, image?, options: {Size: "M"}}`.',
        ),
      ),
  })
  .meta({ description: "interface §2.1." })

const typed = z.looseObject({ type: z.enum(["simple", "configurable"]) })
const untyped = common.extend(typed.shape)

export const pushedProduct = z.discriminatedUnion("type", [simpleProduct, configurableProduct])

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
          price: number.min(0).optional(),
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

/** What is wrong with a product; empty where nothing is. */
function checkProduct(
  product: unknown,
  rules: "documented" | "strict",
  negativePrices: "refused" | "taken" = "refused",
): FieldError[] {
  const shapes = rules === "strict" ? strict : pushedProduct
  const errors = shapeErrors(product, shapes)
  if (negativePrices === "refused" && isPricedBelowZero(product)) {
    errors.push({ field: "price", message: "Not below 0." })
  }
  return errors
}

function isPricedBelowZero(product: unknown): boolean {
  if (typeof product !== "object" || product === null || !("price" in product)) return false
  return typeof product.price === "number" && product.price < 0
}

function shapeErrors(product: unknown, shapes: typeof pushedProduct | typeof strict): FieldError[] {
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
    diff: known ? differences(known.product, pushed) : [],
  })
  // An import before any show must not pay for reading each product again.
  if (context.tables.event_products.size > 0) {
    followCatalog(context, pageUid, id, readPushed(pushed))
  }
  return { id, status: known ? "updated" : "created", fields: [] }
}

function check(context: Context, pageUid: string, product: unknown): FieldError[] {
  const rules = context.profiles.get("product_rules")
  const fields = checkProduct(product, rules, context.profiles.get("negative_prices"))
  if (rules === "documented" || fields.length > 0) return fields
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

/**
 * Leaf by leaf, as `variants.0.price`; at most 200, which is more than anyone reads, and 30 levels
 * deep, where a product ends and an attack begins.
 */
function differences(before: unknown, after: unknown, path = "", depth = 30): FieldChange[] {
  if (Object.is(before, after)) return []
  const leaf = !isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)
  if (leaf || depth === 0) {
    return [{ path, before: before ?? null, after: after ?? null }]
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes: FieldChange[] = []
  for (const key of keys) {
    // A field may be called as something that every object has: "constructor".
    const [was, is] = [before, after].map((tree) =>
      Object.hasOwn(tree, key) ? tree[key] : undefined,
    )
    changes.push(...differences(was, is, path ? `${path}.${key}` : key, depth - 1))
    if (changes.length >= 200) break
  }
  return changes.slice(0, 200)
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
  try {
    return ["http:", "https:"].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
