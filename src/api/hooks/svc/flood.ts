/** So many refused deliveries from one address within a minute, and it is told to wait. */
const MAX_FAILURES = 100
const WINDOW_MS = 60_000
/**
 * For this long after a delivery that verified, an address is never told to wait: it is the service, or a gateway in
 * front of us.
 */
const TRUST_MS = 3_600_000
/** Addresses kept in memory; the oldest goes first. */
const MAX_ADDRESSES = 10_000

type Record = { failures: number; since: number; verifiedAt: number }

/**
 * Tells an address to wait that floods the receiver and has never verified (gap 15). It protects the database and the
 * memory of this process; nothing correct depends on what it remembers.
 */
export class FloodGuard {
  readonly #addresses = new Map<string, Record>()

  /** @returns milliseconds to wait, 0 where the address may go on */
  waitMs(address: string, now: number): number {
    const record = this.#addresses.get(address)
    if (!record || now - record.verifiedAt < TRUST_MS) return 0
    const rest = record.since + WINDOW_MS - now
    return record.failures >= MAX_FAILURES && rest > 0 ? rest : 0
  }

  verified(address: string, now: number): void {
    this.#put(address, { failures: 0, since: now, verifiedAt: now })
  }

  failed(address: string, now: number): void {
    const record = this.#addresses.get(address)
    if (record && now - record.since < WINDOW_MS) record.failures += 1
    else {
      this.#put(address, {
        failures: 1,
        since: now,
        verifiedAt: record?.verifiedAt ?? Number.NEGATIVE_INFINITY,
      })
    }
  }

  #put(address: string, record: Record): void {
    this.#addresses.delete(address)
    this.#addresses.set(address, record)
    if (this.#addresses.size <= MAX_ADDRESSES) return
    const oldest = this.#addresses.keys().next()
    if (!oldest.done) this.#addresses.delete(oldest.value)
  }
}
