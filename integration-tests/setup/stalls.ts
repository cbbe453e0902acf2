/** A look at this moment is missed by so much before it counts: timers are never exact. */
const TOLERATED_MS = 50
const LOOK_EVERY_MS = 50

/**
 * How long this process has not been let run: on a machine that stands still, or is busy with something else, whatever is
 * measured meanwhile takes longer by that. Of another process it is a guess: whoever measures one subtracts only so much.
 */
export function watchStalls(): { stalledMs: () => number; end: () => void } {
  let stalled = 0
  let last = performance.now()
  const look = () => {
    const missed = performance.now() - last - LOOK_EVERY_MS
    if (missed > TOLERATED_MS) stalled += missed
    last = performance.now()
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    stalledMs: () => {
      look()
      return stalled
    },
    end: () => clearInterval(timer),
  }
}
