/** Wakes whoever waits for something to change. */
export class Signal {
  #waiting: (() => void)[] = []

  tell(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Resolves at the next `tell`, or after `ms`. */
  next(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
