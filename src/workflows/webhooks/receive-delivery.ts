import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  canonicalHash,
  type DeliveryReading,
  deduplicationKey,
  HEADERS,
  parseJson,
  readDelivery,
  signatureProblem,
  verifyDelivery,
} from "../../contract"
import { SVC_MODULE } from "../../modules/svc"
import { classifyDelivery } from "../../modules/svc/webhooks/classify-delivery"
import type { NewDelivery } from "../../modules/svc/webhooks/inbox-rows"
import { readKeys, verifiedKeyColumns } from "../../modules/svc/webhooks/signature-keys"
import { wakeInbox } from "./apply-inbox"

/** A delivery as it came over the wire. */
type IncomingDelivery = {
  connectionId: string
  /** As Node gives them: lower-case names, repeated ones joined. */
  headers: Record<string, string | string[] | undefined>
  rawBody: Buffer
  /** Our clock, in ms since the epoch. */
  now: number
}

/**
 * What the receiver answers (gap 15). Everything that could not be verified is `refused`, so that nobody learns which
 * part was wrong or which connections exist.
 */
export type Receipt =
  | { kind: "kept"; isNew: boolean; outcome: string }
  | { kind: "unknown"; problem: string }
  | { kind: "refused" }
  | { kind: "not_an_envelope"; problem: string }
  | { kind: "not_ready"; problem: string }

/** Verifies, reads and stores a delivery: two statements, and nothing else before the service has its answer. */
export async function receiveDelivery(
  container: MedusaContainer,
  incoming: IncomingDelivery,
): Promise<Receipt> {
  const { connectionId, rawBody, now } = incoming
  const timestamp = header(incoming, HEADERS.timestamp)
  const signature = header(incoming, HEADERS.signature)
  if (signatureProblem({ timestamp, signature })) return { kind: "refused" }

  const svc = container.resolve(SVC_MODULE)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const subscriber = await svc.subscribers.forVerification(connectionId)
  if (!subscriber?.webhook_id) return { kind: "refused" }

  const keys = readKeys(svc.keyring, subscriber.webhook_id, subscriber)
  const verdict = verifyDelivery({
    keys: keys.readable.map(({ key }) => key),
    timestamp,
    signature,
    rawBody,
    now,
    toleranceMs: svc.options.webhookToleranceSeconds * 1000,
  })
  if (!verdict.ok) {
    // A 401 is final for the service (interface §7): it is only given when we know every key there may be.
    if (verdict.reason !== "mismatch") return { kind: "refused" }
    if (subscriber.rotating) return { kind: "not_ready", problem: "The signature key is changing." }
    if (keys.unreadable) return { kind: "not_ready", problem: "The signature key cannot be read." }
    return { kind: "refused" }
  }

  const body = parseJson(rawBody)
  const reading = readDelivery(body, header(incoming, HEADERS.topic))
  if (reading.kind === "invalid") {
    logger.warn(`svc: a signed delivery for ${connectionId} was refused: ${reading.problem}`)
    return { kind: "not_an_envelope", problem: reading.problem }
  }
  // The key of this connection does not allow to speak for another page (gap 11).
  if (reading.pageUid !== null && reading.pageUid !== subscriber.page_uid) {
    logger.warn(`svc: a signed delivery for ${connectionId} names another page and was refused.`)
    return { kind: "refused" }
  }
  reportDifferences(logger, incoming, reading)

  const { outcome, reason } = classifyDelivery(reading, verdict.timestamp)
  const delivery: NewDelivery = {
    connection_id: connectionId,
    dedup_key: keyOf(reading, subscriber.page_uid, verdict.timestamp, body),
    topic: reading.topic,
    event_uid: reading.eventUid,
    delivery_uid: reading.deliveryUid,
    occurred_at: reading.occurredAt === null ? null : new Date(reading.occurredAt),
    outcome,
    reason,
    payload: body,
    headers: keptHeaders(incoming),
  }
  const kept = await svc.inbox.keep(delivery, now - verdict.timestamp)
  const used = keys.readable[verdict.keyIndex]
  if (used?.candidate) {
    await svc.subscribers.promote(
      subscriber.webhook_id,
      used.candidate,
      verifiedKeyColumns(svc.keyring, subscriber.webhook_id, used.key),
    )
  }
  if (reading.kind === "unknown") return { kind: "unknown", problem: reading.problem }
  // A repeat wakes the worker too: perhaps the process died before it applied the first.
  if (kept.outcome === "received") wakeInbox(container)
  return { kind: "kept", isNew: kept.isNew, outcome: kept.outcome }
}

type Read = Exclude<DeliveryReading, { kind: "invalid" }>

/** The inbox key (gap 1). A test delivery has no event, so two tests are told apart by when they were sent. */
function keyOf(reading: Read, pageUid: string, timestamp: number, body: unknown): string {
  if (reading.kind === "change") return deduplicationKey({ ...reading, data: reading.data })
  if (reading.kind === "test") return canonicalHash(["test", timestamp, body])
  return deduplicationKey({ ...reading, pageUid, data: withoutAttempt(body) })
}

/** An envelope that we cannot read, without the fields that differ between two attempts of one delivery. */
function withoutAttempt(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body
  const { deliveryUid, deliveryAt, ...rest } = body as Record<string, unknown>
  return rest
}

/** Logs headers that differ from the body. The body counts: these headers are not signed (gap 9, gap 18). */
function reportDifferences(logger: Logger, incoming: IncomingDelivery, reading: Read): void {
  const pairs: [string, string | number | null][] = [
    [HEADERS.pageUid, reading.pageUid],
    [HEADERS.topic, reading.topic],
    [HEADERS.deliveryUid, reading.deliveryUid],
    [HEADERS.eventUid, reading.kind === "test" ? null : reading.eventUid],
    [HEADERS.timestamp, reading.deliveryAt],
  ]
  const different = pairs
    .filter(([name, value]) => {
      const hint = header(incoming, name)
      return hint !== undefined && value !== null && hint !== String(value)
    })
    .map(([name]) => name)
  if (different.length > 0) {
    logger.warn(
      `svc: a delivery for ${incoming.connectionId} differs from its body in ${different.join(", ")}; the body counts.`,
    )
  }
}

/** Only the headers that the interface names (§6.4): a custom header may be a secret of the merchant's gateway. */
const KEPT = ["content-type", "user-agent", ...Object.values(HEADERS)].filter(
  (name) => name !== HEADERS.signature,
)

function keptHeaders(incoming: IncomingDelivery): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of KEPT) {
    const value = header(incoming, name)
    if (value !== undefined) kept[name] = value.slice(0, 500)
  }
  return kept
}

function header(incoming: IncomingDelivery, name: string): string | undefined {
  const value = incoming.headers[name]
  return typeof value === "string" ? value : undefined
}
