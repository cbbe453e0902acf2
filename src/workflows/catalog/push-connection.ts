import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import type { PushFailure } from "../../contract"
import { type Connection, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import type {
  ClaimedRow,
  Pace,
  Postponement,
  ProductDiff,
  Settlement,
} from "../../modules/svc/catalog"
import {
  addJudged,
  catalogReason,
  type Group,
  holdMs,
  holdReason,
  isGivenUp,
  type Judged,
  judgeFailure,
  mayHaveTaken,
  probeSize,
  readCatalogSettings,
  refusesMost,
  requireCatalogSettings,
  type Sendable,
  SendQueue,
  type Stop,
  sentence,
  targetOf,
} from "../../modules/svc/catalog"
import { backoffMs } from "../../modules/svc/shared/backoff"
import { LANE } from "../../modules/svc/shared/lanes"
import { passPoint } from "../../modules/svc/shared/points"
import { type Reason, reasonOf } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { settingUnreadable } from "../../modules/svc/shared/stored-settings"
import { announce, PRODUCT_REFUSED, PRODUCT_SYNCED } from "./announce"
import { diffRows, readSnapshots } from "./prepare-products"
import {
  failedSettlement,
  holdAsTold,
  refusal,
  settlementOf,
  type WrittenDiff,
  written,
} from "./push-outcomes"
import { Signal } from "./signal"
import { Walker } from "./walk"

/** Rows of one claim and one read. */
const PAGE = 500
/** Batches that are left when the next page is read: the store and the service are never both idle. */
const AHEAD = 4
/** Calls under way at once: one slow answer must not slow all sending down. */
const IN_FLIGHT = 3
/** What a killed worker had claimed is due again after this. */
const LEASE_MS = 30_000
const BEAT_MS = 8_000
/** One call takes this at most; none is begun whose lease may end before its answer. */
const CALL_MS = 15_000
/** While calls are under way, how often it is looked whether somebody's edit has come meanwhile. */
const LOOK_MS = 250
/** A setting that nobody can read is looked at again: somebody may have mended it in SQL. */
const UNREADABLE_MS = 60_000
/** A product that cannot be read now is a problem of the store, not of the service. */
const STORE_RETRY_MS = 30_000

/** A claimed row whose product has to be sent. */
type Work = Sendable & {
  row: ClaimedRow
  diff: WrittenDiff
  /** Whom the payload was made for (`target.ts`): it is sent to nobody else. */
  target: string
}

/**
 * One worker's run over one connection: claims due rows, reads and compares their products, and sends what differs, until
 * nothing is due or the service does not take it. Right with any number of processes at once: a row is claimed by one
 * of them, each call asks the shared pace first, and each answer is settled at once.
 *
 *   feed:      claim ── read ── compare ──┬─ equal: settled
 *              walk a page where nothing is due, or the queue is full   └─ differs ──► queue
 *   dispatch:  pace ── take ── POST /products ──► settled, postponed, or back into the queue in halves
 */
export class ConnectionPush {
  readonly #svc: SvcModuleService
  /** Of every row that this run claims. */
  readonly #token: string
  readonly #changed = new Signal()
  readonly #walker: Walker
  /** Rows that are ours, by id. */
  readonly #held = new Map<string, Work>()
  #queue = new SendQueue<Work>()
  #feeding = true
  #fed = false
  /** Whether a page was walked since the last one was claimed. */
  #walkedAhead = false
  #batchSize: number
  #pace: Pace | null = null
  #judged: { accepted: number; refused: number } | null = null
  #beatAt = Date.now()
  #failure: unknown = null
  readonly #calls = new Set<Promise<void>>()
  /** The service has asked for patience, and the connection is held for as long as it said. */
  #isTold = false

  constructor(
    private readonly container: MedusaContainer,
    private readonly connectionId: string,
  ) {
    this.#svc = container.resolve(SVC_MODULE)
    this.#token = this.#svc.work.leases.newToken()
    this.#walker = new Walker(container, connectionId)
    this.#batchSize = this.#svc.catalog.pace.most.batchSize
  }

  async run(): Promise<void> {
    if (this.#svc.work.leases.closed) return
    const connection = await this.#openConnection()
    if (!connection) return
    const hold = (await this.#svc.catalog.pace.held([this.connectionId])).get(this.connectionId)
    if (hold && hold.ms > 0) return
    this.#queue = new SendQueue<Work>(
      hold ? (hold.reason.code === "most_refused" ? "refusals" : "service") : null,
    )
    const beat = setInterval(() => void this.#beat(), BEAT_MS)
    beat.unref()
    try {
      await Promise.all([this.#feed(), this.#dispatch()])
      await Promise.allSettled(this.#calls)
      await this.#end()
    } catch (error) {
      this.#failure ??= error
    } finally {
      clearInterval(beat)
    }
    // What is still claimed falls due again when its lease ends.
    if (this.#failure) throw this.#failure
  }

  /**
   * Null where nothing may be sent: it was deleted, another process has its token, its token is refused and it is not time to try again, or a setting that
   * says what is sent cannot be read.
   */
  async #openConnection(): Promise<Connection | null> {
    const connection = await this.#svc.connections.background.find(this.connectionId)
    if (!connection) return null
    if (this.#svc.connections.calls.isDeclaredElsewhere(connection)) return null
    if (!(await this.#isReadable(connection))) return null
    const held = await this.#svc.connections.holds.heldForMs("products", this.connectionId)
    return held.size > 0 ? null : connection
  }

  /** Says so in the row that everybody asks before a call, and takes it back once it is mended. */
  async #isReadable({ catalog }: Connection): Promise<boolean> {
    const { pace } = this.#svc.catalog
    const { unreadable } = readCatalogSettings(catalog)
    if (unreadable) {
      const reason = settingUnreadable(unreadable)
      await pace.hold(this.connectionId, {
        ms: UNREADABLE_MS,
        reason,
        slower: false,
        counts: false,
      })
      return false
    }
    const hold = (await pace.held([this.connectionId])).get(this.connectionId)
    if (hold?.reason.code === "setting_unreadable") {
      await pace.resume(this.connectionId, { moved: false })
      await pace.wentWell(this.connectionId)
    }
    return true
  }

  async #feed(): Promise<void> {
    try {
      while (!this.#queue.isOver && !this.#failure && !this.#svc.work.leases.closed) {
        if (this.#queue.size >= AHEAD * this.#batchSize) {
          // Marks take no memory here: a page of rows is due by the time that the queue has room for their products.
          if (!this.#walkedAhead) {
            this.#walkedAhead = true
            await this.#walker.onePage()
            continue
          }
          this.#feeding = false
          await this.#changed.next()
          continue
        }
        this.#feeding = true
        if (await this.#feedPage()) {
          this.#walkedAhead = false
          continue
        }
        if (await this.#walker.onePage()) continue
        this.#feeding = false
        this.#changed.tell()
        if (this.#queue.inFlight === 0 && !this.#queue.canTake(IN_FLIGHT)) return
        await this.#changed.next(LOOK_MS)
      }
    } catch (error) {
      this.#failure ??= error
    } finally {
      this.#feeding = false
      this.#fed = true
      this.#changed.tell()
    }
  }

  /** @returns whether anything was due */
  async #feedPage(): Promise<boolean> {
    const rows = await this.#svc.catalog.items.claim(this.connectionId, {
      limit: PAGE,
      leaseMs: LEASE_MS,
      token: this.#token,
    })
    if (rows.length === 0) return false
    passPoint("claimed")
    // After the claim: a change of the connection that a walk has looked at before is in it.
    const connection = await this.#openConnection()
    if (!connection) {
      await this.#svc.catalog.items.release(
        this.#token,
        rows.map(({ id }) => id),
      )
      return false
    }
    await this.#prepare(connection, rows)
    return true
  }

  /** Reads and compares claimed rows; what is equal is settled, what differs is queued. */
  async #prepare(connection: Connection, rows: ClaimedRow[]): Promise<void> {
    let diffs: Map<string, ProductDiff>
    try {
      const ids = rows.map((row) => row.product_id)
      const snapshots = await readSnapshots(this.container, connection, ids)
      passPoint("read")
      diffs = await diffRows(this.#svc, connection, rows, snapshots)
    } catch (error) {
      const problem = sqlProblem(error)
      this.container.resolve("logger").error(`svc: products could not be read: ${problem}`)
      const reason = catalogReason("store_error", { problem: problem.slice(0, 300) })
      return this.#svc.catalog.items.postpone(
        this.#token,
        rows.map(({ id }) => ({
          id,
          inMs: STORE_RETRY_MS,
          reason,
          alone: false,
          mayBeTaken: null,
        })),
      )
    }
    const equal: Settlement[] = []
    const works: Work[] = []
    const unread: string[] = []
    const { push } = requireCatalogSettings(connection.catalog)
    const target = targetOf(connection)
    for (const row of rows) {
      const read = diffs.get(row.id)
      const diff = read && written(read)
      if (!diff) unread.push(row.id)
      else if (!diff.send || !push) equal.push(settlementOf(row, diff, target))
      else {
        works.push({
          row,
          diff,
          target,
          lane: row.lane,
          attempts: row.attempts,
          failsAlone: row.failing_since !== null,
        })
      }
    }
    if (equal.length > 0) {
      passPoint("settling equal")
      await this.#svc.catalog.items.settle(this.#token, equal)
      if (!push) await this.#svc.catalog.pace.raiseVersion(this.connectionId)
      this.#announceRefused(equal, rows)
    }
    await this.#svc.catalog.items.release(this.#token, unread)
    for (const work of works) this.#held.set(work.row.id, work)
    this.#queue.add(works, this.#batchSize)
    this.#changed.tell()
  }

  async #dispatch(): Promise<void> {
    const queue = this.#queue
    try {
      while (!queue.isOver && !this.#failure) {
        if (!queue.canTake(IN_FLIGHT)) {
          if (this.#fed && queue.inFlight === 0) return
          await this.#changed.next()
          continue
        }
        // More of the same page is about to come; somebody who waits for an edit does not wait for that.
        if (this.#feeding && queue.size < this.#batchSize && !queue.isUrgent(LANE.edit)) {
          await this.#changed.next()
          continue
        }
        const permission = await this.#svc.catalog.pace.take(this.connectionId)
        if (permission.kind === "held") return this.#leave()
        if (permission.kind === "wait") {
          await sleep(permission.ms)
          continue
        }
        this.#pace = permission.pace
        this.#judged ??= permission.pace
        this.#batchSize = permission.pace.batchSize
        const { holds } = permission.pace
        const group = queue.take(
          holds > 0 && queue.isProbing ? probeSize(this.#batchSize, holds) : this.#batchSize,
        )
        if (!group) continue
        const call = this.#send(group).finally(() => {
          this.#calls.delete(call)
          this.#changed.tell()
        })
        this.#calls.add(call)
      }
    } catch (error) {
      this.#failure ??= error
    } finally {
      this.#changed.tell()
    }
  }

  /** Another process was told to wait: that holds for us too. */
  #leave(): void {
    this.#queue.leave()
    this.#changed.tell()
  }

  async #send(group: Group<Work>): Promise<void> {
    try {
      await this.#makeCall(group)
    } catch (error) {
      // Not the service's: the database is away, or we have a bug. The rows fall due again when their lease ends.
      this.#failure ??= error
    }
  }

  async #makeCall(group: Group<Work>): Promise<void> {
    if (Date.now() - this.#beatAt > LEASE_MS - CALL_MS) await this.#beat()
    const connection = await this.#svc.connections.background.find(this.connectionId)
    const target = connection && targetOf(connection)
    // The connection moved after these were read: they are read again, for whom it is now.
    await this.#giveBack(group.items.filter((item) => item.target !== target))
    const items = group.items.filter(({ row }) => this.#held.has(row.id))
    if (!connection || items.length === 0) return this.#queue.notSent()
    const texts = items.flatMap(({ diff }) => diff.send?.text ?? [])
    let failures: PushFailure[]
    try {
      passPoint("calling")
      failures = await this.#svc.connections.calls.paced(connection, (client) =>
        client.pushProducts(texts, { timeoutMs: CALL_MS }),
      )
      passPoint("answered")
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.code === "svc_timeout" || error.status === 413) {
        await this.#svc.catalog.pace.shrink(this.connectionId, items.length)
      }
      this.#queue.failed({ ...group, items }, error)
      if (judgeFailure(error) === "slow_down") await this.#waitAsTold(error)
      await this.#settleJudged()
      return
    }
    const named = new Map(failures.map((failure) => [failure.id, failure]))
    const refused = items.filter(({ row }) => named.has(row.product_id))
    const accepted = items.filter(({ row }) => !named.has(row.product_id))
    if (accepted.length > 0) this.#queue.accepted({ ...group, items: accepted })
    else this.#queue.answered()
    await this.#settleAccepted(accepted, connection)
    await this.#settleNamed(refused, named)
    await this.#settleJudged()
    await this.#wentWell(accepted.length, refused.length)
  }

  /**
   * At once: our other calls may be under way for another 15 s, and until the hold stands in the row other processes go on
   * calling a service that has asked for patience.
   */
  async #waitAsTold(error: SvcError): Promise<void> {
    this.#isTold = true
    await holdAsTold(this.#svc, this.connectionId, error, this.#pace?.holds ?? 0)
  }

  async #settleAccepted(accepted: Work[], connection: Connection): Promise<void> {
    const settlements = accepted.map(({ row, diff, target }) => settlementOf(row, diff, target))
    passPoint("settling")
    const settled = await this.#settle(settlements)
    passPoint("settled")
    const ids = accepted.flatMap(({ row, diff }) =>
      settled.has(row.id) && diff.state === "synced" ? row.product_id : [],
    )
    if (ids.length > 0) {
      announce(this.container, PRODUCT_SYNCED, {
        connection_id: this.connectionId,
        product_ids: ids,
      })
    }
    // Another worker took a row over while our call was under way: the service may have got our older payload last, and
    // only sending once more makes sure that it has the newer one.
    const taken = accepted.flatMap(({ row }) => (settled.has(row.id) ? [] : row.id))
    if (taken.length > 0) await this.#svc.catalog.items.markToSend(taken)
    if (accepted.length > 0 && connection.feed_token_hash !== null) {
      await this.#svc.catalog.pace.raiseVersion(this.connectionId)
    }
  }

  async #settleNamed(refused: Work[], named: Map<string, PushFailure>): Promise<void> {
    const settlements = refused.map((work) => {
      const { code, message } = named.get(work.row.product_id) ?? { code: "", message: "" }
      const reason = { ...catalogReason("svc_rejected", { answer: message }), code }
      return failedSettlement(work, reason)
    })
    await this.#settle(settlements)
    this.#announceRefused(
      settlements,
      refused.map(({ row }) => row),
    )
  }

  /** Products of which the queue knows by now that they are at fault. */
  async #settleJudged(): Promise<void> {
    const { refused, failing } = this.#queue.takeJudged()
    if (refused.length === 0 && failing.length === 0) return
    const settlements = refused.map(({ item, error }) => failedSettlement(item, refusal(error)))
    const postponements: Postponement[] = []
    for (const { item, error } of failing) {
      const since = item.row.failing_since?.getTime()
      if (since !== undefined && isGivenUp(Date.now() - since)) {
        settlements.push(
          failedSettlement(item, catalogReason("given_up", { answer: sentence(error) })),
        )
      } else {
        postponements.push({
          id: item.row.id,
          inMs: backoffMs(item.row.attempts + 1, Math.random()),
          reason: catalogReason("product_fails_alone", { answer: sentence(error) }),
          alone: true,
          mayBeTaken: mayHaveTaken(error) ? (item.diff.send?.text ?? null) : null,
        })
      }
    }
    await this.#settle(settlements)
    await this.#svc.catalog.items.postpone(this.#token, postponements)
    for (const { id } of postponements) this.#held.delete(id)
    this.#announceRefused(
      settlements,
      refused.map(({ item }) => item.row),
    )
    await this.#count(0, refused.length)
  }

  /** Rows that are not sent after all are due for whoever reads them next. */
  async #giveBack(works: Work[]): Promise<void> {
    for (const { row } of works) this.#held.delete(row.id)
    await this.#svc.catalog.items.release(
      this.#token,
      works.map(({ row }) => row.id),
    )
  }

  async #settle(settlements: Settlement[]): Promise<Set<string>> {
    const settled = await this.#svc.catalog.items.settle(this.#token, settlements)
    for (const { id } of settlements) this.#held.delete(id)
    return settled
  }

  async #wentWell(accepted: number, refused: number): Promise<void> {
    const { holds, reason, reduced } = this.#pace ?? {}
    if (accepted > 0 && (holds || reason || reduced)) {
      await this.#svc.catalog.pace.wentWell(this.connectionId)
      if (this.#pace) this.#pace = { ...this.#pace, holds: 0, reason: null }
    }
    await this.#count(accepted, refused)
  }

  /** Leaves a service alone that refuses most of what it is sent. */
  async #count(accepted: number, refused: number): Promise<void> {
    const before = this.#judged ?? { accepted: 0, refused: 0 }
    // Nothing was refused of late: there is nothing to weigh.
    if (refused === 0 && before.refused === 0) return
    this.#judged = addJudged(before, { accepted, refused })
    await this.#svc.catalog.pace.judged(this.connectionId, this.#judged)
    if (refused > 0 && refusesMost(this.#judged)) {
      this.#queue.halt({ kind: "most_refused", error: MOST_REFUSED })
    }
  }

  #announceRefused(settlements: Settlement[], rows: ClaimedRow[]): void {
    const products = new Map(rows.map((row) => [row.id, row]))
    const refused = settlements.flatMap(({ id, state, reason }) => {
      const row = products.get(id)
      const isNew = row && (row.state !== state || row.reason_code !== reason?.code)
      return row && isNew && reason && (state === "failed" || state === "invalid")
        ? { product_id: row.product_id, code: reason.code, message: reason.message }
        : []
    })
    if (refused.length === 0) return
    announce(this.container, PRODUCT_REFUSED, {
      connection_id: this.connectionId,
      products: refused,
    })
  }

  /** Keeps what is claimed ours. A row that another worker has by now is not sent. */
  async #beat(): Promise<void> {
    const ids = [...this.#held.keys()]
    try {
      const ours = await this.#svc.catalog.items.renew(this.#token, ids, LEASE_MS)
      this.#beatAt = Date.now()
      for (const id of ids) if (!ours.has(id)) this.#held.delete(id)
    } catch (error) {
      this.#failure ??= error
      this.#changed.tell()
    }
  }

  /** Whatever is left goes back: tried or not, and the connection is held where the service did not take it. */
  async #end(): Promise<void> {
    const { untried, tried, stop } = this.#queue.end()
    await this.#settleJudged()
    const reason = stop && stopReason(stop)
    await this.#svc.catalog.items.postpone(
      this.#token,
      tried.map(({ item, error }: Judged<Work>) => ({
        id: item.row.id,
        inMs: 0,
        reason: error.status === 400 || error.status === 422 ? refusal(error) : reasonOf(error),
        alone: false,
        mayBeTaken: mayHaveTaken(error) ? (item.diff.send?.text ?? null) : null,
      })),
    )
    await this.#giveBack(untried)
    this.#held.clear()
    // What the service has asked for is written down already, and no guess of ours takes its place.
    if (!stop || !reason || this.#isTold) return
    // A person entered another token while a call with the old one was under way: there is nothing to wait for.
    if (stop.kind === "token" && (await this.#openConnection())) return
    passPoint("holding")
    await this.#svc.catalog.pace.hold(this.connectionId, {
      ms: holdMs(stop.error, this.#pace?.holds ?? 0, Math.random()),
      reason,
      slower: false,
      counts: true,
    })
  }
}

const MOST_REFUSED = new SvcError({
  code: "svc_rejected",
  failure: "dead",
  message: "The service refused most of the products that it was sent.",
})

function stopReason({ kind, error }: Stop): Reason {
  if (kind === "token") return reasonOf(error)
  return kind === "most_refused"
    ? catalogReason("most_refused", { answer: error.said ?? error.message })
    : holdReason(error)
}
