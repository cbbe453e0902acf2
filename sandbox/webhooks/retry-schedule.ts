/** When a delivery is tried again (interface §6.6, §8): 4 attempts over about 13 minutes. */

/** After the previous attempt, for attempts 2, 3 and 4; there is no fifth. */
const WAIT_MS = [60_000, 180_000, 540_000] as const

/**
 * @param attempt  number of the attempt that failed, from 1
 * @returns ms until the next attempt, or null when this was the final one (interface §3.3)
 */
export function waitAfter(attempt: number): number | null {
  return WAIT_MS[attempt - 1] ?? null
}
