/** Lets so many calls through at a time; the others wait in the order in which they came. */
export class Gate {
  #running = 0
  readonly #waiting: { enter: (entered: boolean) => void; timer: NodeJS.Timeout }[] = []

  constructor(private readonly most: number) {}

  /** Whoever comes now waits for their turn. */
  get isFull(): boolean {
    return this.#running >= this.most
  }

  /** @returns false where the turn did not come in time; else `leave` has to be called */
  async enter(patienceMs: number): Promise<boolean> {
    if (!this.isFull) {
      this.#running += 1
      return true
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(
          this.#waiting.findIndex((each) => each.timer === timer),
          1,
        )
        resolve(false)
      }, patienceMs)
      this.#waiting.push({ enter: resolve, timer })
    })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (!next) {
      this.#running -= 1
      return
    }
    clearTimeout(next.timer)
    next.enter(true)
  }
}
