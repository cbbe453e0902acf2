/**
 * Tells open pages (dashboard, player) that something changed, so that they fetch it again.
 *
 * Notices are gathered for a moment: an import of 10,000 products is one refresh, not 10,000.
 */

import type { Tables } from "./tables"

export type ChangedThing = keyof Tables | "faults" | "profiles" | "clock" | "journal"
export type Notice = { what: ChangedThing[]; campaigns: string[] }

const GATHER_MS = 60

export class Changes {
  private readonly listeners = new Set<(notice: Notice) => void>()
  private readonly what = new Set<ChangedThing>()
  private readonly campaigns = new Set<string>()
  private timer: NodeJS.Timeout | undefined

  touch(what: ChangedThing, campaignUid?: string): void {
    this.what.add(what)
    if (campaignUid) this.campaigns.add(campaignUid)
    this.timer ??= setTimeout(() => this.tell(), GATHER_MS)
  }

  listen(listener: (notice: Notice) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    clearTimeout(this.timer)
    this.listeners.clear()
  }

  private tell(): void {
    const notice = { what: [...this.what], campaigns: [...this.campaigns] }
    this.timer = undefined
    this.what.clear()
    this.campaigns.clear()
    for (const listener of this.listeners) listener(notice)
  }
}
