/** What is written down of products that were sent, or should have been. */
import type { SvcError } from "../../client"
import type { SvcModuleService } from "../../modules/svc"
import type { ClaimedRow, ProductDiff, Settlement } from "../../modules/svc/catalog"
import { catalogReason, holdMs, holdReason } from "../../modules/svc/catalog"
import type { Reason } from "../../modules/svc/shared/reason"

/** What a product is told, with its payload written out: once for the call and for the row, and smaller than the object. */
export type WrittenDiff = Omit<ProductDiff, "send"> & {
  send: { text: string; hash: string } | null
}

export const written = ({ send, ...diff }: ProductDiff): WrittenDiff => ({
  ...diff,
  send: send && { text: JSON.stringify(send.payload), hash: send.hash },
})

export const settlementOf = (row: ClaimedRow, diff: WrittenDiff, target: string): Settlement => ({
  id: row.id,
  generation: row.wanted,
  state: diff.state,
  title: diff.title,
  sent: diff.send,
  reason: diff.reason,
  target,
  readAt: row.claimed_at,
  again: diff.again && diff.send !== null,
})

export const failedSettlement = (
  { row, diff, target }: { row: ClaimedRow; diff: WrittenDiff; target: string },
  reason: Reason,
): Settlement => ({
  ...settlementOf(row, diff, target),
  state: "failed",
  sent: null,
  reason,
  again: false,
})

/** The service's own words where it gave some: they name the field that is wrong. */
export const refusal = (error: SvcError): Reason =>
  error.status === 413
    ? catalogReason("product_too_large")
    : catalogReason("svc_rejected", { answer: error.said ?? error.message })

/** Leaves a connection alone for as long as its service has asked for. */
export async function holdAsTold(
  svc: SvcModuleService,
  connectionId: string,
  error: SvcError,
  holds: number,
): Promise<void> {
  await svc.catalog.pace.slowDown(connectionId)
  await svc.connections.holds.hold(connectionId, "products", {
    ms: holdMs(error, holds, Math.random()),
    reason: holdReason(error),
    counts: false,
  })
}
