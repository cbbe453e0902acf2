/**
 * What must hold when the trouble is over and all work is done, whatever happened before. Pure: each answers with one
 * sentence for each thing that is wrong, and with nothing where all is well.
 */
import { isDeepStrictEqual } from "node:util"

export type ProductFacts = {
  title: string
  state: string
  /** What the store would send now; null where nothing. */
  payload: Record<string, unknown> | null
  /** What the service has; undefined where it never came. */
  received: Record<string, unknown> | undefined
}

/** The service has each product as the store would send it now. */
export const catalogProblems = (products: readonly ProductFacts[]): string[] =>
  products.flatMap(({ title, state, payload, received }) => {
    if (state !== "synced" && state !== "removed") return [`product "${title}" is ${state}`]
    if (payload === null || isDeepStrictEqual(payload, received)) return []
    const fields = [...new Set([...Object.keys(payload), ...Object.keys(received ?? {})])]
    const wrong = fields.filter((field) => !isDeepStrictEqual(payload[field], received?.[field]))
    return [`product "${title}" differs at the service in ${wrong.join(", ")}`]
  })

export type OrderFacts = {
  orderId: string
  /** Whether a payment is there that counts. */
  isPaid: boolean
  isCancelled: boolean
  /** Of lines that a show sold, in major units. */
  lines: { id: string; unitPrice: number; proven: number | null; known: readonly number[] }[]
  attributions: { orderNo: string; state: string; reason: string | null; accepted: number }[]
  /** Sum of the ledger's entries, and Medusa's own total; major units. */
  ledger: number
  total: number
}

export type ReportFacts = {
  /** By order number: calls of `/processOrders`, whether it counts as converted, and the idempotency keys that were seen. */
  reports: ReadonlyMap<string, { calls: number; converted: boolean; keys: readonly string[] }>
  /** Calls that the store wrote down before it made them, by order number. */
  attempts: ReadonlyMap<string, number>
}

/** Each order of a show that was paid is reported under each of its numbers, each number once. */
export function reportProblems(
  orders: readonly OrderFacts[],
  { reports, attempts }: ReportFacts,
): string[] {
  const problems: string[] = []
  const reported = new Set<string>()
  for (const { orderId, isPaid, isCancelled, lines, attributions } of orders) {
    const due = isPaid && !isCancelled && lines.length > 0
    if (due && attributions.length === 0) problems.push(`order ${orderId} is not attributed`)
    for (const { orderNo, state, reason, accepted } of attributions) {
      if (state === "reported") {
        if (reported.has(orderNo)) problems.push(`${orderNo} is reported for two orders`)
        reported.add(orderNo)
        if (accepted !== 1) problems.push(`${orderNo} was accepted ${accepted} times`)
        if (!reports.get(orderNo)?.converted) problems.push(`the service knows no ${orderNo}`)
      } else if (due) problems.push(`order ${orderId}, ${orderNo}, is ${state} (${reason})`)
    }
  }
  for (const [orderNo, { calls, converted, keys }] of reports) {
    if (converted && !attempts.has(orderNo)) problems.push(`${orderNo} was reported by nobody`)
    if (calls > (attempts.get(orderNo) ?? 0))
      problems.push(`a call for ${orderNo} is not on record`)
    if (keys.length > 1) problems.push(`${orderNo} has ${keys.length} idempotency keys`)
  }
  return problems
}

/** A thousandth of a minor unit and less are what taxes leave when they are divided. */
const ROUNDING = 0.01

/** The ledger of an order sums up to Medusa's own total, and of a cancelled one to nothing. */
export const ledgerProblems = (orders: readonly OrderFacts[]): string[] =>
  orders.flatMap(({ orderId, attributions, isCancelled, ledger, total }) => {
    if (attributions.length === 0) return []
    const expected = isCancelled ? 0 : total
    if (Math.abs(ledger - expected) < ROUNDING) return []
    return [`the ledger of ${orderId} says ${ledger}, Medusa ${expected}`]
  })

/** No line was sold at a price that no proof carried, or that the show never had. */
export const priceProblems = (orders: readonly OrderFacts[]): string[] =>
  orders.flatMap(({ orderId, attributions, lines }) =>
    attributions.length === 0
      ? []
      : lines.flatMap(({ id, unitPrice, proven, known }) => {
          if (proven === null) return [`line ${id} of ${orderId} was sold without a proof`]
          if (proven !== unitPrice) return [`line ${id}: sold at ${unitPrice}, proven ${proven}`]
          return known.includes(proven) ? [] : [`line ${id}: the show never had ${proven}`]
        }),
  )

/** One record of a show, from either side: its id, and what both sides know of it. */
export type ShowRecord = { id: string; says: Record<string, unknown> }

/** Our copy of shows and their products is the service's. */
export function projectionProblems(
  ours: readonly ShowRecord[],
  theirs: readonly ShowRecord[],
): string[] {
  const mine = new Map(ours.map((record) => [record.id, record.says]))
  const problems = theirs.flatMap(({ id, says }) => {
    const known = mine.get(id)
    mine.delete(id)
    if (!known) return [`${id} is not known here`]
    if (isDeepStrictEqual(known, says)) return []
    return [`${id} is ${JSON.stringify(known)} here and ${JSON.stringify(says)} there`]
  })
  return [...problems, ...[...mine.keys()].map((id) => `${id} does not exist at the service`)]
}

/** Nobody holds a lease when nothing is left to do. */
export const leaseProblems = (leases: readonly { table: string; rows: number }[]): string[] =>
  leases.flatMap(({ table, rows }) => (rows === 0 ? [] : [`${rows} leased rows in ${table}`]))

/** No table has more rows than what was done accounts for. */
export const growthProblems = (
  tables: readonly { table: string; rows: number; atMost: number }[],
): string[] =>
  tables.flatMap(({ table, rows, atMost }) =>
    rows <= atMost ? [] : [`${table} has ${rows} rows, more than ${atMost}`],
  )

/** Calls that began within any one second. @param times ms, in any order */
export function mostInASecond(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other)
  let first = 0
  let most = 0
  for (const [n, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) >= 1_000) first += 1
    most = Math.max(most, n - first + 1)
  }
  return most
}

/** Leases as they were seen at one moment: of each process that held any, by the beginning of its tokens. */
export type LeaseSample = { at: number; holders: Record<string, { rows: number; until: number }> }

/**
 * How long after each kill something was still held by a process that never leased anything again: ms, one for each such
 * process. Who was killed is not known by its tokens, so it is whoever was silent from then on.
 */
export function takeovers(samples: readonly LeaseSample[], kills: readonly number[]): number[] {
  const seen = new Map<string, { leasedAt: number; until: number; heldAt: number }>()
  for (const { at, holders } of samples) {
    for (const [holder, { until }] of Object.entries(holders)) {
      const known = seen.get(holder)
      // A later end is a new lease, or one that was renewed: its process lives.
      const leasedAt = known && until <= known.until ? known.leasedAt : at
      seen.set(holder, { leasedAt, until: Math.max(until, known?.until ?? 0), heldAt: at })
    }
  }
  return [...seen.values()].flatMap(({ leasedAt, heldAt }) => {
    const kill = kills.find((at) => at >= leasedAt)
    return kill !== undefined && heldAt > kill ? [heldAt - kill] : []
  })
}
