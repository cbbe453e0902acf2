/**
 * Runs a limited number of tasks at a time, the others in the order in which they came. The receiver shares the
 * store's database pool: a burst of deliveries, or a database that hangs, must leave connections to the shop.
 */
export class Semaphore {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly width: number) {}

  /** @returns what the task returns; null, without having started it, where its caller has given up before its turn */
  async run<T>(work: () => Promise<T>, givenUp: AbortSignal): Promise<T | null> {
    if (this.#running >= this.width) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return givenUp.aborted ? null : await work()
    } finally {
      // The place goes to the next in line and is not freed: a task that comes in between has to wait behind it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
