type Waiting = { enter: (entered: boolean) => void; timer: NodeJS.Timeout }

/**
 * Lets so many calls through at a time, in turn for those who wait: each owner (a cart) has a queue of its own, and the
 * queues take turns. An action with fifty products holds up fifty others by one place each, not by fifty.
 */
export class FairGate {
  #running = 0
  /** Owners in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>()

  constructor(private readonly most: number) {}

  /** @returns false where the turn did not come in time; else `leave` has to be called */
  async enter(owner: string, patienceMs: number): Promise<boolean> {
    if (this.#running < this.most) {
      this.#running += 1
      return true
    }
    return new Promise((resolve) => {
      const waiting: Waiting = {
        enter: resolve,
        timer: setTimeout(() => {
          this.#withdraw(owner, waiting)
          resolve(false)
        }, patienceMs),
      }
      this.#queues.set(owner, [...(this.#queues.get(owner) ?? []), waiting])
    })
  }

  leave(): void {
    this.#running -= 1
    const next = this.#queues.entries().next()
    if (next.done) return
    const [owner, [waiting, ...others]] = next.value
    // Whoever comes next is another owner.
    this.#queues.delete(owner)
    if (others.length > 0) this.#queues.set(owner, others)
    if (!waiting) return
    clearTimeout(waiting.timer)
    this.#running += 1
    waiting.enter(true)
  }

  #withdraw(owner: string, waiting: Waiting): void {
    const left = (this.#queues.get(owner) ?? []).filter((each) => each !== waiting)
    if (left.length > 0) this.#queues.set(owner, left)
    else this.#queues.delete(owner)
  }
}
