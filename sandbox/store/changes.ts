/**
 * Tells open pages (dashboard, player) that something changed, so that they fetch it again.
 *
 * Notices are gathered for a moment: an import of 10,000 products is one refresh, not 10,000.
 */

import { TABLE_NAMES, type Tables } from "./tables"

export type ChangedThing = keyof Tables | "faults" | "profiles" | "clock" | "journal"
export type Notice = {
  what: ChangedThing[]
  /** Those whose shows or orders changed. */
  campaigns: string[] | "all"
}

const EVERYTHING: ChangedThing[] = [...TABLE_NAMES, "faults", "profiles", "clock", "journal"]

const GATHER_MS = 60

export class Changes {
  private readonly listeners = new Set<(notice: Notice) => void>()
  private readonly what = new Set<ChangedThing>()
  private readonly campaigns = new Set<string>()
  private allCampaigns = false
  private timer: NodeJS.Timeout | undefined

  touch(what: ChangedThing, campaignUid?: string): void {
    this.what.add(what)
    if (campaignUid) this.campaigns.add(campaignUid)
    this.timer ??= setTimeout(() => this.tell(), GATHER_MS)
  }

  /** The whole state is another one, or every show of a page is gone. */
  touchAll(): void {
    this.allCampaigns = true
    for (const what of EVERYTHING) this.touch(what)
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
    const campaigns = this.allCampaigns ? ("all" as const) : [...this.campaigns]
    const notice: Notice = { what: [...this.what], campaigns }
    this.timer = undefined
    this.allCampaigns = false
    this.what.clear()
    this.campaigns.clear()
    for (const listener of this.listeners) listener(notice)
  }
}
