/** Somebody who uses a page: does one thing after the other, and what they did is counted. */
import { setTimeout as pause } from "node:timers/promises"
import type { Locator } from "playwright-core"

/** How long a person takes to find a field or button and use it; 0 where nobody wants to know. */
const PACE_MS = Number(process.env.HUMAN_PACE_MS ?? 0)

export type Person = {
  press: (what: Locator) => Promise<void>
  fill: (field: Locator, text: string) => Promise<void>
  /** Reads what appeared before going on. */
  read: (text: Locator) => Promise<void>
  /** What was done so far, and how many seconds it took. */
  done: () => { acts: number; seconds: number }
}

export function person(): Person {
  const began = performance.now()
  let acts = 0
  const act = async (use: () => Promise<void>) => {
    acts += 1
    await pause(PACE_MS)
    await use()
  }
  return {
    press: (what) => act(() => what.click()),
    fill: (field, text) => act(() => field.fill(text)),
    read: async (text) => {
      await text.waitFor()
      await pause(PACE_MS)
    },
    done: () => ({ acts, seconds: Math.round((performance.now() - began) / 1_000) }),
  }
}
