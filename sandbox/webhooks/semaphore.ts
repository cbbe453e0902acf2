/** Lets `width` works run at a time and the rest wait in order, so that a receiver is not called a thousand times at once. */
export class Semaphore {
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(private readonly width: number) {}

  async run(work: () => Promise<void>): Promise<void> {
    if (this.running >= this.width) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.running++
    try {
      await work()
    } finally {
      // The place is handed on, so `running` stays the same while somebody waits.
      const next = this.waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}
