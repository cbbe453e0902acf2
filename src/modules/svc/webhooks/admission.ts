import { createHash, randomBytes } from "node:crypto"
import type { Logger } from "@medusajs/framework/types"
import { endedLate } from "../../../client"
import {
  canonicalHash,
  type DeliveryReading,
  decodeUtf8,
  deduplicationKey,
  HEADERS,
  parseJson,
  readDelivery,
  signatureProblem,
  verifyDelivery,
} from "../../../contract"
import { sqlProblem } from "../shared/sql-error"
import { within } from "../shared/within"
import { BodyRoom } from "./body-room"
import { classifyDelivery } from "./classify-delivery"
import type { DeliveryWriter, NewDelivery } from "./delivery-writer"
import { FailureMeter } from "./failure-meter"
import { DELIVERY_REFUSALS, isLimited, isOurFault, type RefusalReason } from "./reasons"
import { type NotedRows, ReceiverNotes } from "./receiver-notes"
import { connectionNamed, networkOf } from "./sender"
import type { KnownKeys, VerificationKeys } from "./verification-keys"

/** The doctor's own topic: verified like any other, kept nowhere. Only whoever has our key can send it. */
export const PROBE_TOPIC = "svc.probe"

/** A request at the receiver, before its body is read. */
export type IncomingRequest = {
  connectionId: string
  /** As Node gives them: lower case names, repeated ones joined. */
  headers: Record<string, string | string[] | undefined>
  address: string
  /** Whether the headers say JSON in UTF-8, sent as it is. */
  isPlainJson: boolean
  /** Reads the body, chunk by chunk through `take`; false from it means that there is no room for more. */
  readBody: (limits: BodyLimits) => Promise<BodyReading>
}
type BodyLimits = {
  maxBytes: number
  timeoutMs: number
  /** False where there is no room for more. */
  take: (bytes: number) => boolean
  /** Ends the reading: the room is needed for others. */
  giveUp: AbortSignal
}
type BodyReading =
  | { ok: true; bytes: Buffer }
  | { ok: false; reason: "too_large" | "too_slow" | "no_room" | "aborted" }

/**
 * What is answered (gap 15). Whoever sent it learns the status of a refusal and no more: neither which part of a signature
 * was wrong, nor which connections there are.
 */
export type Admitted =
  | { kind: "kept"; outcome: string; late: boolean }
  | { kind: "probe" }
  | { kind: "unknown"; problem: string }
  /** `problem`: of what was well signed; `waitMs`: until the address is looked at again. */
  | {
      kind: "refused"
      reason: RefusalReason
      status: number
      problem?: string
      waitMs?: number
    }
  /** The sender is gone: nobody is there for an answer. */
  | { kind: "gone" }

export const ADMISSION_LIMITS = {
  /** Of all bodies that are in memory. A burst of shows is far below it, a flood of large bodies ends here. */
  roomBytes: 64 * 1024 * 1024,
  /** Not verified, from one address within a minute. */
  failures: 100,
  /** The service waits 10 s for the whole of it (interface §6.6): these are half of that each. */
  readTimeoutMs: 4_500,
  keepTimeoutMs: 4_500,
  /** For promoting a key, once the delivery is kept: far below `keepTimeoutMs`, or what is kept would be asked for again. */
  promoteTimeoutMs: 1_000,
}
export type AdmissionLimits = typeof ADMISSION_LIMITS & {
  maxBytes: number
  /** How old or early a delivery may be; 0 turns the check off (gap 7). */
  toleranceMs: number
}

/** What the admission is made of; each with its own limits on the database. */
export type AdmissionParts = {
  keys: Pick<VerificationKeys, "of">
  writer: Pick<DeliveryWriter, "keep">
  notes: NotedRows
  /** Replaces the key that was current by the candidate that verified a delivery, which was kept at this time. */
  promote: (webhookId: string, candidate: string, key: string, at: Date) => Promise<void>
  logger: Logger
  /** Our clock, in ms since the epoch. */
  now: () => number
}

/** The last of the service's attempts comes 13 minutes after the first, the one before it after 4 (interface §6.6). */
const LATE_MS = 10 * 60_000
/** What a request costs beside its body: its socket and headers. */
const REQUEST_BYTES = 16 * 1024
/** An outage is said once in this time, not once for each delivery. */
const REPORT_EVERY_MS = 10_000
const TOO_LONG = "It took too long."

/**
 * Decides what of the requests at the receiver gets in, one object for each application:
 *
 *   headers -> room for the bytes that come -> signature, with keys in memory -> one statement
 *
 * Whatever is verified gets in; only what is not is limited, by address. Whatever may be our own fault is answered 503,
 * because the service drops most of what it is refused (interface §7).
 */
export class Admission {
  readonly #room: BodyRoom
  readonly #failures: FailureMeter
  readonly #notes: ReceiverNotes
  /**
   * Compared with where there is no key, so that a connection that there is not costs what one that there is costs, and
   * nobody learns from the time which there are. Nobody knows this key.
   */
  readonly #nobody = [randomBytes(32).toString("base64")]
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly parts: AdmissionParts,
    /** Read at each request, so that tests and options can change them. */
    private readonly limits: () => AdmissionLimits,
  ) {
    const { roomBytes, failures } = limits()
    this.#room = new BodyRoom(roomBytes)
    this.#failures = new FailureMeter(failures)
    this.#notes = new ReceiverNotes(parts.notes)
  }

  /** Bytes of bodies that are in memory now. */
  get heldBytes(): number {
    return this.#room.bytes
  }

  /** Writes down what was noted for people, which otherwise happens once a second. Never rejects. */
  writeNotes(): Promise<void> {
    return this.#notes.write()
  }

  receive(request: IncomingRequest): Promise<Admitted> {
    return this.#receive({
      ...request,
      connectionId: connectionNamed(request.connectionId),
      address: networkOf(request.address),
    })
  }

  async #receive(request: IncomingRequest): Promise<Admitted> {
    const cameAt = performance.now()
    const { maxBytes, readTimeoutMs, keepTimeoutMs } = this.limits()
    if (!request.isPlainJson) return this.#refused(request, "not_plain_json")
    const problem = signatureProblem({
      timestamp: header(request, HEADERS.timestamp),
      signature: header(request, HEADERS.signature),
    })
    // Not a byte of its body is waited for, and no key is looked at.
    if (problem) {
      const isMissing = problem === "missing"
      return this.#refused(request, isMissing ? "signature_missing" : "signature_malformed")
    }
    const announced = Number(header(request, "content-length") ?? 0)
    if (announced > maxBytes) return this.#refused(request, "too_large")

    const giveUp = new AbortController()
    const room = this.#room.enter(() => giveUp.abort())
    try {
      if (!room.take(REQUEST_BYTES)) return this.#refused(request, "no_room")
      const body = await request.readBody({
        maxBytes,
        timeoutMs: readTimeoutMs,
        take: room.take,
        giveUp: giveUp.signal,
      })
      if (!body.ok) {
        return body.reason === "aborted" ? { kind: "gone" } : this.#refused(request, body.reason)
      }
      room.arrived()
      const keep = () => {
        const over = new AbortController()
        const keeping = this.#verifyAndKeep(request, body.bytes, cameAt, over.signal)
        return within(keepTimeoutMs, TOO_LONG, () => keeping).finally(() => over.abort())
      }
      const until = this.parts.now() + keepTimeoutMs
      return await keep().catch((error) => {
        if (!endedLate(until, this.parts.now())) throw error
        return keep()
      })
    } catch (error) {
      this.#reportOutage(sqlProblem(error))
      return this.#refused(request, "database")
    } finally {
      room.leave()
    }
  }

  async #verifyAndKeep(
    request: IncomingRequest,
    bytes: Buffer,
    cameAt: number,
    givenUp: AbortSignal,
  ): Promise<Admitted> {
    const { connectionId } = request
    const known = await this.parts.keys.of(connectionId)
    const admitted = await this.#keep(request, bytes, known, givenUp)
    if (typeof admitted === "object") return admitted
    // The keys, or the page, may have changed since they were read; not after a delivery that they sign came.
    const since = admitted === "keys_changed" ? performance.now() : cameAt
    const fresh = await this.parts.keys.of(connectionId, since)
    const again = await this.#keep(request, bytes, fresh, givenUp)
    if (typeof again === "object") return again
    if (again === "wrong_page") return this.#wrongPage(request)
    // They changed once more: what was verified by keys that were good is asked to come again.
    if (again === "keys_changed") return this.#refused(request, "rotating")
    return this.#unverified(request, fresh)
  }

  /** Keeps a delivery that these keys verify. What they do not is for the caller to judge. */
  async #keep(
    request: IncomingRequest,
    bytes: Buffer,
    keys: KnownKeys | null,
    givenUp: AbortSignal,
  ): Promise<Admitted | "wrong_page" | "keys_changed" | "not_verified"> {
    const verdict = this.#verify(request, bytes, keys)
    if (verdict === null) return "not_verified"
    if (verdict === "expired") return this.#refused(request, "too_old")
    const prepared = this.#prepare(request, bytes, verdict)
    if (prepared === "wrong_page" || "kind" in prepared) return prepared
    const { delivery, subscriberUid, isUnknown, isLate: late } = prepared
    const kept = await this.parts.writer.keep(delivery, givenUp)
    if (!kept) return "keys_changed"
    this.#notes.heard({
      connectionId: request.connectionId,
      at: kept.at,
      skewMs: this.parts.now() - verdict.timestamp,
      currentKeyVersion: delivery.is_candidate ? null : delivery.key_version,
      subscriberUid,
    })
    await this.#promote(verdict, kept.at)
    if (isUnknown) return { kind: "unknown", problem: delivery.reason?.message ?? "" }
    return { kind: "kept", outcome: kept.isNew ? kept.outcome : "duplicate", late }
  }

  #verify(
    request: IncomingRequest,
    bytes: Buffer,
    keys: KnownKeys | null,
  ): Verified | "expired" | null {
    const result = verifyDelivery({
      keys: keys ? keys.keys.map(({ key }) => key) : this.#nobody,
      timestamp: header(request, HEADERS.timestamp),
      signature: header(request, HEADERS.signature),
      rawBody: bytes,
      now: this.parts.now(),
      toleranceMs: this.limits().toleranceMs,
    })
    if (!result.ok) return result.reason === "expired" ? "expired" : null
    const key = keys?.keys[result.keyIndex]
    return keys && key ? { keys, key, timestamp: result.timestamp } : null
  }

  /** A 401 is final for the service: it is only given when we know every key that there may be. */
  #unverified(request: IncomingRequest, keys: KnownKeys | null): Admitted {
    const reason = keys?.rotating ? "rotating" : keys?.unreadable ? "key_unreadable" : "wrong_key"
    const noted = keys && namesUs(request, keys) ? reason : "stranger"
    return this.#refused(request, reason, noted)
  }

  #wrongPage(request: IncomingRequest): Admitted {
    this.parts.logger.warn(
      `svc: a signed delivery for ${request.connectionId} names another page and was refused.`,
    )
    return this.#refused(request, "wrong_page")
  }

  /**
   * Reads a verified body; what cannot be a delivery is answered, and so is the doctor's. What was read of it is not kept
   * beyond this: while the database hangs many wait, and each would hold its body once more.
   */
  #prepare(
    request: IncomingRequest,
    bytes: Buffer,
    verified: Verified,
  ):
    | Admitted
    | "wrong_page"
    | {
        delivery: NewDelivery
        subscriberUid: string | null
        isUnknown: boolean
        isLate: boolean
      } {
    const { keys, key, timestamp } = verified
    const text = decodeUtf8(bytes)
    const payload = text === undefined ? undefined : parseJson(text)
    const reading = readDelivery(payload, header(request, HEADERS.topic))
    if (reading.kind === "invalid") {
      const problem = text === undefined ? "The body is not UTF-8." : reading.problem
      this.parts.logger.warn(
        `svc: a signed delivery for ${request.connectionId} was refused: ${problem}`,
      )
      return { ...this.#refused(request, "not_an_envelope"), problem }
    }
    // Whoever holds this connection's key may still not speak for another page: gap 11.
    if (reading.pageUid !== null && reading.pageUid !== keys.pageUid) return "wrong_page"
    if (reading.topic === PROBE_TOPIC) return { kind: "probe" }
    this.#reportDifferences(request, reading)

    const { outcome, reason } = classifyDelivery(reading, timestamp)
    return {
      isUnknown: reading.kind === "unknown",
      isLate: isLate(reading, timestamp),
      subscriberUid: reading.subscriberUid,
      delivery: {
        connection_id: request.connectionId,
        page_uid: keys.pageUid,
        webhook_id: keys.webhookId,
        key_version: keys.version,
        is_candidate: key.candidate !== null,
        signed_by: key.fingerprint,
        dedup_key: dedupKeyOf(reading, keys.pageUid, timestamp, payload),
        topic: reading.topic,
        event_uid: reading.eventUid,
        delivery_uid: reading.deliveryUid,
        occurred_at: reading.occurredAt === null ? null : new Date(reading.occurredAt),
        outcome,
        reason,
        body: bytes,
        body_hash: createHash("sha256").update(bytes).digest("hex"),
        headers: keptHeaders(request),
      },
    }
  }

  async #promote({ keys, key }: Verified, at: Date): Promise<void> {
    if (key.candidate === null) return
    try {
      const promoting = this.parts.promote(keys.webhookId, key.candidate, key.key, at)
      await within(this.limits().promoteTimeoutMs, TOO_LONG, () => promoting)
    } catch (error) {
      // The delivery is kept, and the next one promotes the key.
      const reason = sqlProblem(error)
      this.parts.logger.warn(`svc: a signature key could not be promoted yet: ${reason}`)
    }
  }

  #waitMs({ address }: IncomingRequest): number {
    return this.#failures.waitMs(address, this.parts.now())
  }

  /**
   * Counts a request that was not verified, and says how it is answered.
   *
   * @param noted what it is shown as, where that is not what it is answered as
   */
  #refused(
    request: IncomingRequest,
    reason: RefusalReason,
    noted: RefusalReason = reason,
  ): Admitted & { kind: "refused" } {
    const waitMs = this.#waitMs(request)
    if (!isOurFault(reason)) this.#failures.failed(request.address, this.parts.now())
    const isWaiting = waitMs > 0 && isLimited(reason)
    const answered = isWaiting ? "too_many" : reason
    const sentAt = Number(header(request, HEADERS.timestamp))
    this.#notes.refused({
      connectionId: request.connectionId,
      reason: isWaiting ? "too_many" : noted,
      count: 1,
      at: performance.now(),
      offMs: reason === "too_old" ? this.parts.now() - sentAt : null,
    })
    const { status } = DELIVERY_REFUSALS[answered]
    return { kind: "refused", reason: answered, status, ...(isWaiting ? { waitMs } : {}) }
  }

  #reportOutage(cause: string): void {
    const now = this.parts.now()
    if (now - this.#reportedAt < REPORT_EVERY_MS) return
    this.#reportedAt = now
    this.parts.logger.error(`svc: deliveries cannot be taken: ${cause}`)
  }

  /** What the body says counts: the headers beside the signed ones are unsigned hints (gap 9, gap 18). */
  #reportDifferences(request: IncomingRequest, reading: Reading): void {
    const pairs: [string, string | number | null][] = [
      [HEADERS.pageUid, reading.pageUid],
      [HEADERS.topic, reading.topic],
      [HEADERS.deliveryUid, reading.deliveryUid],
      [HEADERS.eventUid, reading.kind === "test" ? null : reading.eventUid],
      [HEADERS.timestamp, reading.deliveryAt],
    ]
    const different = pairs
      .filter(([name, value]) => {
        const hint = header(request, name)
        return hint !== undefined && value !== null && hint !== String(value)
      })
      .map(([name]) => name)
    if (different.length > 0) {
      this.parts.logger.warn(
        `svc: a delivery for ${request.connectionId} differs from its body in ${different.join(", ")}; the body counts.`,
      )
    }
  }
}

type Reading = Exclude<DeliveryReading, { kind: "invalid" }>
type Verified = { keys: KnownKeys; key: KnownKeys["keys"][number]; timestamp: number }

/**
 * Whether a request that nobody verified bears the headers of every delivery to us (interface §6.4): whoever only knows
 * the address does not know them. A key that was pasted came without the subscriber's id: then the page alone tells.
 */
function namesUs(request: IncomingRequest, keys: KnownKeys): boolean {
  const ids = [keys.webhookUid, keys.subscriberUid].filter((id) => id !== null)
  const named = header(request, HEADERS.subscriberUid) ?? ""
  return (
    header(request, HEADERS.pageUid) === keys.pageUid && (ids.length === 0 || ids.includes(named))
  )
}

/**
 * Whether a delivery comes with the service's last attempt or later, by a person's hand: then others may have been given
 * up, and the listings are read (gap 20).
 */
const isLate = (reading: Reading, timestamp: number): boolean =>
  reading.kind === "change" &&
  reading.occurredAt !== null &&
  timestamp - reading.occurredAt >= LATE_MS

/** Gap 1; a test has no event, so each one that is fired is told apart by when it was sent. */
function dedupKeyOf(
  reading: Reading,
  pageUid: string,
  timestamp: number,
  payload: unknown,
): string {
  if (reading.kind === "test") return canonicalHash(["test", timestamp, payload])
  const dataHash = canonicalHash(reading.kind === "change" ? reading.data : withoutAttempt(payload))
  return deduplicationKey({ ...reading, pageUid, dataHash })
}

/** An envelope that we cannot read, without what differs between two attempts of one delivery. */
function withoutAttempt(envelope: unknown): unknown {
  const { deliveryUid, deliveryAt, ...rest } = Object(envelope) as Record<string, unknown>
  return rest
}

/** Only what the interface names (§6.4): a custom header may be a secret of the merchant's gateway. */
const KEPT = ["content-type", "user-agent", ...Object.values(HEADERS)]

function keptHeaders(request: IncomingRequest): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of KEPT) {
    const value = header(request, name)
    // Node reads headers as Latin-1; Postgres takes no NUL.
    if (value !== undefined) kept[name] = value.slice(0, 500).replaceAll("\0", "")
  }
  return kept
}

function header({ headers }: IncomingRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
