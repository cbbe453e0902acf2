import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { type Admitted, receiveDelivery } from "../../../../workflows/webhooks"
import { drain, isPlainJson, readRawBody } from "../../../raw-body"

const { INVALID_DATA, UNAUTHORIZED, UNEXPECTED_STATE } = MedusaError.Types

/** Every answer but 200 (gap 15). The service drops a delivery for good on a 4xx other than 408 and 429. */
const ANSWERS = {
  not_verified: {
    status: 401,
    type: UNAUTHORIZED,
    message: "The delivery could not be verified.",
  },
  not_an_envelope: { status: 400, type: INVALID_DATA, message: "" },
  too_slow: { status: 408, type: UNEXPECTED_STATE, message: "The body did not arrive in time." },
  too_large: { status: 413, type: INVALID_DATA, message: "The body is too large." },
  not_plain_json: {
    status: 415,
    type: INVALID_DATA,
    message: "Send application/json in UTF-8, without a content encoding.",
  },
  unknown_topic: { status: 422, type: INVALID_DATA, message: "" },
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
 * `POST /hooks/svc/:connection_id`: receives a signed delivery (interface §4.7). The bytes are read here, not by Medusa's parser: it would inflate and
 * parse them again before anything is verified.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const admitted = await receiveDelivery(req.scope, {
    connectionId: req.params.connection_id ?? "",
    headers: req.headers,
    address: req.ip ?? req.socket.remoteAddress ?? "",
    isPlainJson: isPlainJson(req.headers),
    readBody: (limits) => readRawBody(req, limits),
  })
  if (!req.complete) drain(req)
  answer(res, admitted)
}

function answer(res: MedusaResponse, admitted: Admitted): void {
  switch (admitted.kind) {
    case "kept":
      send(res, 200, { received: true, outcome: admitted.outcome })
      break
    case "probe":
      send(res, 200, { received: true, outcome: "probe" })
      break
    case "unknown":
      refuse(res, "unknown_topic", admitted.problem)
      break
    case "not_an_envelope":
      refuse(res, "not_an_envelope", admitted.problem)
      break
    case "too_many":
      res.setHeader("Retry-After", Math.ceil(admitted.waitMs / 1000))
      refuse(res, "too_many_requests")
      break
    case "refused":
      refuse(res, "not_verified")
      break
    case "gone":
      res.destroy()
      break
    default:
      refuse(res, admitted.kind)
  }
}

function refuse(res: MedusaResponse, code: keyof typeof ANSWERS, problem?: string): void {
  const { status, type, message } = ANSWERS[code]
  send(res, status, { type, code, message: problem ?? message })
}

/** Without Express' own `json`, which hashes every answer for caches that never see one. */
function send(res: MedusaResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  })
  res.end(text)
}
