import type { MedusaContainer } from "@medusajs/framework/types"
import { type Connection, SVC_MODULE } from "../../modules/svc"
import type { ItemRow, ProductDiff, WalkPage, WalkRow } from "../../modules/svc/catalog"
import { LANE } from "../../modules/svc/shared/lanes"
import { passPoint } from "../../modules/svc/shared/points"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { announce, IMPORT_COMPLETED } from "./announce"
import { compareRows } from "./prepare-products"

/**
 * Products of one page: a pause, a kill or somebody's edit waits for no more than these, and with a hundred variants each
 * they keep a shopper's request waiting for a tenth of a second.
 */
const PAGE = 100

/**
 * Looks at the next page of a walk over all products of one connection: compares them with what the service has, and marks
 * what differs, or everything where it was asked for. What is equal costs a read: no row is written, no call made. A page
 * that cannot be looked at is due again later, and holds up nothing else.
 *
 * @param lease whoever goes on for longer renews it
 * @returns whether there was a page
 */
export async function walkOnePage(
  container: MedusaContainer,
  connectionId: string,
  lease: { token: string; leaseMs: number },
): Promise<boolean> {
  const svc = container.resolve(SVC_MODULE)
  const { walks } = svc.catalog
  const walk = await walks.claim(connectionId, lease)
  if (!walk) return false
  passPoint("walk claimed")
  try {
    const connection = await svc.connections.background.find(connectionId)
    if (!connection) return false
    const ids = await svc.catalog.storeProducts.idsToCompare(
      connection,
      walk.cursor ?? "",
      PAGE,
      walk.kind === "compare",
    )
    const page = await compare(container, connection, walk, ids)
    passPoint("walk looked")
    await walks.finishPage(walk, page)
    passPoint("walk marked")
  } catch (error) {
    const problem = sqlProblem(error)
    container.resolve("logger").error(`svc: products could not be compared: ${problem}`)
    await walks.failed(walk, problem)
  }
  return true
}

/** Ends walks that have nothing left to look at or to wait for; what was changed while one went on begins the next. */
export async function endWalks(container: MedusaContainer, connectionId: string): Promise<void> {
  const ended = await container.resolve(SVC_MODULE).catalog.walks.complete(connectionId)
  for (const { id, total, done, failed } of ended) {
    announce(container, IMPORT_COMPLETED, {
      connection_id: connectionId,
      import_id: id,
      total,
      done,
      failed,
    })
  }
}

const nextCursor = (ids: string[]): string | null =>
  ids.length === PAGE ? (ids.at(-1) ?? null) : null

async function compare(
  container: MedusaContainer,
  connection: Connection,
  walk: WalkRow,
  ids: string[],
): Promise<WalkPage> {
  const svc = container.resolve(SVC_MODULE)
  const next = nextCursor(ids)
  if (walk.force) return { next, changed: ids }
  const known = await svc.catalog.items.known(connection.id, ids)
  const toCompare = [...known.values()].filter((row) => !isMarkedUnseen(row, walk))
  const diffs = await compareRows(container, connection, toCompare)
  const isChanged = (id: string): boolean => {
    const row = known.get(id)
    return isToBeMarked(row, row && diffs.get(row.id), walk)
  }
  return { next, changed: ids.filter(isChanged) }
}

/**
 * Whether a row is marked whatever its product is like now: the worker that sends it reads the product anyway, and a
 * first import would otherwise read the whole catalog twice.
 */
function isMarkedUnseen(row: ItemRow, walk: WalkRow): boolean {
  // The row is dirty already. An import still has to wait for it. A worker that has it may have read the product, or
  // whom it is for, before what this walk was opened for: what it settles must not make the row clean.
  if (row.wanted > row.acknowledged) return walk.kind === "import" || row.is_claimed
  // Refused: each walk tries it once more.
  return row.state === "failed"
}

function isToBeMarked(
  row: ItemRow | undefined,
  diff: ProductDiff | undefined,
  walk: WalkRow,
): boolean {
  // Nobody knows it yet, or it was not looked at because it is marked in any case.
  if (!row || !diff || isMarkedUnseen(row, walk)) return true
  if (row.wanted > row.acknowledged) {
    // A mark that is an import's alone waits while the import is paused, and goes when it is cancelled. What differs
    // from what the service has must not be lost with it. Products that the service never got are left to the import.
    return row.lane === LANE.import && row.acknowledged_hash !== null && diff.send !== null
  }
  return (
    diff.send !== null ||
    diff.state !== row.state ||
    (diff.reason?.code ?? null) !== row.reason_code ||
    (diff.reason?.message ?? null) !== row.reason_message
  )
}
