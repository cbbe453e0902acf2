/**
 * The state of a webhook subscriber (interface §3.2).
 *
 * ```
 *            failing for 30 min          failing for 60 min
 *   active --------------------> warning --------------------> disabled
 *     ^  <----------------------                                   |
 *     |        any success                                         |
 *     +------------------------------------------------------------+
 *                   the merchant clicks Activate
 * ```
 *
 * A streak is counted in failed attempts and looked at when one fails: a receiver that nobody calls
 * is not failing. A success ends the streak.
 */

import { LIMITS } from "../contract/interface"
import type { SubscriberState } from "../store/tables"

export type Step = "warning" | "disabled"

/**
 * The step to take at a failure, one at most: the table leads from `active` to `warning` and from
 * there to `disabled`, never past `warning`, however long nothing was sent.
 *
 * @param streakMs  time from the first failure of the streak to this one
 */
export function stepAtFailure(state: SubscriberState, streakMs: number): Step | null {
  if (state === "active") return streakMs >= LIMITS.warningAfterMs ? "warning" : null
  if (state === "warning") return streakMs >= LIMITS.disabledAfterMs ? "disabled" : null
  return null
}

/** A success brings `warning` back to `active`; nothing but Activate brings `disabled` back. */
export function stateAfterSuccess(state: SubscriberState): SubscriberState {
  return state === "warning" ? "active" : state
}
