/** Beyond this the job of each minute is in time. */
const MAX_ALARM_MS = 55_000
/** A worker that could not even look at its rows does not spin. */
const MIN_ALARM_MS = 250

/**
 * Runs passes of one kind, one at a time.
 *
 *   idle --soon--> alarm --its time--> pass --soon meanwhile--> pass again
 *
 * Only a wake-up: what is to be done stands in rows, so an alarm that is lost with the process costs a minute.
 */
export class Loop {
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0
  #running: Promise<void> | null = null
  #again = false

  /**
   * @param debounceMs how long reasons are collected before a pass begins
   * @param pass works until nothing is due; must not reject. Answers in how many ms something falls due, null for never
   */
  constructor(
    private readonly debounceMs: number,
    private readonly pass: () => Promise<number | null>,
  ) {}

  /** Whether nothing runs and no alarm is set. */
  get isIdle(): boolean {
    return this.#running === null && this.#timer === null
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Makes a pass soon; one that is under way is followed by another. */
  soon(inMs = this.debounceMs): void {
    if (this.#running) this.#again = true
    else this.#setAlarm(inMs)
  }

  /** Makes a pass when something falls due, unless that is for the job of each minute. */
  in(ms: number): void {
    if (ms > MAX_ALARM_MS) return
    this.#setAlarm(Math.max(ms, MIN_ALARM_MS))
  }

  /** Makes a pass now. Where one is under way, waits for it and for one more. */
  work(): Promise<void> {
    this.#clearAlarm()
    if (this.#running) {
      this.#again = true
      return this.#running
    }
    this.#running = this.#run().finally(() => {
      this.#running = null
      // Somebody called between the last look and the end.
      if (this.#again) this.#setAlarm(this.debounceMs)
    })
    return this.#running
  }

  async #run(): Promise<void> {
    let next: number | null
    do {
      this.#again = false
      next = await this.pass()
    } while (this.#again)
    if (next !== null) this.in(next)
  }

  #setAlarm(inMs: number): void {
    const dueAt = Date.now() + inMs
    if (this.#timer) {
      // The earlier alarm stands: a retry gives way to a change that is due now, and a stream of changes without a
      // pause must not put the work off for ever.
      if (this.#dueAt <= dueAt) return
      clearTimeout(this.#timer)
    }
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.work()
    }, inMs)
    // A wake-up must not keep a process alive that is asked to end.
    this.#timer.unref()
  }

  #clearAlarm(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
