/** Keeps values for a short time, in this process; the oldest goes when there are too many. */
export class ShortMemory<Value> {
  readonly #entries = new Map<string, { value: Value; until: number }>()

  constructor(private readonly most: number) {}

  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.until > now ? entry.value : undefined
  }

  set(key: string, value: Value, until: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until })
    if (this.#entries.size <= this.most) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  deleteWhere(belongs: (key: string) => boolean): void {
    for (const key of [...this.#entries.keys()]) if (belongs(key)) this.#entries.delete(key)
  }
}
