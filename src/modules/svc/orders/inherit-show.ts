import type { OrderSnapshot, SnapshotLine } from "./order-snapshot"

/** Which show sold an order's line. */
export type SoldBy = { connectionId: string; campaignUid: string }

/**
 * The show of each line, those included that an exchange or a claim sent out in the place of another: a size that is
 * exchanged for another stays sold by the show. The line that is replaced is one of the same variant, else of the same
 * product, else any, where all that came back were sold by one and the same show. Lines that an edit adds are not a
 * show's: nobody saw its price for them. Pure.
 */
export function withReplacements(
  order: OrderSnapshot,
  soldBy: ReadonlyMap<string, SoldBy>,
): Map<string, SoldBy> {
  const all = new Map(soldBy)
  const lines = new Map(order.lines.map((line) => [line.id, line]))
  // In the order in which they were made: a line that replaces one may itself be replaced.
  const sentOut = order.swaps
    .filter((swap) => swap.direction === "out" && !all.has(swap.lineId))
    .sort((a, b) => beginning(lines.get(a.lineId)) - beginning(lines.get(b.lineId)))
  for (const { id, lineId } of sentOut) {
    const cameBack = order.swaps.filter((swap) => swap.direction === "in" && swap.id === id)
    const replaced = cameBack.flatMap((swap) => lines.get(swap.lineId) ?? [])
    const show = showOfReplaced(lines.get(lineId), replaced, all)
    if (show) all.set(lineId, show)
  }
  return all
}

const beginning = (line: SnapshotLine | undefined): number =>
  Math.min(...(line?.versions ?? []).map(({ version }) => version), Number.MAX_SAFE_INTEGER)

function showOfReplaced(
  line: SnapshotLine | undefined,
  replaced: SnapshotLine[],
  soldBy: ReadonlyMap<string, SoldBy>,
): SoldBy | null {
  if (!line) return null
  const like = (same: (other: SnapshotLine) => boolean) => {
    const found = replaced.find((other) => same(other))
    return found && { show: soldBy.get(found.id) ?? null }
  }
  const alike =
    like((other) => other.variantId !== null && other.variantId === line.variantId) ??
    like((other) => other.productId !== null && other.productId === line.productId)
  if (alike) return alike.show
  const [first, ...others] = replaced.map((other) => soldBy.get(other.id) ?? null)
  const one = others.every(
    (show) =>
      show?.campaignUid === first?.campaignUid && show?.connectionId === first?.connectionId,
  )
  return one ? (first ?? null) : null
}
