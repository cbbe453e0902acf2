import { setTimeout as sleep } from "node:timers/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { SvcError } from "../../client"
import { type Connection, SVC_MODULE, type SvcModuleService } from "../../modules/svc"
import {
  attemptsForHalf,
  Brake,
  backoffAloneMs,
  type ClaimedRow,
  catalogReason,
  halved,
  holdReason,
  judgeFailure,
  type Pace,
  type Postponement,
  type ProductDiff,
  productsHoldMs,
  readCatalogSettings,
  requireCatalogSettings,
  type Settlement,
  sentence,
  targetOf,
} from "../../modules/svc/catalog"
import { backoffMs } from "../../modules/svc/shared/backoff"
import { passPoint } from "../../modules/svc/shared/points"
import { type Reason, reasonOf } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { settingUnreadable } from "../../modules/svc/shared/stored-settings"
import { announce, PRODUCT_REFUSED, PRODUCT_SYNCED } from "./announce"
import { compareRows } from "./prepare-products"
import { endWalks, walkOnePage } from "./walk"

/** Calls under way at once: one slow answer must not slow all sending down. */
const IN_FLIGHT = 3
/** What a killed worker had claimed is due again after this. */
const LEASE_MS = 30_000
/** How often a run that lives renews its leases. */
const RENEW_MS = 5_000
/** One call takes this at most. */
const CALL_MS = 15_000
/** While calls are under way, how often it is looked whether somebody's edit has come meanwhile. */
const LOOK_MS = 250
/** A setting that nobody can read is looked at again: somebody may have mended it in SQL. */
const UNREADABLE_MS = 60_000
/** What cannot be read now is a problem of the store, not of the service. */
const STORE_RETRY_MS = 30_000

/** A claimed row whose product has to be sent. */
type Work = {
  row: ClaimedRow
  /** With its payload written out: once for the call and for the row, and smaller than the object. */
  diff: Omit<ProductDiff, "send"> & { send: { text: string; hash: string } | null }
  /** Whom the payload was made for (`target.ts`): it is sent to nobody else. */
  target: string
}

/** A product that the service names as one that it does not take. */
type Refused = { work: Work; reason: Reason }

/** Why no further call is begun. `reason` is null where the hold is written down already. */
type Stop = { error: SvcError; reason: Reason | null; holds: number }

/**
 * One worker's run over one connection, until nothing is due or the service does not take it:
 *
 *   claim ── read ── compare ──┬─ equal: settled
 *                              └─ differs: take pace ── POST /products ── settle
 *
 * The rows are the queue. Those of a call that failed are due again with half as many others (`halved`); one that fails by
 * itself is judged. Right with any number of processes at once: a row is claimed by one of them, each call asks the shared
 * pace first, and each answer is settled at once. Leases are renewed while a run lasts: two runs would else steal a page from
 * each other for ever that takes longer than a lease to read.
 */
export class ConnectionPush {
  readonly #svc: SvcModuleService
  /** Of every row that this run claims, and of the walk that it looks at. */
  readonly #token: string
  /** Those under way, and those that failed: not by the service, but by the database or a bug of ours. */
  readonly #calls = new Set<Promise<void>>()
  #batchSize: number
  #brake = new Brake(null)
  /** Since the last claim it was looked for products to send: else edits as fast as the pace would end all looking. */
  #hasLooked = true
  /** Refused, while nothing was accepted since: it may be the service that refuses everything. */
  #doubtful: Refused[] = []
  #stop: Stop | null = null

  constructor(
    private readonly container: MedusaContainer,
    private readonly connectionId: string,
  ) {
    this.#svc = container.resolve(SVC_MODULE)
    this.#token = this.#svc.work.leases.newToken()
    this.#batchSize = this.#svc.catalog.pace.most.batchSize
  }

  async run(): Promise<void> {
    const opened = await this.#open()
    if (!opened) return
    const after = opened.after?.code
    if (after) this.#brake = new Brake(after === "most_refused" ? "refusals" : "service")
    const renewing = setInterval(() => void this.#renew(), RENEW_MS)
    try {
      while (await this.#goOn()) {}
      await Promise.all(this.#calls)
      await this.#end()
    } finally {
      // Of a run that fails, what is still claimed falls due again when its lease ends.
      await Promise.allSettled(this.#calls)
      clearInterval(renewing)
    }
  }

  async #renew(): Promise<void> {
    const { items, walks } = this.#svc.catalog
    // A database that is away now may be there in time.
    await Promise.allSettled(
      [items, walks].map((rows) => rows.renew(this.connectionId, this.#token, LEASE_MS)),
    )
  }

  /**
   * "Send now": sends one product while a person waits. Neither the pace nor a hold is in the way. What the service answers
   * is about this product, unless it asks for patience: that holds for all sending.
   *
   * @returns false where another worker has the row
   */
  async one(itemId: string): Promise<boolean> {
    const row = await this.#svc.catalog.items.claimOne(itemId, this.#token, LEASE_MS)
    if (!row) return false
    const connection = await this.#svc.connection(this.connectionId)
    const { unreadable } = readCatalogSettings(connection.catalog)
    if (unreadable) {
      await this.#leave([row], { inMs: UNREADABLE_MS, reason: settingUnreadable(unreadable) })
      return true
    }
    const works = await this.#compare([row], connection)
    try {
      if (works.length > 0) {
        const { accepted, refused } = await this.#call(works, connection)
        await this.#settleAccepted(accepted, ALONE)
        await this.#settleRefused(refused)
      }
      // One that is told in two steps is due for the second: while a hold lasts, no worker would go on.
      await this.one(itemId)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      const verdict = judgeFailure(error)
      if (verdict === "content" || verdict === "too_large") {
        await this.#settleRefused(works.map((work) => ({ work, reason: refusal(error) })))
        return true
      }
      if (verdict === "slow_down") await this.#holdAsTold(error, 0)
      // One that was blamed stays so: others passed while it failed, which says nothing against the service.
      const isBlamed = row.reason_code === FAILS_ALONE
      await this.#postpone(works, error, () => ({
        inMs: backoffMs(row.attempts, Math.random()),
        alone: isBlamed,
        reason: isBlamed
          ? catalogReason(FAILS_ALONE, { answer: sentence(error) })
          : reasonOf(error),
      }))
    }
    return true
  }

  get #isOver(): boolean {
    return this.#stop !== null || this.#svc.work.leases.closed
  }

  /**
   * Sends the products whose turn it is; where there are none, and after each claim, looks for some.
   *
   * @returns whether there may be more
   */
  async #goOn(): Promise<boolean> {
    if (this.#calls.size >= (this.#brake.isProbing ? 1 : IN_FLIGHT)) {
      await Promise.race(this.#calls)
      return true
    }
    if (this.#isOver) return false
    // Noted before the look for due products: what a failed call leaves due while that lasts, it does not see.
    const underWay = [...this.#calls]
    const { isProbing } = this.#brake
    const attempts = await this.#svc.catalog.items.headAttempts(this.connectionId, isProbing)
    // What was never tried says more about the service than what failed before, and an import may have found none yet.
    const isDue = attempts !== null && !(isProbing && attempts > 0)
    const walk = { token: this.#token, leaseMs: LEASE_MS }
    if (!isDue || !this.#hasLooked) {
      this.#hasLooked = true
      if (await walkOnePage(this.container, this.connectionId, walk)) return true
      // Not only when nothing is due any more: that may be in hours, and no walk begins anew before.
      await endWalks(this.container, this.connectionId)
    }
    if (attempts !== null) {
      this.#hasLooked = false
      const works = await this.#claim(attempts)
      const pace = works.length > 0 && (await this.#takePace(works))
      if (pace) this.#begin(works.slice(0, pace.batchSize), pace)
      return true
    }
    if (underWay.length === 0) return false
    await Promise.race([...underWay, sleep(LOOK_MS)])
    return true
  }

  /**
   * Null where nothing may be sent: it was deleted, another process has its token, it is held, or a setting that says what
   * is sent cannot be read. That is said in the hold that everybody asks before a call, and taken back once it is mended.
   *
   * @returns `after`: why nothing was sent, where no call has succeeded since
   */
  async #open(): Promise<{ connection: Connection; after: Reason | null } | null> {
    const { background, calls, holds } = this.#svc.connections
    const connection = await background.find(this.connectionId)
    if (!connection || calls.isDeclaredElsewhere(connection)) return null
    const hold = (await holds.of("products", [this.connectionId])).get(this.connectionId)
    const { unreadable } = readCatalogSettings(connection.catalog)
    if (unreadable) {
      const reason = settingUnreadable(unreadable)
      await holds.hold(this.connectionId, "products", { ms: UNREADABLE_MS, reason, counts: false })
      return null
    }
    if (hold?.reason.code === "setting_unreadable") {
      await holds.answered(this.connectionId, "products", true)
      return { connection, after: null }
    }
    return hold && hold.ms > 0 ? null : { connection, after: hold?.reason ?? null }
  }

  /** What differs of rows that may go in one call: of one number of attempts, and the fewer the more. */
  async #claim(attempts: number): Promise<Work[]> {
    const { items, pace } = this.#svc.catalog
    const limit = Math.min(this.#batchSize, halved(pace.most.batchSize, attempts))
    const byTime = this.#brake.isProbing
    const claim = { limit, leaseMs: LEASE_MS, token: this.#token, attempts, byTime }
    const rows = await items.claim(this.connectionId, claim)
    if (rows.length === 0) return []
    passPoint("claimed")
    // After the claim: a change of the connection that a walk has looked at before is in it.
    const opened = await this.#open()
    if (opened) return this.#compare(rows, opened.connection)
    this.#stop ??= GONE
    await this.#release(rows)
    return []
  }

  /** Reads and compares claimed rows. What is equal is settled. @returns what differs */
  async #compare(rows: ClaimedRow[], connection: Connection): Promise<Work[]> {
    const diffs = await this.#diffs(rows, connection)
    if (!diffs) return []
    passPoint("read")
    const equal: Settlement[] = []
    const works: Work[] = []
    const { push } = requireCatalogSettings(connection.catalog)
    const target = targetOf(connection)
    for (const row of rows) {
      const diff = diffs.get(row.id)
      if (!diff) continue
      const { send } = diff
      const written = send && { text: JSON.stringify(send.payload), hash: send.hash }
      const work = { row, diff: { ...diff, send: written }, target }
      if (send && push) works.push(work)
      else equal.push({ ...settlementOf(work), inFeed: !push })
    }
    if (equal.length > 0) {
      passPoint("settling equal")
      await this.#svc.catalog.items.settle(this.#token, equal)
      this.#announceRefused(equal, rows)
    }
    return works
  }

  /** What claimed rows are to be told; null where the store could not be read, and they wait for it. */
  async #diffs(
    rows: ClaimedRow[],
    connection: Connection,
  ): Promise<Map<string, ProductDiff> | null> {
    try {
      return await compareRows(this.container, connection, rows)
    } catch (error) {
      const problem = sqlProblem(error)
      this.container.resolve("logger").error(`svc: products could not be read: ${problem}`)
      const reason = catalogReason("store_error", { problem: problem.slice(0, 300) })
      await this.#leave(rows, { inMs: STORE_RETRY_MS, reason })
      return null
    }
  }

  /** Waits for our turn, and gives back what goes beyond the size of a call now, or all where nobody may call. */
  async #takePace(works: Work[]): Promise<Pace | null> {
    for (;;) {
      const permission = this.#isOver ? null : await this.#svc.catalog.pace.take(this.connectionId)
      if (permission?.kind === "wait") {
        await sleep(Math.min(permission.ms, LOOK_MS))
        continue
      }
      if (permission?.kind !== "go") {
        // Another process was told to wait: that holds for us too.
        this.#stop ??= GONE
        await this.#release(works.map(({ row }) => row))
        return null
      }
      const { pace } = permission
      this.#batchSize = pace.batchSize
      const batchSize = this.#brake.isProbing ? halved(pace.batchSize, pace.holds) : pace.batchSize
      await this.#release(works.slice(batchSize).map(({ row }) => row))
      return { ...pace, batchSize }
    }
  }

  #begin(works: Work[], pace: Pace): void {
    const call = this.#send(works, pace).then(() => void this.#calls.delete(call))
    // Whoever waits for the calls next hears of one that failed.
    call.catch(() => undefined)
    this.#calls.add(call)
  }

  async #send(claimed: Work[], pace: Pace): Promise<void> {
    const connection = await this.#svc.connections.background.find(this.connectionId)
    const target = connection && targetOf(connection)
    // The connection moved after these were read: they are read again, for whom it is now.
    await this.#release(claimed.flatMap((work) => (work.target === target ? [] : work.row)))
    const works = claimed.filter((work) => work.target === target)
    if (!connection || works.length === 0) return
    try {
      const { accepted, refused } = await this.#call(works, connection)
      await this.#settleAccepted(accepted, pace)
      if (accepted.length > 0) return this.#settleRefused(refused)
      const isNews = !wereRefused(works)
      this.#brake.refused({ whole: refused.length > 1, isNews })
      if (!isNews) return this.#settleRefused(refused)
      this.#doubtful.push(...refused)
      this.#stopIfNothingIsTaken(ALL_REFUSED, pace)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      await this.#failed(works, error, pace)
    }
  }

  /** @throws SvcError */
  async #call(
    works: Work[],
    connection: Connection,
  ): Promise<{ accepted: Work[]; refused: Refused[] }> {
    const texts = works.flatMap(({ diff }) => diff.send?.text ?? [])
    passPoint("calling")
    const failures = await this.#svc.connections.calls.paced(connection, (client) =>
      client.pushProducts(texts, { timeoutMs: CALL_MS }),
    )
    passPoint("answered")
    const named = new Map(failures.map((failure) => [failure.id, failure]))
    const refused = works.flatMap((work) => {
      const failure = named.get(work.row.product_id)
      if (!failure) return []
      const { code, message } = failure
      const said = { answer: message, ...(code === null ? {} : { said_code: code }) }
      return { work, reason: catalogReason("svc_rejected", said) }
    })
    return { accepted: works.filter(({ row }) => !named.has(row.product_id)), refused }
  }

  async #settleAccepted(accepted: Work[], pace: Pace): Promise<void> {
    if (accepted.length === 0) return
    this.#brake.accepted()
    passPoint("settling")
    const settlements = accepted.map(settlementOf)
    const settled = await this.#svc.catalog.items.settle(this.#token, settlements)
    passPoint("settled")
    // Taken as not for sale, because there is something wrong with the product.
    this.#announceRefused(
      settlements.filter(({ id }) => settled.has(id)),
      accepted.map(({ row }) => row),
    )
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
    if (taken.length > 0) await this.#svc.catalog.items.markToSend({ id: taken })
    if (pace.wasHeld || pace.reduced) await this.#svc.catalog.pace.wentWell(this.connectionId)
    if (pace.wasHeld) {
      await this.#svc.connections.holds.wentWell(this.connectionId, "products", false)
    }
    // Others pass: what was refused meanwhile is at fault.
    await this.#settleRefused(this.#doubtful.splice(0))
  }

  async #settleRefused(refused: Refused[]): Promise<void> {
    const settlements = refused.map(({ work, reason }): Settlement => {
      return { ...settlementOf(work), state: "failed", sent: null, reason, again: false }
    })
    await this.#svc.catalog.items.settle(this.#token, settlements)
    this.#announceRefused(
      settlements,
      refused.map(({ work }) => work.row),
    )
  }

  /** What a call that failed says of its products (`failure-policy.ts`). */
  async #failed(works: Work[], error: SvcError, pace: Pace): Promise<void> {
    const verdict = judgeFailure(error)
    if (verdict === "slow_down" || verdict === "token") {
      return this.#wait(works, error, verdict === "slow_down", pace)
    }
    if (error.code === "svc_timeout" || error.status === 413) {
      await this.#svc.catalog.pace.shrink(this.connectionId, works.length)
    }
    const [alone] = works.length === 1 ? works : []
    const count = works.length
    if (verdict === "too_large") {
      if (alone) await this.#settleRefused([{ work: alone, reason: refusal(error) }])
      else await this.#sendInHalves(works, error)
      return
    }
    if (verdict === "content") {
      const isNews = !wereRefused(works)
      this.#brake.refused({ isNews })
      if (!alone) await this.#sendInHalves(works, error)
      else if (isNews) this.#doubtful.push({ work: alone, reason: refusal(error) })
      else await this.#settleRefused([{ work: alone, reason: refusal(error) }])
      return this.#stopIfNothingIsTaken(error, pace)
    }
    const isPart = works.some(({ row }) => row.attempts > 1)
    const isAtFault =
      alone?.row.reason_code === FAILS_ALONE || this.#brake.unclear({ count, isPart })
    if (alone && isAtFault) await this.#failsAlone(alone, error)
    else await this.#sendInHalves(works, error)
    this.#stopIfNothingIsTaken(error, pace)
  }

  /** Nothing is wrong with the products. */
  async #wait(works: Work[], error: SvcError, isTold: boolean, { holds }: Pace): Promise<void> {
    if (isTold) {
      // At once: our other calls may be under way for another 15 s, and until the hold stands in the row other processes
      // go on calling a service that has asked for patience. No guess of ours takes its place.
      this.#stop = { error, reason: null, holds }
      await this.#holdAsTold(error, holds)
    }
    // A refused token stands in the connection's hold (`ServiceCalls`).
    this.#stop ??= { error, reason: null, holds }
    await this.#release(works.map(({ row }) => row))
  }

  #stopIfNothingIsTaken(error: SvcError, { holds }: Pace): void {
    if (!this.#brake.isOn) return
    const isRefusal = error === ALL_REFUSED || judgeFailure(error) === "content"
    const reason = isRefusal
      ? catalogReason("most_refused", { answer: error.said ?? error.message })
      : holdReason(error)
    this.#stop ??= { error, reason, holds }
  }

  /** Due at once, each with half as many others as in the call that failed. */
  #sendInHalves(works: Work[], error: SvcError): Promise<void> {
    const { batchSize } = this.#svc.catalog.pace.most
    const isContent = judgeFailure(error) === "content"
    return this.#postpone(works, error, ({ row }) => ({
      inMs: 0,
      reason: isContent ? refusal(error) : reasonOf(error),
      attempts: attemptsForHalf(batchSize, row.attempts, works.length),
    }))
  }

  async #failsAlone(work: Work, error: SvcError): Promise<void> {
    const { batchSize } = this.#svc.catalog.pace.most
    const attempts = attemptsForHalf(batchSize, work.row.attempts, 1)
    await this.#postpone([work], error, () => ({
      inMs: backoffAloneMs(batchSize, attempts, Math.random()),
      reason: catalogReason(FAILS_ALONE, { answer: sentence(error) }),
      attempts,
      alone: true,
    }))
  }

  /** Leaves products due later that a call brought, and that the service may have taken all the same. */
  #postpone(
    works: Work[],
    error: SvcError,
    waitOf: (work: Work) => Omit<Postponement, "id" | "generation" | "mayBeTaken">,
  ): Promise<void> {
    return this.#svc.catalog.items.postpone(
      this.#token,
      works.map((work) => {
        const { row, diff, target } = work
        const mayBeTaken =
          error.mayHaveBeenCarriedOut && diff.send ? { text: diff.send.text, target } : null
        return { id: row.id, generation: row.wanted, ...waitOf(work), mayBeTaken }
      }),
    )
  }

  /** Leaves rows due later that nobody tried to send: it counts as no attempt. */
  #leave(rows: ClaimedRow[], wait: { inMs: number; reason: Reason }): Promise<void> {
    return this.#svc.catalog.items.postpone(
      this.#token,
      rows.map(({ id, wanted, attempts }) => ({
        id,
        generation: wanted,
        ...wait,
        attempts: attempts - 1,
        mayBeTaken: null,
      })),
    )
  }

  /** Leaves the connection alone for as long as its service has asked for. */
  async #holdAsTold(error: SvcError, holds: number): Promise<void> {
    await this.#svc.catalog.pace.slowDown(this.connectionId)
    await this.#svc.connections.holds.hold(this.connectionId, "products", {
      ms: productsHoldMs(error, holds, Math.random()),
      reason: holdReason(error),
      counts: false,
    })
  }

  /** Rows that are not sent after all are due for whoever reads them next. */
  #release(rows: ClaimedRow[]): Promise<void> {
    return this.#svc.catalog.items.release(
      this.#token,
      rows.map(({ id }) => id),
    )
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

  /** Holds the connection where the service took nothing; else the few products of a small shop are judged one by one. */
  async #end(): Promise<void> {
    const doubtful = this.#doubtful.splice(0)
    // A process that ends has not seen enough to blame them.
    if (!this.#isOver) return this.#settleRefused(doubtful)
    await this.#svc.catalog.items.postpone(
      this.#token,
      doubtful.map(({ work, reason }) => ({
        id: work.row.id,
        generation: work.row.wanted,
        inMs: 0,
        reason,
        mayBeTaken: null,
      })),
    )
    const stop = this.#stop
    if (!stop?.reason) return
    passPoint("holding")
    await this.#svc.connections.holds.hold(this.connectionId, "products", {
      ms: productsHoldMs(stop.error, stop.holds, Math.random()),
      reason: stop.reason,
      counts: true,
    })
  }
}

/** A call that a person makes: what succeeds shows that the service takes products again. */
const ALONE: Pace = { batchSize: 1, holds: 0, wasHeld: true, reduced: false }

const settlementOf = ({ row, diff, target }: Work): Settlement => ({
  id: row.id,
  generation: row.wanted,
  state: diff.state,
  title: diff.title,
  sent: diff.send,
  reason: diff.reason,
  target,
  again: diff.again && diff.send !== null,
})

/** All of them were refused before: that they are again says nothing against the service. */
const wereRefused = (works: Work[]): boolean => works.every(({ row }) => row.state === "failed")

/** The service's own words where it gave some: they name the field that is wrong. */
const refusal = (error: SvcError): Reason =>
  error.status === 413
    ? catalogReason("product_too_large")
    : catalogReason("svc_rejected", { answer: error.said ?? error.message })

const ALL_REFUSED = new SvcError({
  code: "svc_rejected",
  failure: "dead",
  message: "The service refused every product that it was sent.",
})

/** The reason of a product that was blamed: others passed while it failed. */
const FAILS_ALONE = "product_fails_alone"

/** Nothing is sent for a reason that stands elsewhere already. */
const GONE: Stop = { error: ALL_REFUSED, reason: null, holds: 0 }
