import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../../modules/svc"
import { type Receipt, receiveDelivery } from "../../../../workflows/webhooks"
import { isPlainJson, readRawBody } from "../../../raw-body"
import { FloodGuard } from "../flood"
import { Semaphore } from "../semaphore"

/**
 * The service waits 10 s for the whole exchange (interface §6.6). Reading and storing take 9 s at most.
 */
const READ_TIMEOUT_MS = 4_500
const KEEP_TIMEOUT_MS = 4_500
/** Bytes of bodies in memory at one time. A burst of deliveries stays far below; a flood of large bodies ends here. */
const MAX_BYTES_IN_FLIGHT = 64 * 1024 * 1024

/** Medusa's pool has ten connections by default: deliveries take at most this many. */
const MAX_DATABASE_WORK = 4

const flood = new FloodGuard()
const semaphore = new Semaphore(MAX_DATABASE_WORK)
let bytesInFlight = 0

const { INVALID_DATA, UNAUTHORIZED, UNEXPECTED_STATE } = MedusaError.Types

/** Every answer but 200 (gap 15). The service drops a delivery for good on a 4xx other than 408 and 429. */
const ANSWERS = {
  not_verified: {
    status: 401,
    type: UNAUTHORIZED,
    message: "The delivery could not be verified.",
  },
  not_an_envelope: { status: 400, type: INVALID_DATA },
  too_slow: { status: 408, type: UNEXPECTED_STATE, message: "The body did not arrive in time." },
  too_large: { status: 413, type: INVALID_DATA, message: "The body is too large." },
  not_plain_json: {
    status: 415,
    type: INVALID_DATA,
    message: "Send application/json in UTF-8, without a content encoding.",
  },
  unknown_topic: { status: 422, type: INVALID_DATA },
  too_many_requests: {
    status: 429,
    type: UNEXPECTED_STATE,
    message: "Too many deliveries from this address could not be verified.",
  },
  try_again: {
    status: 503,
    type: UNEXPECTED_STATE,
    message: "The delivery cannot be taken right now. Send it again.",
  },
} as const

/**
 * `POST /hooks/svc/:connection_id`: receives a signed delivery (interface §4.7). Its bytes are read here, not by
 * Medusa's parser, which would inflate and re-read them before anything is verified.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const now = Date.now()
  const address = req.ip ?? req.socket.remoteAddress ?? ""
  const waitMs = flood.waitMs(address, now)
  if (waitMs > 0) {
    res.setHeader("Retry-After", Math.ceil(waitMs / 1000))
    answer(res, "too_many_requests")
    return
  }
  if (!isPlainJson(req.headers)) {
    flood.failed(address, now)
    answer(res, "not_plain_json")
    return
  }
  const svc = req.scope.resolve(SVC_MODULE)
  const maxBytes = svc.options.webhookMaxBytes
  const reserved = Math.min(Number(req.headers["content-length"] ?? maxBytes), maxBytes)
  if (bytesInFlight + reserved > MAX_BYTES_IN_FLIGHT) {
    answer(res, "try_again")
    return
  }

  bytesInFlight += reserved
  try {
    const body = await readRawBody(req, { maxBytes, timeoutMs: READ_TIMEOUT_MS })
    if (!body.ok) {
      flood.failed(address, now)
      if (body.reason !== "aborted") answer(res, body.reason)
      return
    }
    const receipt = await withinTime((givenUp) =>
      semaphore.run(
        () =>
          receiveDelivery(req.scope, {
            connectionId: req.params.connection_id ?? "",
            headers: req.headers,
            rawBody: body.bytes,
            now,
          }),
        givenUp,
      ),
    )
    if (receipt.kind === "refused") flood.failed(address, now)
    else if (receipt.kind !== "not_ready") flood.verified(address, now)
    answerReceipt(res, receipt)
  } catch (error) {
    // The fault may be ours, so the service has to send it again (interface §7 rule 2).
    const reason = error instanceof Error ? error.message : String(error)
    req.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: a delivery could not be taken: ${reason}`)
    answer(res, "try_again")
  } finally {
    bytesInFlight -= reserved
  }
}

function answerReceipt(res: MedusaResponse, receipt: Receipt): void {
  switch (receipt.kind) {
    case "kept":
      res.status(200).json({
        received: true,
        outcome: receipt.isNew ? receipt.outcome : "duplicate",
      })
      return
    case "unknown":
      answer(res, "unknown_topic", receipt.problem)
      return
    case "not_an_envelope":
      answer(res, "not_an_envelope", receipt.problem)
      return
    case "not_ready":
      answer(res, "try_again")
      return
    case "refused":
      answer(res, "not_verified")
  }
}

function answer(res: MedusaResponse, code: keyof typeof ANSWERS, problem?: string): void {
  if (res.headersSent) return
  const { status, type, ...rest } = ANSWERS[code]
  res
    .status(status)
    .json({ type, code, message: problem ?? ("message" in rest ? rest.message : "") })
}

/**
 * Answers in time even if the database hangs, so that the service need not wait for its own timeout. The insert may
 * still happen.
 */
async function withinTime(
  work: (givenUp: AbortSignal) => Promise<Receipt | null>,
): Promise<Receipt> {
  const tooSlow: Receipt = { kind: "not_ready", problem: "The database is slow." }
  const patience = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Receipt>((resolve) => {
    timer = setTimeout(() => {
      patience.abort()
      resolve(tooSlow)
    }, KEEP_TIMEOUT_MS)
  })
  const kept = work(patience.signal)
  // After the answer was given, a late error must not count as an unhandled rejection.
  kept.catch(() => undefined)
  try {
    return (await Promise.race([kept, late])) ?? tooSlow
  } finally {
    clearTimeout(timer)
  }
}
