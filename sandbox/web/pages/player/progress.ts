/**
 * How far SOME_CHECKOUT is, from what the handler tells through `sdk.progress` (gap 39). Between two
 * reports the bar goes on by the plan, never past the step under way and never backwards, so that it
 * neither stands still nor claims what was not done.
 */

import type { Plan, Reached } from "./sdk"

const TICK_MS = 100
/** A handler that reports nothing still gets a bar that moves. */
const UNPLANNED = { totalSteps: 1, msPerStep: 4000 }

export function createProgress(onChange: () => void) {
  let plan = UNPLANNED
  let reached = 0
  let since = 0
  let shown = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function tick(): void {
    const step = 1 / plan.totalSteps
    const estimate = reached + (step * (performance.now() - since)) / plan.msPerStep
    const nextStep = (Math.floor(reached / step + 1e-6) + 1) * step
    shown = Math.max(shown, reached, Math.min(estimate, nextStep - step * 0.08, 0.98))
    onChange()
  }

  return {
    /** 0 to 100 */
    percent: () => Math.round(shown * 100),

    start(): void {
      plan = UNPLANNED
      reached = shown = 0
      since = performance.now()
      clearInterval(timer)
      timer = setInterval(tick, TICK_MS)
    },

    plan({ totalSteps = 0, msPerStep = 0 }: Plan = {}): void {
      if (totalSteps <= 0 || msPerStep <= 0) return
      plan = { totalSteps, msPerStep }
      since = performance.now()
    },

    set({ percent = Number.NaN, step = Number.NaN }: Reached = {}): void {
      const at = Number.isFinite(percent) ? percent / 100 : step / plan.totalSteps
      if (!Number.isFinite(at)) return
      reached = Math.min(1, Math.max(reached, at))
      since = performance.now()
      tick()
    },

    finish(): void {
      clearInterval(timer)
      shown = 1
      onChange()
    },
  }
}
