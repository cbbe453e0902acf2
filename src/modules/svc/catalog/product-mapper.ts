/** A merchant's own change of what is sent: a function in `medusa-config.ts`, which may be wrong in every way. */

import { type PushedProduct, wellFormed } from "../../../contract"
import type { SourceProduct } from "../core-tables/store-products"
import type { Connection } from "../models"
import { messageOf } from "../shared/error-message"
import { within } from "../shared/within"
import { type Mapped, mappedIn, problemOf } from "./product-payload"
import type { ProductSnapshot } from "./product-snapshot"
import { catalogReason } from "./reasons"

/** What a mapper is told beside the payload. */
export type MapperContext = {
  /** The product as it was read from the store. */
  product: SourceProduct
  connection: Pick<Connection, "id" | "name" | "page_uid" | "sales_channel_id" | "region_id">
}

/**
 * Given the payload as it would be sent, answers the one that is sent; fields beyond the interface's are kept. Null leaves
 * the product out. May be async.
 */
export type ProductMapper = (
  payload: PushedProduct,
  context: MapperContext,
) => PushedProduct | null | Promise<PushedProduct | null>

/** A mapper that never answers must not hold up an import. One that never returns does: it has the whole process. */
const TIMEOUT_MS = 2_000

/** Applies a mapper to one product; whatever goes wrong concerns that product only. */
export async function applyMapper(
  mapper: ProductMapper | undefined,
  snapshot: ProductSnapshot,
  context: { product: SourceProduct | undefined; connection: MapperContext["connection"] },
  timeoutMs = TIMEOUT_MS,
): Promise<ProductSnapshot> {
  const { product, connection } = context
  if (!mapper || !product || snapshot.kind === "gone" || !snapshot.mapped.ok) return snapshot
  const { payload } = snapshot.mapped
  const { id, name, page_uid, sales_channel_id, region_id } = connection
  try {
    const mapped = await within(timeoutMs, `no answer within ${timeoutMs} ms`, () =>
      // A copy: what it does to its argument is nobody else's.
      mapper(structuredClone(payload), {
        product: structuredClone(product),
        connection: { id, name, page_uid, sales_channel_id, region_id },
      }),
    )
    if (mapped === null) {
      return { kind: "gone", title: snapshot.title, reason: catalogReason("excluded_by_mapper") }
    }
    return { ...snapshot, mapped: checked(mapped, snapshot.mapped) }
  } catch (error) {
    const problem = messageOf(error)
    return { ...snapshot, mapped: failed(problem) }
  }
}

const failed = (problem: string): Mapped => ({
  ok: false,
  reason: catalogReason("mapper_failed", { problem: problem.slice(0, 300) }),
})

/** What came back, as it would travel: dates are texts, functions are gone, signs that were cut in two are replaced. */
function checked(
  mapped: unknown,
  { payload: before, currency, note }: Mapped & { ok: true },
): Mapped {
  const text = JSON.stringify(mapped)
  if (text === undefined) return failed("it returned nothing")
  const payload = wellFormed(JSON.parse(text))
  const problem = problemOf(payload)
  if (problem) return failed(String(problem.params?.fields ?? problem.message))
  // The check above has seen that it is one.
  const product = payload as PushedProduct
  if (product.id !== before.id) return failed("it changed the id")
  return mappedIn(currency, product, note)
}
