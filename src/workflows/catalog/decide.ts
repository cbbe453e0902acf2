import { canonicalHash, type PushedProduct } from "../../contract"
import type { Reason } from "../../modules/svc/backoff"
import type { ItemRow } from "../../modules/svc/sql/catalog"
import { notForSale } from "./payload"
import type { Standing } from "./read-products"

/** What the service shall be told of one product, and how its row reads afterwards. */
export type Decision = {
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
export function decide(row: Known, standing: Standing, disabledStatus: string): Decision {
  const { title } = standing
  if (standing.kind === "gone") {
    return {
      state: "removed",
      title,
      reason: standing.reason,
      send: withdrawal(row, disabledStatus),
    }
  }
  if (!standing.mapped.ok) {
    return {
      state: "invalid",
      title,
      reason: standing.mapped.reason,
      send: withdrawal(row, disabledStatus),
    }
  }
  const { payload, note } = standing.mapped
  return { state: "synced", title, reason: note, send: unlessKnown(row, payload) }
}

const withdrawal = (row: Known, status: string): Decision["send"] =>
  row.last_payload === null ? null : unlessKnown(row, notForSale(row.last_payload, status))

function unlessKnown(row: Known, payload: PushedProduct): Decision["send"] {
  const hash = canonicalHash(payload)
  return hash === row.acknowledged_hash && !row.force ? null : { payload, hash }
}
