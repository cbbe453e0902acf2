/**
 * Tells open pages (dashboard, player) that something changed, so that they fetch it again.
 *
 * Notices are gathered for a moment: an import of 10,000 products is one refresh, not 10,000.
 */

import { TABLE_NAMES, type Tables } from "./tables"

export type ChangedThing = keyof Tables | "faults" | "profiles" | "clock" | "journal"

const EVERYTHING: ChangedThing[] = [...TABLE_NAMES, "faults", "profiles", "clock", "journal"]

const GATHER_MS = 60

export class Changes {
  private readonly listeners = new Set<(what: ChangedThing[]) => void>()
  private readonly what = new Set<ChangedThing>()
  private timer: NodeJS.Timeout | undefined

  touch(what: ChangedThing): void {
    this.what.add(what)
    this.timer ??= setTimeout(() => this.tell(), GATHER_MS)
  }

  /** The whole state is another one, or every show of a page is gone. */
  touchAll(): void {
    for (const what of EVERYTHING) this.touch(what)
  }

  listen(listener: (what: ChangedThing[]) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    clearTimeout(this.timer)
    this.listeners.clear()
  }

  private tell(): void {
    const what = [...this.what]
    this.timer = undefined
    this.what.clear()
    for (const listener of this.listeners) listener(what)
  }
}
