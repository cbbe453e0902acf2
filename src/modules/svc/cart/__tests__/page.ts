import { agreedChanges, untoldChanges } from "../told"
import type { MarketStall } from "./market-stall"

/** The shopper's page: what it shows of the basket, and what has to be asked before a payment begins on it. */
export class Page {
  /** What a line was when the page last showed the basket, by the line's id. */
  #shown = new Map<string, string>()
  readonly #acknowledged = new Set<string>()

  constructor(
    private readonly stall: MarketStall,
    /** Its storefront says which changes it has shown; else the store has to infer it. */
    private readonly acknowledges: boolean,
  ) {}

  look(): void {
    this.#shown = this.#state()
  }

  /**
   * The shopper wants to pay.
   *
   * @returns the ids of the changes that they are asked about first; empty where the payment has begun
   */
  press(): string[] {
    const { stall } = this
    stall.now += 1
    stall.run({ occasion: "payment" })
    const situation = stall.situation()
    const agreed = agreedChanges(situation, {
      acknowledged: this.acknowledges ? [...this.#acknowledged] : null,
      askedAt: stall.now,
      beginsPayment: true,
      nothingToPay: false,
    })
    const asked = untoldChanges(situation).flatMap(({ id }) => (agreed.has(id) ? [] : [id]))
    stall.changes = stall.changes.filter(({ id }) => asked.includes(id))
    for (const change of stall.changes) change.answeredAt = stall.now
    if (asked.length > 0) this.look()
    for (const id of asked) this.#acknowledged.add(id)
    return asked
  }

  /** Lines that are not what the page showed last; by right none, where the shopper was not asked. */
  unseen(): string[] {
    const now = this.#state()
    return [...new Set([...now.keys(), ...this.#shown.keys()])].flatMap((id) =>
      now.get(id) === this.#shown.get(id)
        ? []
        : [`${id}: ${now.get(id)} instead of ${this.#shown.get(id)}`],
    )
  }

  #state(): Map<string, string> {
    const { cart } = this.stall
    return new Map(
      this.stall
        .live()
        .map((line) => [
          line.id,
          [line.quantity, line.unitPrice, line.isTaxInclusive, cart.currency].join(" "),
        ]),
    )
  }
}
