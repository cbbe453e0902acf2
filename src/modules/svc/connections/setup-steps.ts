/** How far the first connection of a store has come. Pure: `setup-rows.ts` and the workflow read what it decides by. */
import type { Connection } from "../models"
import { type Reason, reasonFor } from "../shared/reason"
import type { LastCheck } from "./connection-state"

/** In the order in which a merchant takes them. */
const SETUP_STEPS = [
  "service",
  "market",
  "storefront",
  "import",
  "webhook",
  "test_delivery",
  "player",
  "test_order",
] as const
type SetupStepName = (typeof SETUP_STEPS)[number]

/**
 * `done`: somebody or something has looked, and it works. `open`: nobody has looked yet. `running`: it is being done.
 * `failed`: looked at, and it does not work, or waits for somebody. `blocked`: it cannot be judged before the service answers.
 */
type SetupState = "done" | "open" | "running" | "failed" | "blocked"

export type SetupStep = {
  name: SetupStepName
  state: SetupState
  /** When it was last looked at; null where that is not known. */
  at: Date | null
  reason: Reason | null
}

/** Whether what a sales channel sells can be sold in a region. */
export type MarketFit = {
  channel_open: boolean
  /** Null where the region does not exist any more. */
  currency_code: string | null
  has_products: boolean
  has_prices: boolean
}

/** What a look at the storefront's address found. `url` is the address that was looked at. */
export type StorefrontCheck = { at: string; url: string; ok: boolean; reason: Reason | null }

export type SetupEvidence = {
  connection: {
    status: Connection["status"]
    last_error: Reason | null
    last_check: LastCheck | null
    storefront_url: string
  }
  market: MarketFit
  storefront: StorefrontCheck | null
  sync: {
    status: "idle" | "running" | "paused" | "completed" | "cancelled" | "failed"
    finished_at: Date | null
    reason: Reason | null
  }
  /** Whether the service has at least one product. */
  has_synced: boolean
  /** Whether an import has ever run to its end. */
  has_imported: boolean
  webhook: {
    problem: Reason | null
    registered: boolean
    /** Why none can be registered: the store does not know its own public address, or it is not https. */
    address_problem: Reason | null
    key_updated_at: Date | null
    last_delivery_at: Date | null
  }
  /** The last request that the receiver refused. */
  refusal: { at: Date; status: number } | null
  /** When the player of a storefront last changed a basket; null where none has. */
  player_at: Date | null
  order: {
    /** `excluded`: there is none but what is reported to nobody, as a test is. */
    state: "none" | "waiting" | "reported" | "failed" | "excluded"
    at: Date | null
    reason: Reason | null
  }
}

/** Why a sales channel and a region do not go together; null where they do. */
export function marketProblem(fit: MarketFit): Reason | null {
  if (!fit.channel_open) return reasonFor("channel_closed")
  if (fit.currency_code === null) return reasonFor("region_gone")
  if (!fit.has_products) return reasonFor("no_products")
  if (!fit.has_prices) {
    return reasonFor("no_prices", { currency: fit.currency_code.toUpperCase() })
  }
  return null
}

type Judged = Omit<SetupStep, "name">
const OPEN: Judged = { state: "open", at: null, reason: null }

/** Every step with its state. */
export function judgeSetup(evidence: SetupEvidence): SetupStep[] {
  const service = judgeService(evidence)
  // What the service last said of products and webhooks is old news while it cannot be asked.
  const behind = (step: Judged): Judged =>
    service.state === "done" || step.state === "open" ? step : { ...step, state: "blocked" }
  const judged: Record<SetupStepName, Judged> = {
    service,
    market: judgeMarket(evidence),
    storefront: judgeStorefront(evidence),
    import: behind(judgeImport(evidence)),
    webhook: behind(judgeWebhook(evidence)),
    test_delivery: behind(judgeTestDelivery(evidence)),
    player: evidence.player_at ? { state: "done", at: evidence.player_at, reason: null } : OPEN,
    test_order: behind(judgeTestOrder(evidence)),
  }
  return SETUP_STEPS.map((name) => ({ name, ...judged[name] }))
}

function judgeService({ connection: { status, last_error, last_check } }: SetupEvidence): Judged {
  const at = last_check ? new Date(last_check.at) : null
  if (status === "active") return { state: "done", at, reason: null }
  if (status === "unchecked") return { ...OPEN, at }
  return { state: "failed", at, reason: last_error }
}

function judgeMarket({ market }: SetupEvidence): Judged {
  const reason = marketProblem(market)
  return { state: reason ? "failed" : "done", at: null, reason }
}

function judgeStorefront({ storefront, connection }: SetupEvidence): Judged {
  // Another address was entered since: nobody has looked at that one.
  if (!storefront || storefront.url !== connection.storefront_url) return OPEN
  const at = new Date(storefront.at)
  return { state: storefront.ok ? "done" : "failed", at, reason: storefront.reason }
}

function judgeImport({ sync, has_synced, has_imported }: SetupEvidence): Judged {
  const at = sync.finished_at
  switch (sync.status) {
    case "running":
      return { state: "running", at: null, reason: sync.reason }
    case "paused":
      return { state: "failed", at: null, reason: reasonFor("import_paused") }
    case "failed":
    case "cancelled":
      // Another import than the first one was not needed: changes are sent by themselves.
      if (has_synced && has_imported) return { state: "done", at: null, reason: null }
      return { state: "failed", at, reason: sync.reason ?? reasonFor("import_ended") }
    case "completed":
      return has_synced
        ? { state: "done", at, reason: null }
        : { state: "failed", at, reason: reasonFor("nothing_sent") }
    case "idle":
      return OPEN
  }
}

function judgeWebhook({ webhook }: SetupEvidence): Judged {
  if (!webhook.registered) {
    const reason = webhook.address_problem
    return reason ? { state: "failed", at: null, reason } : OPEN
  }
  if (webhook.problem) return { state: "failed", at: null, reason: webhook.problem }
  return { state: "done", at: webhook.key_updated_at, reason: null }
}

/** Any delivery that was verified under the present key proves as much as a test. */
function judgeTestDelivery({ webhook, refusal }: SetupEvidence): Judged {
  if (!webhook.registered) return OPEN
  const since = webhook.key_updated_at?.getTime() ?? 0
  const heard = webhook.last_delivery_at?.getTime() ?? 0
  if (heard >= since && heard > 0) {
    return { state: "done", at: webhook.last_delivery_at, reason: null }
  }
  if (refusal && refusal.at.getTime() >= since) {
    const reason = reasonFor("delivery_refused", { status: refusal.status })
    return { state: "failed", at: refusal.at, reason }
  }
  return OPEN
}

function judgeTestOrder({ order }: SetupEvidence): Judged {
  switch (order.state) {
    case "reported":
      return { state: "done", at: order.at, reason: null }
    case "waiting":
      return { state: "running", at: order.at, reason: order.reason }
    case "failed":
    case "excluded":
      return { state: "failed", at: order.at, reason: order.reason }
    case "none":
      return OPEN
  }
}

/** What the column holds; null before the first look. `recordStorefront` alone writes it. */
export const readStorefrontCheck = ({
  storefront_check,
}: Pick<Connection, "storefront_check">): StorefrontCheck | null =>
  storefront_check as StorefrontCheck | null
