import { randomUUID } from "node:crypto"
import type { MedusaContainer } from "@medusajs/framework/types"
import { type Connection, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import type { ProductDiff } from "../../modules/svc/catalog/diff-product"
import type { ItemRow } from "../../modules/svc/catalog/item-rows"
import type { WalkPage, WalkRow } from "../../modules/svc/catalog/walk-rows"
import { LANE } from "../../modules/svc/shared/lanes"
import { passPoint } from "../../modules/svc/shared/points"
import { diffRows, readSnapshots } from "./prepare-products"

/** Products of one page: about 100 ms, so a pause, a kill or somebody's edit waits for no more than that. */
const PAGE = 500
const LEASE_MS = 30_000
/** A walk that could not look at a single page for a day needs a person. */
const GIVE_UP_MS = 24 * 3_600_000

/**
 * Looks at the next page of a connection's walk: compares its products with what the service has, and marks what differs,
 * or everything where it was asked for. What is equal costs a read: no row is written, no call made.
 *
 * @returns whether there was a page
 */
export async function walkOnePage(
  container: MedusaContainer,
  connectionId: string,
): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const token = randomUUID()
  const walk = await svc.walks.claim(connectionId, token, LEASE_MS)
  if (!walk) return false
  passPoint("walk claimed")
  try {
    const connection = await svc.background.connections.find(connectionId)
    if (!connection) return false
    const page = await lookAt(svc, connection, walk)
    passPoint("walk looked")
    await svc.walks.finishPage(walk, token, page)
    passPoint("walk marked")
    return true
  } catch (error) {
    await svc.walks.release(walk.id, token).catch(() => undefined)
    if (Date.now() - walk.started_at.getTime() > GIVE_UP_MS) {
      await svc.walks.fail(walk.id, error instanceof Error ? error.message : String(error))
    }
    throw error
  }
}

async function lookAt(
  svc: SvcModuleService,
  connection: Connection,
  walk: WalkRow,
): Promise<WalkPage> {
  const ids = await svc.storeProducts.idsToCompare(connection, walk.cursor ?? "", PAGE)
  const page: WalkPage = {
    next: ids.length === PAGE ? (ids.at(-1) ?? null) : null,
    changed: [],
    done: 0,
    failed: 0,
  }
  if (walk.force) return { ...page, changed: ids }
  const [snapshots, known] = await Promise.all([
    readSnapshots(svc, connection, ids),
    svc.items.known(connection.id, ids),
  ])
  const diffs = await diffRows(svc, connection, [...known.values()], snapshots)
  for (const id of ids) {
    const row = known.get(id)
    if (isToBeMarked(row, row && diffs.get(row.id), walk)) page.changed.push(id)
    else if (row?.state === "synced") page.done += 1
    else if (row?.state === "invalid") page.failed += 1
  }
  return page
}

function isToBeMarked(
  row: ItemRow | undefined,
  diff: ProductDiff | undefined,
  walk: WalkRow,
): boolean {
  if (!row || !diff) return true
  if (row.wanted > row.acknowledged) {
    // The row is dirty already. An import still has to wait for it. A worker that has it may have read the product, or
    // whom it is for, before what this walk was opened for: what it settles must not make the row clean.
    if (walk.kind === "import" || row.is_claimed) return true
    // A mark that is an import's alone waits while the import is paused, and goes when it is cancelled. What differs
    // from what the service has must not be lost with it. Products that the service never got are left to the import.
    return row.lane === LANE.import && row.acknowledged_hash !== null && diff.send !== null
  }
  // Refused or given up: each walk tries it once more.
  return (
    row.state === "failed" ||
    diff.send !== null ||
    diff.state !== row.state ||
    (diff.reason?.code ?? null) !== row.reason_code ||
    (diff.reason?.message ?? null) !== row.reason_message
  )
}
