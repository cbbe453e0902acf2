import { canonicalHash, type PushedProduct } from "../../../contract"
import type { Reason } from "../shared/reason"
import { type ItemRow, UNKNOWN_HASH } from "./item-rows"
import { notForSale, placeholder, withValuesOf } from "./product-payload"
import type { ProductSnapshot } from "./product-snapshot"

/** What the service has to be told of one product, and what its row says afterwards. */
export type ProductDiff = {
  state: "synced" | "invalid" | "removed"
  title: string | null
  reason: Reason | null
  /** Null where the service has it already, or has never heard of the product. */
  send: { payload: PushedProduct; hash: string } | null
  /** The service is told in two steps: this is the first. */
  again: boolean
}

export type Known = Pick<
  ItemRow,
  "product_id" | "acknowledged_hash" | "acknowledged_target" | "force"
> & {
  /** What this target accepted last; only read where `needsLastPayload`. */
  last: PushedProduct | null
}

export type DiffContext = {
  /** Whom it would be sent to (`target.ts`). */
  target: string
  /** Gap 24. */
  disabledStatus: string
  storefrontUrl: string
}

/** Hash of a product that was told to be not for sale: whatever it was before, there is nothing more to tell. */
const offHash = (status: string): string => `off:${status}`

/** Hash of the one target that the payload is for; where another one was told last, nothing is known to be equal. */
const hashAt = (row: Omit<Known, "last">, target: string): string | null =>
  row.acknowledged_target === target || row.acknowledged_hash === UNKNOWN_HASH
    ? row.acknowledged_hash
    : null

/**
 * Whether what the service accepted last has to be read before a product can be compared: it may have to be sent once
 * more, or may have variants that are gone. Most products of a walk are equal by their hash, and need nothing.
 */
export function needsLastPayload(
  row: Omit<Known, "last">,
  snapshot: ProductSnapshot,
  { target, disabledStatus }: DiffContext,
): boolean {
  // Nobody was ever told.
  if (row.acknowledged_hash === null) return false
  const hash =
    snapshot.kind === "gone" || !snapshot.mapped.ok ? offHash(disabledStatus) : snapshot.mapped.hash
  return row.force || hashAt(row, target) !== hash
}

/**
 * Compares what a product is in the store with what the service last accepted. Pure.
 *
 * A product that can no longer be sold (gone from the store or its channel, or without a price) is sent once more as
 * not for sale (gap 25), and so is a variant: left alone, a service that merges would go on selling it at its last price.
 */
export function diffProduct(
  row: Known,
  snapshot: ProductSnapshot,
  context: DiffContext,
): ProductDiff {
  const { title } = snapshot
  const base = { title, again: false }
  if (snapshot.kind === "gone") {
    return {
      ...base,
      state: "removed",
      reason: snapshot.reason,
      send: withdrawal(row, title, context),
    }
  }
  if (!snapshot.mapped.ok) {
    const { reason } = snapshot.mapped
    return { ...base, state: "invalid", reason, send: withdrawal(row, title, context) }
  }
  const { payload, hash, note } = snapshot.mapped
  const known = hashAt(row, context.target)
  const synced = { ...base, state: "synced" as const, reason: note }
  if (known === hash && !row.force) return { ...synced, send: null }
  const { last } = row
  const lost = lostVariants(last, payload, context.disabledStatus)
  if (lost.length === 0 || last?.type !== "configurable")
    return { ...synced, send: { payload, hash } }
  if (payload.type === "configurable") {
    const configurableOptions = withValuesOf(payload.configurableOptions, lost)
    const told = { ...payload, configurableOptions, variants: [...payload.variants, ...lost] }
    // The hash is of the product as it is: it is not sent again only to leave the lost variants out.
    return { ...synced, send: { payload: told, hash } }
  }
  // A simple product has no variants to turn off: they are turned off first, and then it becomes simple.
  const { type: _, ...fields } = payload
  const farewell: PushedProduct = {
    ...fields,
    type: "configurable",
    configurableOptions: withValuesOf(last.configurableOptions, last.variants),
    variants: last.variants.map((variant) => off(variant, context.disabledStatus)),
  }
  return { ...synced, send: { payload: farewell, hash: canonicalHash(farewell) }, again: true }
}

function withdrawal(
  row: Known,
  title: string | null,
  { target, disabledStatus, storefrontUrl }: DiffContext,
): ProductDiff["send"] {
  const known = hashAt(row, target)
  if (known === offHash(disabledStatus) && !row.force) return null
  // It was sent once, and the answer never came: the service may sell it, and nobody has kept the payload.
  const perhaps =
    known === UNKNOWN_HASH ? placeholder(row.product_id, title ?? "", storefrontUrl) : null
  const last = row.last ?? perhaps
  return last && { payload: notForSale(last, disabledStatus), hash: offHash(disabledStatus) }
}

const off = <Variant>(variant: Variant, status: string) => ({ ...variant, status, inventory: 0 })

/** Variants that are gone from the product, turned off: but for those that the service was told to be off, in this very word. */
function lostVariants(last: PushedProduct | null, now: PushedProduct, status: string) {
  if (last?.type !== "configurable") return []
  const present = new Set(now.type === "configurable" ? now.variants.map(({ id }) => id) : [])
  return last.variants
    .filter(({ id, status: told }) => told !== status && !present.has(id))
    .map((variant) => off(variant, status))
}
