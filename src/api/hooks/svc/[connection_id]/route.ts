import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { type Admitted, receiveDelivery } from "../../../../workflows/webhooks"
import { drain, isPlainJson, readRawBody } from "../../../raw-body"

const { INVALID_DATA, UNAUTHORIZED, UNEXPECTED_STATE } = MedusaError.Types

/** Every answer but 200, by its status (gap 15). The service drops a delivery for good on a 4xx other than 408 and 429. */
const ANSWERS: Readonly<Record<number, { type: string; code: string; message: string }>> = {
  400: { type: INVALID_DATA, code: "not_an_envelope", message: "It is no delivery." },
  401: {
    type: UNAUTHORIZED,
    code: "not_verified",
    message: "The delivery could not be verified.",
  },
  408: {
    type: UNEXPECTED_STATE,
    code: "too_slow",
    message: "The body did not arrive in time.",
  },
  413: { type: INVALID_DATA, code: "too_large", message: "The body is too large." },
  415: {
    type: INVALID_DATA,
    code: "not_plain_json",
    message: "Send application/json in UTF-8, without a content encoding.",
  },
  422: { type: INVALID_DATA, code: "unknown_topic", message: "The topic is unknown." },
  429: {
    type: UNEXPECTED_STATE,
    code: "too_many_requests",
    message: "Too many deliveries from this address could not be verified.",
  },
  503: {
    type: UNEXPECTED_STATE,
    code: "try_again",
    message: "The delivery cannot be taken right now. Send it again.",
  },
}

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
      refuse(res, 422, admitted.problem)
      break
    case "refused":
      if (admitted.waitMs) res.setHeader("Retry-After", Math.ceil(admitted.waitMs / 1000))
      refuse(res, admitted.status, admitted.problem)
      break
    case "gone":
      res.destroy()
  }
}

const refuse = (res: MedusaResponse, status: number, message?: string): void =>
  send(res, status, { ...ANSWERS[status], ...(message ? { message } : {}) })

/** Without Express' own `json`, which hashes every answer for caches that never see one. */
function send(res: MedusaResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  })
  res.end(text)
}
