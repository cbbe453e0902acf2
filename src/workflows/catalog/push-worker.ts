import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { SvcError } from "../../client"
import { refusalCode, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import { BatchSize } from "../../modules/svc/catalog/batch-size"
import { diffProduct, type ProductDiff } from "../../modules/svc/catalog/diff-product"
import type { ItemRow, Settlement } from "../../modules/svc/catalog/item-rows"
import { REASON } from "../../modules/svc/catalog/reasons"
import { Throttle } from "../../modules/svc/catalog/throttle"
import { afterFailure } from "../../modules/svc/shared/backoff"
import { readSnapshots } from "./read-products"
import { sendProducts } from "./send-products"

/** Rows of one claim. Small, so that an edit never waits long behind a page of an import. */
const PAGE = 250
/**
 * After this long, rows that a killed worker had claimed are due again. No call is begun in the last part of it,
 * because one takes up to 15 s.
 */
const LEASE_MS = 60_000
const LEASE_MARGIN_MS = 20_000
/** A page that waited this long for its turn gets a new lease. */
const RENEW_AFTER_MS = 10_000
/** When the store could not be read: the fault is ours, not the service's, so the breaker is left alone. */
const STORE_RETRY_MS = 60_000
/** Milliseconds that a person waits for "send now". */
const PUSH_NOW_MS = 25_000

/** How calls are limited, per process and connection. Only a cache: losing it costs a few seconds of caution. */
type CallLimits = { throttle: Throttle; size: BatchSize }
/** By store: two applications in one process (tests) must not share their limits. */
const callLimits = new WeakMap<Knex, Map<string, CallLimits>>()

function callLimitsOf(container: MedusaContainer, connectionId: string): CallLimits {
  const store = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const ofStore = callLimits.get(store) ?? new Map<string, CallLimits>()
  callLimits.set(store, ofStore)
  const { catalogRequestsPerSecond, catalogBatchSize } = container.resolve(SVC_MODULE).options
  const known = ofStore.get(connectionId) ?? {
    throttle: new Throttle(catalogRequestsPerSecond),
    size: new BatchSize(catalogBatchSize),
  }
  ofStore.set(connectionId, known)
  return known
}

/** `background` asks the breaker first; `now` does not, because a person waits for the answer. */
type Urgency = "background" | "now"

/**
 * Makes the service equal to every due row of every connection, edits before what imports marked. Any number of
 * processes may run it at once: a row is claimed by one of them, and is due again when that one dies.
 */
export async function pushDueProducts(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({}, { take: null })
  const passes = await Promise.allSettled(
    connections.map(({ id }) => new ConnectionPush(container, id).run()),
  )
  await svc.imports.complete()
  for (const pass of passes) {
    // A connection that was deleted during the pass has nothing left to send.
    if (pass.status === "rejected" && refusalCode(pass.reason) !== "connection_not_found") {
      throw pass.reason
    }
  }
}

/** Milliseconds until there is something to do again; null when no row waits for its time. */
export async function nextPush(container: MedusaContainer): Promise<number | null> {
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({}, { take: null })
  const waits = await Promise.all(
    connections.map(async (connection) => {
      const waiting = await svc.items.waiting(connection.id)
      const breakerMs = (connection.breaker_open_until?.getTime() ?? 0) - Date.now()
      return waiting.any && breakerMs > 0 ? breakerMs : waiting.nextInMs
    }),
  )
  const due = waits.filter((wait) => wait !== null)
  return due.length > 0 ? Math.min(...due) : null
}

/**
 * "Send now": sends one product even if the service has an equal payload, and waits for the attempt.
 *
 * @throws SvcRefusal `not_found`
 */
export async function pushNow(container: MedusaContainer, itemId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const rows = svc.items
  const [marked] = await rows.markToSend([itemId])
  if (!marked) {
    throw new SvcRefusal("not_found", "This product is not known to the plugin. Start an import.")
  }
  const giveUpAt = Date.now() + PUSH_NOW_MS
  while (Date.now() < giveUpAt) {
    const token = randomUUID()
    const row = await rows.claimOne(itemId, { leaseMs: LEASE_MS, token })
    if (row) {
      await new ConnectionPush(container, row.connection_id, "now").deliver({ token, rows: [row] })
      return
    }
    // A worker has the row. Once it has settled or postponed it, the attempt that the person waits for was made.
    if (await rows.isAttempted(itemId, marked.wanted)) return
    await sleep(200)
  }
}

type Page = { token: string; claimedAt: number; rows: ItemRow[]; diffs: Map<string, ProductDiff> }

/** One worker's pass over one connection. */
class ConnectionPush {
  readonly #svc: SvcModuleService

  constructor(
    private readonly container: MedusaContainer,
    private readonly connectionId: string,
    private readonly urgency: Urgency = "background",
  ) {
    this.#svc = container.resolve(SVC_MODULE)
  }

  /** Reads the next page while the one before is being sent: the store and the service are never both idle. */
  async run(): Promise<void> {
    let next = this.#claimPage()
    for (;;) {
      const page = await next
      if (!page) return
      next = this.#claimPage()
      // Awaited after the page is sent; until then a failure must not count as an unhandled rejection.
      next.catch(() => undefined)
      let answering = false
      try {
        answering = await this.#send(page)
      } finally {
        if (!answering) await this.#giveBack(next)
      }
      if (!answering) return
    }
  }

  async deliver(claimed: { token: string; rows: ItemRow[] }): Promise<void> {
    const page = await this.#read(claimed)
    if (page) await this.#send(page)
  }

  async #giveBack(next: Promise<Page | null>): Promise<void> {
    const page = await next.catch(() => null)
    if (page) {
      await this.#svc.items.release(
        page.token,
        page.rows.map((row) => row.id),
      )
    }
  }

  async #claimPage(): Promise<Page | null> {
    for (;;) {
      const [connection] = await this.#svc.listSvcConnections({ id: this.connectionId })
      // While the breaker is open nothing is claimed, so no attempt is counted.
      if (!connection || (connection.breaker_open_until?.getTime() ?? 0) > Date.now()) return null
      const token = randomUUID()
      const input = { limit: PAGE, leaseMs: LEASE_MS, token }
      let rows = await this.#svc.items.claimPage(this.connectionId, "live", input)
      if (rows.length === 0)
        rows = await this.#svc.items.claimPage(this.connectionId, "bulk", input)
      if (rows.length === 0) return null
      const page = await this.#read({ token, rows })
      if (page) return page
    }
  }

  /** Null when the store could not be read; the rows are due again in a minute. */
  async #read({ token, rows }: { token: string; rows: ItemRow[] }): Promise<Page | null> {
    const claimedAt = Date.now()
    try {
      const connection = await this.#svc.connection(this.connectionId)
      const snapshots = await readSnapshots(
        this.container,
        connection,
        rows.map((row) => row.product_id),
      )
      const diffs = new Map<string, ProductDiff>()
      for (const row of rows) {
        const snapshot = snapshots.get(row.product_id)
        if (snapshot) {
          diffs.set(row.id, diffProduct(row, snapshot, this.#svc.options.catalogDisabledStatus))
        }
      }
      return { token, claimedAt, rows, diffs }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.container.resolve("logger").error(`svc: products could not be read: ${message}`)
      const ids = rows.map((row) => row.id)
      await this.#svc.items.retryLater(token, ids, STORE_RETRY_MS, REASON.store_error(message))
      return null
    }
  }

  /** @returns whether the service answers, so that going on makes sense */
  async #send(page: Page): Promise<boolean> {
    await this.#renew(page)
    const { throttle, size } = callLimitsOf(this.container, this.connectionId)
    const toSend = page.rows.flatMap((row) => page.diffs.get(row.id)?.send?.payload ?? [])
    const call = this.urgency === "now" ? "callNow" : "call"
    const outcomes = await sendProducts(
      toSend,
      size,
      async (products) => {
        await sleep(throttle.take())
        return this.#svc[call](this.connectionId, (client) => client.pushProducts(products))
      },
      () => Date.now() < page.claimedAt + LEASE_MS - LEASE_MARGIN_MS,
    )

    const settlements: Settlement[] = []
    const untried: string[] = []
    const later = new Map<SvcError, ItemRow[]>()
    for (const row of page.rows) {
      const diff = page.diffs.get(row.id)
      const outcome = outcomes.get(row.product_id)
      if (!diff || outcome?.kind === "untried") untried.push(row.id)
      else if (outcome?.kind === "later") {
        later.set(outcome.error, [...(later.get(outcome.error) ?? []), row])
      } else settlements.push(settlement(row, diff, outcome))
    }
    for (const [error, rows] of later) {
      const dead = await this.#postpone(page.token, error, rows)
      settlements.push(...dead)
    }
    const settled = await this.#svc.items.settle(page.token, settlements)
    await this.#svc.items.release(page.token, untried)
    await this.#resendRowsTakenOver(settlements, settled)
    return later.size === 0
  }

  /** The page before may have been slow. Rows whose lease another worker has by now are left to it. */
  async #renew(page: Page): Promise<void> {
    if (Date.now() - page.claimedAt < RENEW_AFTER_MS) return
    page.claimedAt = Date.now()
    const ours = await this.#svc.items.renew(
      page.token,
      page.rows.map((row) => row.id),
      LEASE_MS,
    )
    page.rows = page.rows.filter((row) => ours.has(row.id))
  }

  /** @returns the rows that have failed for 24 hours: dead letters, which wait for a person */
  async #postpone(token: string, error: SvcError, rows: ItemRow[]): Promise<Settlement[]> {
    const ids = (some: ItemRow[]) => some.map((row) => row.id)
    // The breaker is open: no call was made.
    if (error.code === "svc_paused") {
      await this.#svc.items.release(token, ids(rows))
      return []
    }
    const dead: Settlement[] = []
    const retried: ItemRow[] = []
    // One delay for the whole batch, so that rows that failed together are sent together again, in one call.
    let inMs = 0
    let reason = REASON.store_error(error.message)
    const random = Math.random()
    for (const row of rows) {
      const failingForMs = row.failing_since ? Date.now() - row.failing_since.getTime() : 0
      const verdict = afterFailure({ error, attempts: row.attempts, failingForMs, random })
      reason = verdict.reason
      if (verdict.kind === "retry") {
        retried.push(row)
        inMs = Math.max(inMs, verdict.inMs)
      } else {
        dead.push(deadLetter(row, verdict.reason))
      }
    }
    if (retried.length > 0) await this.#svc.items.retryLater(token, ids(retried), inMs, reason)
    // The service asked us to slow down: that concerns every worker, not only this batch.
    if (error.code === "svc_rate_limited" && error.retryAfterMs) {
      await this.#svc.items.delayConnection(this.connectionId, error.retryAfterMs)
    }
    return dead
  }

  /**
   * Marks rows that another worker took over while our call was under way: the service may have got our older payload
   * last, and only sending once more makes sure that it has the newer one.
   */
  async #resendRowsTakenOver(settlements: Settlement[], settled: Set<string>): Promise<void> {
    const taken = settlements.filter((row) => row.sent && !settled.has(row.id)).map((row) => row.id)
    if (taken.length > 0) await this.#svc.items.markToSend(taken)
  }
}

function settlement(
  row: ItemRow,
  diff: ProductDiff,
  outcome: { kind: "accepted" } | { kind: "refused"; reason: Settlement["reason"] } | undefined,
): Settlement {
  const base = { id: row.id, generation: row.wanted, title: diff.title }
  return outcome?.kind === "refused"
    ? { ...base, state: "failed", sent: null, reason: outcome.reason }
    : { ...base, state: diff.state, sent: diff.send, reason: diff.reason }
}

const deadLetter = (row: ItemRow, reason: Settlement["reason"]): Settlement => ({
  id: row.id,
  generation: row.wanted,
  title: null,
  state: "failed",
  sent: null,
  reason,
})
