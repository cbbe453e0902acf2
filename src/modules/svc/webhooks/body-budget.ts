/**
 * How much of request bodies is in memory at a time. Counted are the bytes that really came: whoever only announces
 * a large body takes no room from others. When there is no more, the body that has been on its way for longest gives
 * way, because the service's are there within milliseconds: neither a few large senders nor many that send drop by drop
 * can shut it out, whoever shares an address with whom. A body that is there never gives way.
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
  /** The body is there. */
  whole: () => void
  /** The body is the service's. */
  verified: () => void
  /** The request is answered; nothing of its body is kept. */
  leave: () => void
}

type Holder = { account: Account; bytes: number; giveWay: () => void }
/** An address, the requests whose bytes count on it, and those of them whose body is on its way, the oldest first. */
type Account = { address: string; bytes: number; holders: Set<Holder>; coming: Set<Holder> }

export class BodyBudget {
  #total = 0
  readonly #accounts = new Map<string, Account>()
  /** Bodies that are on their way, the oldest first. */
  readonly #coming = new Set<Holder>()

  constructor(private readonly limits: BudgetLimits) {}

  get bytes(): number {
    return this.#total
  }

  /** Addresses that something is counted on. */
  get addresses(): number {
    return this.#accounts.size
  }

  /**
   * @param giveWay is called when the room is needed for others; the request is answered, and keeps nothing
   * @returns null where there is no room for one more request
   */
  enter(address: string, giveWay: () => void): Room | null {
    const account = this.#accountOf(address)
    const leave = () => {
      this.#release(holder)
      this.#total -= holder.bytes
      holder.bytes = 0
    }
    const holder: Holder = {
      account,
      bytes: 0,
      giveWay: () => {
        leave()
        giveWay()
      },
    }
    account.holders.add(holder)
    account.coming.add(holder)
    this.#coming.add(holder)
    const take = (bytes: number): boolean => {
      if (!this.#coming.has(holder)) return false
      holder.bytes += bytes
      account.bytes += bytes
      this.#total += bytes
      this.#makeRoom(account)
      // It may have been the one to give way.
      return this.#coming.has(holder)
    }
    if (!take(this.limits.perRequest)) return null
    return {
      take,
      leave,
      whole: () => this.#arrived(holder),
      verified: () => this.#release(holder),
    }
  }

  #accountOf(address: string): Account {
    const known = this.#accounts.get(address)
    if (known) return known
    const made: Account = { address, bytes: 0, holders: new Set(), coming: new Set() }
    this.#accounts.set(address, made)
    return made
  }

  #arrived(holder: Holder): void {
    holder.account.coming.delete(holder)
    this.#coming.delete(holder)
  }

  /** Its bytes do not count on the address any more. */
  #release(holder: Holder): void {
    const { account } = holder
    this.#arrived(holder)
    if (!account.holders.delete(holder)) return
    account.bytes -= holder.bytes
    if (account.holders.size === 0) this.#accounts.delete(account.address)
  }

  #makeRoom(account: Account): void {
    const { total, perAddress } = this.limits
    for (const oldest of account.coming) {
      if (account.bytes <= perAddress) break
      oldest.giveWay()
    }
    for (const oldest of this.#coming) {
      if (this.#total <= total) break
      oldest.giveWay()
    }
  }
}
