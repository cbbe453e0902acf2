import { z } from "zod"
import { refuses } from "./error-answer"
import { readBoolean } from "./fields"
import { isObject, type Json, storable } from "./json"
import { unwrapped } from "./layers"

/** One option dimension of a configurable product. Inner shape is not shown: gap 27. */
const configurableOption = z.object({ name: z.string(), values: z.array(z.string()) })

/** One variant in the push payload. Inner shape is not shown: gap 28. */
const pushedVariant = z.object({
  id: z.string().min(1),
  sku: z.string().min(1),
  name: z.string().min(1),
  price: z.number().finite().nonnegative(),
  inventory: z.number().int().optional(),
  manageStock: z.boolean(),
  status: z.string(),
  image: z.url().optional(),
  options: z.record(z.string(), z.string()),
})

const shared = {
  id: z.string().min(1),
  sku: z.string().min(1),
  name: z.string().min(1),
  /** Major units of the connection's currency. */
  price: z.number().finite().nonnegative(),
  url: z.url(),
  status: z.string().min(1),
  image: z.url().optional(),
  /** Alternative images; the field's name is not shown: gap 29. */
  images: z.array(z.url()).optional(),
  inventory: z.number().int().optional(),
  manageStock: z.boolean().optional(),
  /** Named for a show's product (§2.7); sent only where a merchant asks for it, because a push may not take them. */
  description: z.string().optional(),
  brand: z.string().optional(),
  productCategories: z.array(z.string()).optional(),
}

/**
 * One variant: simple (gap 32), whatever its options are called. One rule for the push and for the price lookup: a
 * product that is configurable at the service has no price without a `variantId`, and a simple one is looked up without.
 */
export const isSimple = (variantCount: number): boolean => variantCount === 1

/** A product as it is pushed (interface §2.1): minimum fields by `type`. */
export const pushedProduct = z.discriminatedUnion("type", [
  z.object({ ...shared, type: z.literal("simple") }),
  z.object({
    ...shared,
    type: z.literal("configurable"),
    configurableOptions: z.array(configurableOption).min(1),
    variants: z.array(pushedVariant).min(1),
  }),
])
export type PushedProduct = z.infer<typeof pushedProduct>
export type PushedVariant = z.infer<typeof pushedVariant>

/** `enabled` is the one known value (interface §2.1); the other is ours: gap 24. */
export const PRODUCT_STATUS = { enabled: "enabled", disabled: "disabled" } as const

/** Products in one `POST /products`; the limit is not shown: gap 22. */
export const PUSH_BATCH_SIZE = 100

/** One product that the service refused inside a 2xx answer. */
export type PushFailure = {
  id: string
  /** The service's own word for it, where it gave one. */
  code: string | null
  message: string
}

const text = (...candidates: unknown[]): string | undefined => {
  for (const candidate of candidates) {
    if (typeof candidate === "string" && candidate.length > 0) return candidate
    if (candidate && typeof candidate === "object" && "message" in candidate) {
      const { message } = candidate
      if (typeof message === "string" && message.length > 0) return message
    }
  }
  return undefined
}

/**
 * The service's sentence is shown and stored: cut to what a person reads, without characters that Postgres refuses.
 */
const shown = (words: string): string => storable(words.slice(0, MESSAGE_LENGTH))
const MESSAGE_LENGTH = 500

const code = (own: unknown, error: unknown): string | undefined => {
  const nested = error && typeof error === "object" && "code" in error ? error.code : undefined
  return [own, nested].find((candidate) => typeof candidate === "string")
}

/** By what an entry may name its product. `id` may be the service's own, with the shop's beside it (interface §2.7). */
const NAMES = [
  "id",
  "externalId",
  "productId",
  "product_id",
  "variantId",
  "variant_id",
  "uid",
  "sku",
]

/**
 * Tells which of the products that were sent an entry names: by its own id or that of a variant, in whatever field, or by
 * a sku that no other one has. Where one was sent, it can be no other.
 */
function finderOf(sent: string[]): (entry: Json) => string | null {
  const ids = new Map<unknown, string>()
  const skus = new Map<unknown, string | null>()
  for (const text of sent) {
    const product: PushedProduct = JSON.parse(text)
    const variants = product.type === "configurable" ? product.variants : []
    for (const { id, sku } of [...variants, product]) {
      ids.set(id, product.id)
      skus.set(sku, skus.has(sku) && skus.get(sku) !== product.id ? null : product.id)
    }
  }
  const [first = null, ...others] = new Set(ids.values())
  const only = others.length === 0 ? first : null
  return (entry) => {
    const [id] = NAMES.flatMap((name) => ids.get(entry[name]) ?? [])
    return id ?? skus.get(entry.sku) ?? only
  }
}

/**
 * Reads the products that a 2xx answer to `POST /products` names as failed: gap 23.
 * The per-product result format is not shown, so a bare list and every list under `errors`, `results`, `products` or `data`
 * is read, and an entry counts as failed only if it says so. Anything else acknowledges the batch.
 *
 * @param sent the products of the call, each as it was written out
 * @param masked takes out of the service's words what nobody may see, before they are cut
 * @returns null where something failed that is named by nothing that was sent: it may be any of them
 */
export function readPushFailures(
  body: unknown,
  sent: string[],
  masked: (words: string) => string = (words) => words,
): PushFailure[] | null {
  const lists = Array.isArray(body) ? { results: body } : (unwrapped(body) ?? {})
  const failures: PushFailure[] = []
  let productOf: ReturnType<typeof finderOf> | null = null
  for (const list of ["errors", "results", "products", "data"]) {
    const entries = lists[list]
    if (!Array.isArray(entries)) continue
    for (const row of entries.filter(isObject)) {
      const failed = list === "errors" || readBoolean(row.valid) === false || refuses(row)
      const isNameless = NAMES.every((name) => (row[name] ?? null) === null)
      // Errors without a product are the whole answer's.
      if (!failed || (list === "errors" && isNameless)) continue
      productOf ??= finderOf(sent)
      const id = productOf(row)
      if (id === null) return null
      const [first] = Array.isArray(row.errors) ? row.errors : [row.errors]
      const said = code(row.code, row.error)
      failures.push({
        id,
        code: said === undefined ? null : shown(masked(said)),
        message: shown(
          masked(text(row.message, row.error, row.reason, first) ?? "The service gave no reason."),
        ),
      })
    }
  }
  return failures
}
