/** What is written down of products that were sent, or should have been. */

import type { MedusaContainer } from "@medusajs/framework/types"
import type { SvcError } from "../../client"
import { type Connection, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import type { ClaimedRow, ProductDiff, Settlement } from "../../modules/svc/catalog"
import { catalogReason, holdMs, holdReason } from "../../modules/svc/catalog"
import type { Reason } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { diffRows, readSnapshots } from "./prepare-products"

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

/** What cannot be read now is a problem of the store, not of the service. */
const STORE_RETRY_MS = 30_000

/** What claimed rows of one connection are to be told; null where the store could not be read, and they wait for it. */
export async function readClaimed(
  container: MedusaContainer,
  connection: Connection,
  rows: ClaimedRow[],
): Promise<Map<string, ProductDiff> | null> {
  const svc = container.resolve(SVC_MODULE)
  try {
    const ids = rows.map((row) => row.product_id)
    return await diffRows(svc, connection, rows, await readSnapshots(container, connection, ids))
  } catch (error) {
    const problem = sqlProblem(error)
    container.resolve("logger").error(`svc: products could not be read: ${problem}`)
    const reason = catalogReason("store_error", { problem: problem.slice(0, 300) })
    await waitForStore(svc, rows, { inMs: STORE_RETRY_MS, reason })
    return null
  }
}

/** Leaves rows due later that nobody tried to send: it counts as no attempt. */
export async function waitForStore(
  svc: SvcModuleService,
  rows: ClaimedRow[],
  waits: { inMs: number; reason: Reason },
): Promise<void> {
  const [first] = rows
  if (!first) return
  await svc.catalog.items.postpone(
    first.lease_token,
    rows.map(({ id, attempts }) => ({
      id,
      ...waits,
      attempts: attempts - 1,
      alone: false,
      mayBeTaken: null,
    })),
  )
}

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
