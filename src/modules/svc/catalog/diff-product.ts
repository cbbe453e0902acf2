import { canonicalHash, type PushedProduct } from "../../../contract"
import type { Reason } from "../shared/reason"
import type { ItemRow } from "./item-rows"
import { notForSale } from "./product-payload"
import type { ProductSnapshot } from "./product-snapshot"

/** What the service has to be told of one product, and what its row says afterwards. */
export type ProductDiff = {
  state: "synced" | "invalid" | "removed"
  title: string | null
  reason: Reason | null
  /** Null where the service has it already, or has never heard of the product. */
  send: { payload: PushedProduct; hash: string } | null
}

type Known = Pick<ItemRow, "acknowledged_hash" | "last_payload" | "force">

/**
 * Compares what a product is in the store with what the service last accepted. Pure.
 *
 * A product that can no longer be sold (gone from the store or its channel, or without a price) is sent once more as
 * not for sale (gap 25): left alone, the service would go on selling it at its last price.
 */
export function diffProduct(
  row: Known,
  snapshot: ProductSnapshot,
  disabledStatus: string,
): ProductDiff {
  const { title } = snapshot
  if (snapshot.kind === "gone") {
    return {
      state: "removed",
      title,
      reason: snapshot.reason,
      send: withdrawal(row, disabledStatus),
    }
  }
  if (!snapshot.mapped.ok) {
    return {
      state: "invalid",
      title,
      reason: snapshot.mapped.reason,
      send: withdrawal(row, disabledStatus),
    }
  }
  const { payload, note } = snapshot.mapped
  return { state: "synced", title, reason: note, send: unlessKnown(row, payload) }
}

const withdrawal = (row: Known, status: string): ProductDiff["send"] =>
  row.last_payload === null ? null : unlessKnown(row, notForSale(row.last_payload, status))

function unlessKnown(row: Known, payload: PushedProduct): ProductDiff["send"] {
  const hash = canonicalHash(payload)
  return hash === row.acknowledged_hash && !row.force ? null : { payload, hash }
}
