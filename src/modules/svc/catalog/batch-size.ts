/** How many products go in one call: halved when a call is too large or too slow, grown back slowly (gap 22). */
export class BatchSize {
  #current: number

  constructor(private readonly limit: number) {
    this.#current = limit
  }

  get current(): number {
    return this.#current
  }

  shrink(): void {
    this.#current = Math.max(1, Math.floor(this.#current / 2))
  }

  grow(): void {
    this.#current = Math.min(this.limit, this.#current + 1 + Math.floor(this.#current / 10))
  }
}
