/**
 * Lets so many run at a time, the rest in the order in which they came. The receiver shares the store's database
 * pool: a burst of deliveries, or a database that hangs on ours, must leave connections to the shop.
 */
export class Semaphore {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly width: number) {}

  /** @returns what the work returns, or `null`, not begun, where nobody waits for it any more when its turn comes */
  async run<T>(work: () => Promise<T>, givenUp: AbortSignal): Promise<T | null> {
    if (this.#running >= this.width) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return givenUp.aborted ? null : await work()
    } finally {
      // The place is handed on, not freed: whoever comes in between stands behind those who wait.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
