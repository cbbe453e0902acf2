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
 * The steps to take at a failure, in order. A streak with a long silence in it may take both at
 * once; the merchant then hears of both.
 *
 * @param streakMs  time from the first failure of the streak to this one
 */
export function stepsAtFailure(state: SubscriberState, streakMs: number): Step[] {
  const steps: Step[] = []
  if (state === "active" && streakMs >= LIMITS.warningAfterMs) steps.push("warning")
  if (state !== "disabled" && streakMs >= LIMITS.disabledAfterMs) steps.push("disabled")
  return steps
}

/** A success brings `warning` back to `active`; nothing but Activate brings `disabled` back. */
export function stateAfterSuccess(state: SubscriberState): SubscriberState {
  return state === "warning" ? "active" : state
}
