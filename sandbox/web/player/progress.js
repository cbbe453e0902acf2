/**
 * How far SOME_CHECKOUT is, from what the handler tells through `sdk.progress` (gap 39). Between
 * two reports the bar goes on by the plan, never past the step under way and never backwards, so
 * that it neither stands still nor lies.
 */

const TICK_MS = 100

/** @param {{ onChange: () => void, now?: () => number }} options */
export function createProgress({ onChange, now = () => performance.now() }) {
  // A handler that reports nothing still gets a bar that moves.
  const unplanned = { totalSteps: 1, msPerStep: 4000 }
  let plan = unplanned
  let reached = 0
  let since = 0
  let shown = 0
  let timer = null

  function tick() {
    const step = 1 / plan.totalSteps
    const estimate = reached + (step * (now() - since)) / plan.msPerStep
    const nextStep = (Math.floor(reached / step + 1e-6) + 1) * step
    shown = Math.max(shown, reached, Math.min(estimate, nextStep - step * 0.08, 0.98))
    onChange()
  }

  return {
    /** 0 to 100 */
    percent: () => Math.round(shown * 100),

    start() {
      plan = unplanned
      reached = shown = 0
      since = now()
      clearInterval(timer)
      timer = setInterval(tick, TICK_MS)
    },

    plan({ totalSteps, msPerStep } = {}) {
      if (totalSteps > 0 && msPerStep > 0) {
        plan = { totalSteps, msPerStep }
        since = now()
      }
    },

    set({ percent, step } = {}) {
      const at = Number.isFinite(percent) ? percent / 100 : step / plan.totalSteps
      if (Number.isFinite(at)) {
        reached = Math.min(1, Math.max(reached, at))
        since = now()
        tick()
      }
    },

    finish() {
      clearInterval(timer)
      shown = 1
      onChange()
    },
  }
}
