import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import type { ClaimedRow } from "../../modules/svc/catalog"
import {
  catalogReason,
  judgeFailure,
  mayHaveTaken,
  readCatalogSettings,
  requireCatalogSettings,
  targetOf,
} from "../../modules/svc/catalog"
import { backoffMs } from "../../modules/svc/shared/backoff"
import { reasonOf } from "../../modules/svc/shared/reason"
import { settingUnreadable } from "../../modules/svc/shared/stored-settings"
import {
  failedSettlement,
  holdAsTold,
  readClaimed,
  refusal,
  settlementOf,
  waitForStore,
  written,
} from "./push-outcomes"

/** How long a product waits for a setting that nobody can read. */
const UNREADABLE_MS = 60_000

/**
 * "Send now": sends one claimed row while a person waits. Neither the pace nor a hold is in the way. What the service
 * answers is about this product, unless it asks for patience: that holds for all sending.
 */
export async function pushOne(container: MedusaContainer, row: ClaimedRow): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const token = row.lease_token
  const connection = await svc.connection(row.connection_id)
  const { unreadable } = readCatalogSettings(connection.catalog)
  if (unreadable) {
    const reason = settingUnreadable(unreadable)
    return waitForStore(svc, [row], { inMs: UNREADABLE_MS, reason })
  }
  const diffs = await readClaimed(container, connection, [row])
  if (!diffs) return
  const read = diffs.get(row.id)
  if (!read) return svc.catalog.items.release(token, [row.id])
  const diff = written(read)
  const { send } = diff
  const { push } = requireCatalogSettings(connection.catalog)
  const target = targetOf(connection)
  if (!send || !push) {
    await svc.catalog.items.settle(token, [settlementOf(row, diff, target)])
    return
  }
  const work = { row, diff, target }
  try {
    const [named] = await svc.connections.calls.paced(connection, (client) =>
      client.pushProducts([send.text]),
    )
    const settlement = named
      ? failedSettlement(work, {
          ...catalogReason("svc_rejected", { answer: named.message }),
          code: named.code,
        })
      : settlementOf(row, diff, target)
    const settled = await svc.catalog.items.settle(token, [settlement])
    // A worker took the row over meanwhile: the service may have got our older payload last.
    if (!settled.has(row.id)) await svc.catalog.items.markToSend([row.id])
    if (!named) await svc.connections.holds.wentWell(connection.id, "products", false)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.status === 400 || error.status === 422 || error.status === 413) {
      await svc.catalog.items.settle(token, [failedSettlement(work, refusal(error))])
      return
    }
    if (judgeFailure(error) === "slow_down") await holdAsTold(svc, connection.id, error, 0)
    await svc.catalog.items.postpone(token, [
      {
        id: row.id,
        inMs: backoffMs(row.attempts, Math.random()),
        reason: reasonOf(error),
        alone: false,
        mayBeTaken: mayHaveTaken(error) ? send.text : null,
      },
    ])
  }
}
