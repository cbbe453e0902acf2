/**
 * The sandbox's time: real by default, or standing still until it is told to move.
 *
 * ```
 *            stop                     advance / set / run until idle
 *  running ----------> stopped ---------------------------------+
 *     ^                   |  ^                                   |
 *     +-------------------+  +-----------------------------------+
 *              run            timers that fall due run in order,
 *                             each awaited with the calls it made
 * ```
 *
 * Everything that depends on time (retries §6.6, the state ladder §3.2, deadlines, timeouts) asks
 * this clock, so an hour of retries takes milliseconds. Calls in flight are real, on real sockets:
 * before time moves on they get `graceMs` of real time to finish.
 */

import { LIMITS } from "../contract/interface"

export type Timer = { at: number; cancelled: boolean }
type Entry = Timer & { rank: number; order: number; run: () => Promise<void> | void }

const MAX_SET_TIMEOUT_MS = 2 ** 31 - 1
/** A receiver may take its 10 s (interface §6.6) in real time; a call that is cut then has ended too. */
export const DEFAULT_GRACE_MS = LIMITS.attemptTimeoutMs + 500

export class Clock {
  /** In the order in which they fall due. */
  private entries: Entry[] = []
  private order = 0
  private offset = 0
  private frozenAt: number | null = null
  private alarm: NodeJS.Timeout | undefined
  private alarmAt = Number.POSITIVE_INFINITY
  private readonly flights = new Set<Promise<unknown>>()
  private moving: Promise<void> = Promise.resolve()
  /** How often a call in flight began or ended: as long as that goes on, time waits. */
  private progress = 0
  /** Ends with a reset: a command that was moving time then stops. */
  private era = 0

  get running(): boolean {
    return this.frozenAt === null
  }

  /** Now, in ms since the epoch. */
  now(): number {
    return this.frozenAt ?? Date.now() + this.offset
  }

  /**
   * Runs `run` when the clock shows `at`; a time already past means as soon as possible.
   *
   * @param rank  which comes first of those that fall due at one moment; then the order of scheduling
   */
  schedule(at: number, run: () => Promise<void> | void, rank = 0): Timer {
    const entry: Entry = { at, run, rank, cancelled: false, order: this.order++ }
    insert(this.entries, entry)
    if (this.running) this.arm()
    return entry
  }

  cancel(timer: Timer): void {
    timer.cancelled = true
    // Most are cancelled soon, and are the latest: they need not wait for their time.
    while (this.entries.at(-1)?.cancelled) this.entries.pop()
  }

  /** Makes the clock wait for `flight` before it moves on by command. */
  track<T>(flight: Promise<T>): Promise<T> {
    this.flights.add(flight)
    const done = () => {
      this.flights.delete(flight)
      this.progress++
    }
    flight.then(done, done)
    return flight
  }

  /** Something in flight went on: it has left a queue, for example, and its own time begins now. */
  noteProgress(): void {
    this.progress++
  }

  /**
   * How long something took, in ms: real ones while the clock runs. On a stopped clock its own, so
   * that two runs of one scenario log the same.
   *
   * @param at       what the clock showed at the beginning
   * @param started  `performance.now()` at the beginning
   */
  elapsed(at: number, started: number): number {
    return this.running ? Math.round(performance.now() - started) : this.now() - at
  }

  get inFlight(): number {
    return this.flights.size
  }

  pending(): { count: number; nextAt: number | null } {
    const live = this.entries.filter((entry) => !entry.cancelled)
    return { count: live.length, nextAt: this.peek()?.at ?? null }
  }

  stop(at = this.now()): void {
    this.frozenAt = at
    this.disarm()
  }

  /** Goes on in real time from the moment it shows. */
  run(): void {
    this.showAndRun(this.now())
  }

  showAndRun(now: number): void {
    this.offset = now - Date.now()
    this.frozenAt = null
    this.disarm()
    this.arm()
  }

  /** Real time again, no timer left, nothing waited for; a command that was moving time stops. */
  reset(): void {
    this.era++
    this.moving = Promise.resolve()
    this.entries = []
    this.flights.clear()
    this.offset = 0
    this.frozenAt = null
    this.disarm()
  }

  /** Moves to `target`, running what falls due on the way in order. Never moves backwards. */
  moveTo(target: number, graceMs = DEFAULT_GRACE_MS): Promise<void> {
    return this.move(() => target, graceMs)
  }

  /** Moves on by `ms` from where an earlier command, if one is still moving, will have ended. */
  advance(ms: number, graceMs = DEFAULT_GRACE_MS): Promise<void> {
    return this.move(() => this.now() + ms, graceMs)
  }

  private move(targetOf: () => number, graceMs: number): Promise<void> {
    return this.exclusively(async (isOver) => {
      const target = targetOf()
      for (;;) {
        await this.settle(graceMs)
        if (isOver()) return
        const next = this.peek()
        if (!next || next.at > target) break
        await this.jump(next.at)
      }
      this.show(Math.max(target, this.now()))
    })
  }

  /** Jumps from timer to timer until none is left; returns how many jumps it took. */
  async runUntilIdle(graceMs = DEFAULT_GRACE_MS, maxJumps = 100_000): Promise<number> {
    let jumps = 0
    await this.exclusively(async (isOver) => {
      for (; jumps < maxJumps; jumps++) {
        await this.settle(graceMs)
        if (isOver()) return
        const next = this.peek()
        if (!next) return
        await this.jump(next.at)
      }
    })
    return jumps
  }

  /**
   * Waits until nothing is in flight, or until nothing began or ended for `graceMs` of real time: each
   * call has that long for itself, also one that began late because it waited for a free socket.
   */
  async settle(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    const { era } = this
    let seen = this.progress
    let until = performance.now() + graceMs
    while (this.flights.size > 0 && this.era === era) {
      if (this.progress !== seen) {
        seen = this.progress
        until = performance.now() + graceMs
      }
      const left = until - performance.now()
      if (left <= 0) return
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left)
      })
      await Promise.race([Promise.allSettled([...this.flights]), patience])
      clearTimeout(timer)
    }
  }

  private async jump(at: number): Promise<void> {
    this.show(Math.max(at, this.now()))
    this.runDue()
  }

  private show(at: number): void {
    if (this.frozenAt === null) {
      this.offset += Math.max(0, at - this.now())
      this.arm()
    } else this.frozenAt = at
  }

  private runDue(): void {
    const now = this.now()
    for (let next = this.peek(); next && next.at <= now; next = this.peek()) {
      this.entries.shift()
      const result = next.run()
      if (result instanceof Promise) this.track(result).catch(() => undefined)
    }
  }

  private peek(): Entry | undefined {
    while (this.entries[0]?.cancelled) this.entries.shift()
    return this.entries[0]
  }

  private arm(): void {
    const next = this.peek()
    if (!next || !this.running || next.at >= this.alarmAt) return
    this.disarm()
    this.alarmAt = next.at
    const wait = Math.min(Math.max(next.at - this.now(), 0), MAX_SET_TIMEOUT_MS)
    this.alarm = setTimeout(() => {
      this.alarmAt = Number.POSITIVE_INFINITY
      this.runDue()
      this.arm()
    }, wait)
    this.alarm.unref()
  }

  private disarm(): void {
    clearTimeout(this.alarm)
    this.alarmAt = Number.POSITIVE_INFINITY
  }

  /**
   * Two commands that move time wait for each other, or one would overtake the other's timers.
   *
   * @param work  is told how to ask whether a reset has ended it
   */
  private exclusively(work: (isOver: () => boolean) => Promise<void>): Promise<void> {
    const { era } = this
    const isOver = () => this.era !== era
    const turn = this.moving.then(() => (isOver() ? undefined : work(isOver)))
    this.moving = turn.catch(() => undefined)
    return turn
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.rank === b.rank ? a.order < b.order : a.rank < b.rank
}

/** Into its place; where that is is found by halves, because thousands may wait. */
function insert(entries: Entry[], entry: Entry): void {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = entries[middle]
    if (other && isBefore(other, entry)) from = middle + 1
    else to = middle
  }
  entries.splice(from, 0, entry)
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** "90s", "1h" or a number of ms, in ms; null where it is neither. */
export function parseDuration(value: number | string): number | null {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : null
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value.trim())
  if (!match) return null
  return Number(match[1]) * (UNITS[match[2] ?? ""] ?? Number.NaN)
}
