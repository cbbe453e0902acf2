/**
 * The one brake of a run: whether the service takes nothing at all, so that no product is at fault and no further call is
 * made. Pure.
 *
 * Each call that failed raises the doubt, and each that took a product ends it. Products that are refused one after the
 * other (400, 422) weigh little: four bad neighbours of a hundred take a dozen calls to find. A call of which nobody knows
 * whose fault it was weighs so much that three of them stop the run, unless it brought a part of what failed before while
 * others passed.
 */
const MOST = 16
const REFUSED = 1
const UNCLEAR = 6
const UNCLEAR_PART = 2

/**
 * A hold has just ended, so one call at a time finds out whether the service is well before others are begun: whether it
 * answers at all, or, where it refused most of what was sent, whether it takes something.
 */
type Probe = "service" | "refusals"
/** Two refused products are enough to see that everything still is. */
const MOST_OF_A_PROBE = 2

export class Brake {
  #doubt = 0
  #taken = false

  constructor(private probe: Probe | null) {}

  get isProbing(): boolean {
    return this.probe !== null
  }

  /** Whether no further call is made. */
  get isOn(): boolean {
    return this.#doubt >= (this.probe ? MOST_OF_A_PROBE : MOST)
  }

  /** The service took a product. */
  accepted(): void {
    this.#doubt = 0
    this.#taken = true
    this.probe = null
  }

  /**
   * The service read what it was sent, and took none of it.
   *
   * @param whole it was several products, each by name
   * @param isNews it had not refused all of them before
   */
  refused({ whole = false, isNews = true } = {}): void {
    // It is there again.
    if (this.probe === "service") this.probe = null
    if (isNews) this.#doubt += whole ? UNCLEAR : REFUSED
  }

  /**
   * A call failed, and nothing tells whether by the service or by what it brought.
   *
   * @param call.count products that it brought
   * @param call.isPart they failed before
   * @returns whether the one product is at fault: it stands alone, and others pass
   */
  unclear({ count, isPart }: { count: number; isPart: boolean }): boolean {
    if (count === 1 && !this.#taken) this.#doubt = MOST
    else this.#doubt += isPart && this.#taken ? UNCLEAR_PART : UNCLEAR
    return count === 1 && !this.isOn
  }
}
