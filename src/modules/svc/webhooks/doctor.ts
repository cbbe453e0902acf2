/**
 * Why nothing arrives: what health says of the webhook, and what only a look from outside finds, each with what to do about
 * it. Pure; `diagnose-webhook.ts` gathers the evidence: the service's record of us, what was refused, and a delivery that
 * we sent to ourselves through the public address.
 */
import { isNamed, MAX_SUBSCRIBERS, type Subscriber } from "../../../contract"
import type { FindingCode } from "../../../texts"
import { finding, type Reason, type ReasonParams, reasonFor } from "../shared/reason"
import { FINDINGS, passedAt, type RefusalReason } from "./reasons"
import type { ReceivingProblem } from "./webhook-problem"

/** What came back when we sent ourselves a signed body. */
export type ProbeResult =
  | { kind: "accepted" }
  /** An answer of ours: the request reached this plugin, and not as it was sent. */
  | { kind: "not_verified" }
  /** An answer of ours that says to try again. */
  | { kind: "not_ready" }
  /** Somebody else answered. */
  | { kind: "foreign"; status: number }
  | { kind: "unreachable"; problem: string }

export type Evidence = {
  now: number
  /** Where the service has to deliver; null where this store does not know its address. */
  url: string | null
  /** Whether http and private addresses are meant (option `allowInsecureUrls`). */
  allowInsecure: boolean
  /** The address that its name leads to is private; null where that could not be found out. */
  isPrivate: boolean | null
  pageUid: string
  maxBytes: number
  /** What health says of receiving, after the service was asked. */
  problems: ReceivingProblem[]
  webhook: {
    webhookUid: string | null
    /** Null where none is stored. */
    keyIsReadable: boolean | null
    lastDeliveryAt: Date | null
    keyUpdatedAt: Date | null
  } | null
  /** Every subscriber of the page, or why the service could not be asked. */
  subscribers: Subscriber[] | { problem: string }
  refusals: { reason: RefusalReason; count: number; last_at: Date; off_ms: number | null }[]
  /** A small body and one as large as we take; null where none could be sent. */
  probes: { small: ProbeResult; large: ProbeResult & { bytes: number } } | null
}

export type Finding = Reason & {
  severity: "critical" | "warning" | "info"
  evidence: ReasonParams
}

const RECENT_MS = 24 * 3_600_000
const SILENT_AFTER_MS = 24 * 3_600_000
const ORDER = { critical: 0, warning: 1, info: 2 }

/** What was found, the worst first. */
export function diagnose(evidence: Evidence): Finding[] {
  const findings: Finding[] = evidence.problems
    .filter(({ reason }) => !IN_DETAIL.has(reason.code))
    .map(({ severity, reason }) => ({ ...reason, severity, evidence: reason.params ?? {} }))
  const find = (code: FindingCode, params: ReasonParams = {}) =>
    findings.push({
      ...finding(code, params),
      severity: FINDINGS[code],
      evidence: params,
    })
  if (evidence.url === null && !findings.some(({ code }) => code === "backend_url_missing")) {
    findings.push({ ...reasonFor("backend_url_missing"), severity: "critical", evidence: {} })
  }
  judgeAddress(evidence, find)
  judgeSubscriber(evidence, find)
  judgeProbes(evidence, find)
  judgeRefusals(evidence, find)
  judgeSilence(evidence, find, findings)
  return findings.sort((a, b) => ORDER[a.severity] - ORDER[b.severity])
}

/** Told here by what was refused, and by the address. */
const IN_DETAIL: ReadonlySet<string> = new Set(["deliveries_refused", "insecure_url"])

type Find = (code: FindingCode, params?: ReasonParams) => void

function judgeAddress({ url, allowInsecure, isPrivate }: Evidence, find: Find): void {
  if (url === null || allowInsecure) return
  if (!url.startsWith("https://")) find("address_insecure", { url })
  else if (isPrivate) find("address_not_public", { url })
}

function judgeSubscriber(evidence: Evidence, find: Find): void {
  const { webhook, subscribers, url } = evidence
  if (webhook?.keyIsReadable === false) find("key_unreadable")
  if (!Array.isArray(subscribers)) {
    find("service_unreachable", { problem: subscribers.problem })
    return
  }
  const isOurs = (one: Subscriber) => isNamed(one, webhook?.webhookUid ?? null)
  // One with our address may be ours where ours is not there. Beside ours it is one that a registering left behind.
  const isListed = subscribers.some(isOurs)
  const others = subscribers.filter((one) => !isOurs(one) && (isListed || one.url !== url))
  if (others.length > 0) {
    find("other_subscribers", {
      count: others.length,
      names: others.map(({ name, url: address }) => (name ? `${name} (${address})` : address)),
      limit: MAX_SUBSCRIBERS,
    })
  }
}

function judgeProbes({ probes, url }: Evidence, find: Find): void {
  if (!probes || url === null) return
  const { small, large } = probes
  // Where the small one did not get through no large one was sent: what came of it stands for both.
  switch (large.kind) {
    case "unreachable":
      if (small.kind === "unreachable") find("not_reached", { problem: large.problem, url })
      else find("body_limit", { bytes: large.bytes, status: large.problem })
      break
    case "not_verified":
      find("body_changed", { url })
      break
    case "foreign":
      if (small.kind === "foreign") find("not_this_store", { url, status: large.status })
      else find("body_limit", { bytes: large.bytes, status: large.status })
      break
    default:
  }
}

/** The finding that a refusal is evidence of. */
const FINDING_OF: Partial<Record<RefusalReason, FindingCode>> = {
  signature_missing: "signature_stripped",
  signature_malformed: "signature_stripped",
  wrong_key: "wrong_key",
  too_old: "clock",
  wrong_page: "wrong_page",
  key_unreadable: "key_unreadable",
  not_plain_json: "wrong_type",
  too_large: "too_large",
  database: "store_overloaded",
  no_room: "store_overloaded",
  too_slow: "store_overloaded",
}

function judgeRefusals(evidence: Evidence, find: Find): void {
  const { refusals, probes, webhook, now, pageUid, maxBytes } = evidence
  const times = webhook && {
    last_delivery_at: webhook.lastDeliveryAt,
    signature_key_updated_at: webhook.keyUpdatedAt,
  }
  const found = new Map<FindingCode, { count: number; at: Date; offMs: number | null }>()
  for (const { reason, count, last_at, off_ms } of refusals) {
    const code = FINDING_OF[reason]
    if (!code || last_at.getTime() < now - RECENT_MS) continue
    // A limit that is too low or an overload has not passed with a good delivery.
    const passes = code !== "too_large" && code !== "store_overloaded"
    if (passes && last_at.getTime() < passedAt(reason, times)) continue
    const known = found.get(code)
    const later = known && known.at > last_at ? known : { at: last_at, offMs: off_ms }
    found.set(code, { ...later, count: count + (known?.count ?? 0) })
  }
  // Our own probe is a delivery like others, but the count of it may not be written yet.
  if (probes?.large.kind === "not_ready" && !found.has("store_overloaded")) {
    found.set("store_overloaded", { count: 1, at: new Date(now), offMs: null })
  }
  // Found already where this process cannot read it either; where none is stored health says so.
  if (!webhook?.keyIsReadable) found.delete("key_unreadable")
  for (const [code, { count, at, offMs }] of found) {
    find(code, {
      count,
      last_at: at.toISOString(),
      ...(code === "clock" ? { seconds: Math.round(Math.abs(offMs ?? 0) / 1000) } : {}),
      ...(code === "wrong_page" ? { page: pageUid } : {}),
      ...(code === "too_large" ? { bytes: maxBytes } : {}),
    })
  }
}

function judgeSilence({ webhook, now }: Evidence, find: Find, found: readonly Finding[]): void {
  // In a show it is said already, and weighs more.
  const isSaid = found.some(({ code }) =>
    /^webhook_(silent|never_heard|not_registered)$/.test(code),
  )
  if (!webhook || isSaid) return
  const at = webhook.lastDeliveryAt
  if (!at) {
    find("never_heard")
  } else if (at.getTime() < now - SILENT_AFTER_MS) {
    find("silent", { last_at: at.toISOString() })
  } else if (!found.some(({ severity }) => severity === "critical")) {
    find("well", { last_at: at.toISOString() })
  }
}
