/**
 * How much of request bodies is in memory at a time. Counted are the bytes that really came: whoever only announces
 * a large body, or sends it drop by drop, takes no room from others. When there is no more, the largest body of the
 * address that holds the most gives way, the oldest of equals, so that neither a few large senders nor many slow ones can
 * shut out others. A verified body never gives way: it is the service's.
 */
export type BudgetLimits = {
  /** Bytes of all bodies. */
  total: number
  /** Bytes of bodies of one address that are not verified. */
  perAddress: number
  /** What a request costs beside its body: its socket and headers. */
  perRequest: number
}

/** The room that one request has. */
export type Room = {
  /** More bytes came. False where there is no room for them: the request has been told to give way. */
  take: (bytes: number) => boolean
  /** The body is the service's. */
  verified: () => void
  /** The request is answered; nothing of its body is kept. */
  leave: () => void
}

type Holder = { address: string; bytes: number; gaveWay: boolean; giveWay: () => void }

export class BodyBudget {
  #total = 0
  /** Not verified, by address. */
  readonly #byAddress = new Map<string, { bytes: number; holders: Set<Holder> }>()

  constructor(private readonly limits: BudgetLimits) {}

  get bytes(): number {
    return this.#total
  }

  /**
   * @param giveWay is called when the room is needed for others; the request is answered, and keeps nothing
   * @returns null where there is no room for one more request
   */
  enter(address: string, giveWay: () => void): Room | null {
    const holder: Holder = { address, bytes: 0, gaveWay: false, giveWay }
    let state: "held" | "verified" | "left" = "held"
    const leave = () => {
      if (state === "held") this.#release(holder)
      else if (state === "verified") this.#total -= holder.bytes
      state = "left"
    }
    const take = (bytes: number): boolean => {
      if (state === "left" || holder.gaveWay) return false
      this.#grow(holder, bytes)
      this.#makeRoom()
      return this.#holds(holder)
    }
    if (!take(this.limits.perRequest)) return null
    return {
      take,
      leave,
      verified: () => {
        if (state !== "held") return
        this.#release(holder)
        this.#total += holder.bytes
        state = "verified"
      },
    }
  }

  #grow(holder: Holder, bytes: number): void {
    const account = this.#byAddress.get(holder.address) ?? { bytes: 0, holders: new Set() }
    this.#byAddress.set(holder.address, account)
    account.holders.add(holder)
    account.bytes += bytes
    holder.bytes += bytes
    this.#total += bytes
  }

  #release(holder: Holder): void {
    const account = this.#byAddress.get(holder.address)
    if (!account?.holders.delete(holder)) return
    account.bytes -= holder.bytes
    this.#total -= holder.bytes
    if (account.holders.size === 0) this.#byAddress.delete(holder.address)
  }

  #holds(holder: Holder): boolean {
    return this.#byAddress.get(holder.address)?.holders.has(holder) ?? false
  }

  #makeRoom(): void {
    for (;;) {
      const [address, account] = this.#largestAccount() ?? []
      if (address === undefined || !account) return
      if (this.#total <= this.limits.total && account.bytes <= this.limits.perAddress) return
      let largest: Holder | undefined
      for (const holder of account.holders) {
        if (!largest || holder.bytes > largest.bytes) largest = holder
      }
      if (!largest) return
      largest.gaveWay = true
      this.#release(largest)
      largest.giveWay()
    }
  }

  #largestAccount() {
    let largest: [string, { bytes: number; holders: Set<Holder> }] | undefined
    for (const entry of this.#byAddress) {
      if (!largest || entry[1].bytes > largest[1].bytes) largest = entry
    }
    return largest
  }
}
