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
/** What an address holds that is not verified; its bodies that are on their way, the oldest first. */
type Account = { address: string; bytes: number; holders: number; coming: Set<Holder> }

export class BodyBudget {
  #total = 0
  readonly #accounts = new Map<string, Account>()
  /** On their way, the oldest first. */
  readonly #coming = new Set<Holder>()

  constructor(private readonly limits: BudgetLimits) {}

  get bytes(): number {
    return this.#total
  }

  /**
   * @param giveWay is called when the room is needed for others; the request is answered, and keeps nothing
   * @returns null where there is no room for one more request
   */
  enter(address: string, giveWay: () => void): Room | null {
    const account = this.#accounts.get(address) ?? {
      address,
      bytes: 0,
      holders: 0,
      coming: new Set<Holder>(),
    }
    this.#accounts.set(address, account)
    account.holders += 1
    let state: "coming" | "whole" | "verified" | "left" = "coming"
    const holder: Holder = {
      account,
      bytes: 0,
      giveWay: () => {
        leave()
        giveWay()
      },
    }
    const leave = () => {
      if (state === "coming" || state === "whole") this.#release(holder)
      if (state !== "left") this.#total -= holder.bytes
      state = "left"
    }
    const take = (bytes: number): boolean => {
      if (state !== "coming") return false
      holder.bytes += bytes
      account.bytes += bytes
      this.#total += bytes
      this.#makeRoom(account)
      // It may have been the one to give way.
      return this.#coming.has(holder)
    }
    account.coming.add(holder)
    this.#coming.add(holder)
    if (!take(this.limits.perRequest)) return null
    return {
      take,
      leave,
      whole: () => {
        if (state !== "coming") return
        this.#arrived(holder)
        state = "whole"
      },
      verified: () => {
        if (state !== "coming" && state !== "whole") return
        this.#release(holder)
        state = "verified"
      },
    }
  }

  #arrived(holder: Holder): void {
    holder.account.coming.delete(holder)
    this.#coming.delete(holder)
  }

  /** The address has nothing to do with it any more. */
  #release(holder: Holder): void {
    const { account } = holder
    this.#arrived(holder)
    account.bytes -= holder.bytes
    account.holders -= 1
    if (account.holders === 0) this.#accounts.delete(account.address)
  }

  #makeRoom(account: Account): void {
    const { total, perAddress } = this.limits
    while (account.bytes > perAddress) {
      if (!giveWay(account.coming)) break
    }
    while (this.#total > total) {
      if (!giveWay(this.#coming)) break
    }
  }
}

/** @returns whether there was one */
function giveWay(coming: ReadonlySet<Holder>): boolean {
  for (const oldest of coming) {
    oldest.giveWay()
    return true
  }
  return false
}
