/** More than a timer is late on a busy machine. */
const LATE_MS = 500

/**
 * Whether a limit of time is noticed so long after its end that no timer explains it: then this process itself stood still
 * (a machine that is moved while it runs, a lid that was closed), and whoever was waited for may have answered in time.
 * What waited is done once more.
 *
 * @param until when the limit ended, and `now`, by the wall clock: Node's own stands still with a machine that sleeps
 */
export const endedLate = (until: number, now: number): boolean => now > until + LATE_MS
