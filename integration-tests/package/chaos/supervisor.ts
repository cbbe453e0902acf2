/** Keeps a program running, as systemd or a container host does: one that ends is started again. */
import { setTimeout as sleep } from "node:timers/promises"
import type { RunningChild } from "../../../tools/child"

export type Supervised = {
  name: string
  /** Undefined while it is down or coming up. */
  pid: () => number | undefined
  /** `kill -9`. @returns false where it was not up */
  kill: () => boolean
  /** When it was killed, ms since the epoch. */
  kills: readonly number[]
  /** It may be started again: after a kill it stays down until then. */
  release: () => void
  /** Resolves as soon as it is up. */
  up: () => Promise<void>
  /** The last lines that the one which runs has printed. */
  log: () => string
  stop: () => Promise<void>
}

const AGAIN_MS = 1_000

/** @param note is told of starts that failed and of ends that nobody asked for, with the last that was printed */
export function supervise(
  name: string,
  launch: (signal: AbortSignal) => Promise<RunningChild>,
  note: (text: string) => void,
): Supervised {
  const over = new AbortController()
  let child: RunningChild | undefined
  let killed = false
  const kills: number[] = []
  let held: { release: () => void; released: Promise<void> } | undefined
  const waiting: (() => void)[] = []

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      await held?.released
      let started: RunningChild
      try {
        started = await launch(over.signal)
      } catch (error) {
        if (over.signal.aborted) return
        note(`${name} did not start: ${lastLines((error as Error).message)}`)
        await sleep(AGAIN_MS)
        continue
      }
      child = started
      for (const resolve of waiting.splice(0)) resolve()
      const { code, expected } = await started.ended
      child = undefined
      if (!killed && !expected) {
        note(`${name} ended by itself (${code}): ${lastLines(started.output())}`)
        await sleep(AGAIN_MS)
      }
      killed = false
    }
  }
  const running = run()

  return {
    name,
    pid: () => child?.pid,
    log: () => `${name}: ${lastLines(child?.output() ?? "is not up")}`,
    kills,
    kill: () => {
      if (!child) return false
      killed = true
      kills.push(Date.now())
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      held = { release, released }
      child.kill()
      child = undefined
      return true
    },
    release: () => {
      held?.release()
      held = undefined
    },
    up: () => (child ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop: async () => {
      over.abort()
      held?.release()
      await child?.stop()
      await running
    },
  }
}

const lastLines = (text: string) => text.split("\n").slice(-6).join("\n  ")
