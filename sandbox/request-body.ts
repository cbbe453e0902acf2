/** Bodies of requests: kept as bytes until a route wants JSON. */

import type { FastifyRequest } from "fastify"
import { SandboxError } from "./errors"

/**
 * @throws SandboxError 415 for anything but `application/json`, 400 for what is no JSON. The type is
 *   insisted on under `/_sandbox/` too: a foreign web page cannot send it without asking first.
 */
export function readJson(request: FastifyRequest): unknown {
  const text = bodyText(request.body)
  if (text === "") return undefined
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") {
    throw new SandboxError(415, "unsupported_media_type", "Bodies are application/json.")
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new SandboxError(400, "invalid_json", "The body is not JSON.")
  }
}

export function bodyText(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString("utf8") : ""
}
