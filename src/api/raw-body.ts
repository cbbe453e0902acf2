import type { IncomingMessage } from "node:http"

type RawBody =
  | { ok: true; bytes: Buffer }
  | { ok: false; reason: "too_large" | "too_slow" | "no_room" | "aborted" }

type Limits = {
  maxBytes: number
  timeoutMs: number
  /** Is told of the bytes that come; false where there is no room for them. */
  take?: (bytes: number) => boolean
  /** Ends the reading: the room is needed for others. */
  giveUp?: AbortSignal
}

/**
 * Reads a request's bytes as they came. A body over the cap is thrown away while it arrives, and the sender is
 * answered at once.
 */
export function readRawBody(request: IncomingMessage, limits: Limits): Promise<RawBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (result: RawBody) => {
      clearTimeout(timer)
      request.off("data", onData)
      limits.giveUp?.removeEventListener("abort", giveUp)
      chunks.length = 0
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.maxBytes) finish({ ok: false, reason: "too_large" })
      else if (limits.take && !limits.take(chunk.length)) giveUp()
      else chunks.push(chunk)
    }
    const giveUp = () => finish({ ok: false, reason: "no_room" })
    const tooSlow = () => finish({ ok: false, reason: "too_slow" })
    // Timers come first where this process stood still: what has arrived meanwhile is read before it is judged.
    const timer = setTimeout(() => setImmediate(tooSlow), limits.timeoutMs)
    if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes) {
      finish({ ok: false, reason: "too_large" })
      return
    }
    limits.giveUp?.addEventListener("abort", giveUp)
    request.on("data", onData)
    request.once("end", () => finish({ ok: true, bytes: Buffer.concat(chunks) }))
    request.once("error", () => finish({ ok: false, reason: "aborted" }))
    request.once("close", () => finish({ ok: false, reason: "aborted" }))
  })
}

/** How long a sender may go on with a body that is answered already. */
const DRAIN_MS = 2_000

/**
 * To be called when a request is answered before its body was read whole. What is left is read and thrown away, because
 * a socket that is closed on unread bytes would lose our answer; a sender that goes on for longer is cut off.
 */
export function drain(request: IncomingMessage): void {
  request.resume()
  if (request.complete) return
  const timer = setTimeout(() => request.destroy(), DRAIN_MS)
  request.once("close", () => clearTimeout(timer))
  request.once("end", () => clearTimeout(timer))
}

/** Whether the body is JSON in UTF-8 and sent as it is: a compressed one could not be verified byte by byte. */
export function isPlainJson(headers: IncomingMessage["headers"]): boolean {
  const encoding = headers["content-encoding"]?.trim().toLowerCase()
  if (encoding && encoding !== "identity") return false
  const [type, ...parameters] = (headers["content-type"] ?? "").split(";")
  if (type?.trim().toLowerCase() !== "application/json") return false
  return parameters.every((parameter) => {
    const [name, value = ""] = parameter.split("=")
    if (name?.trim().toLowerCase() !== "charset") return true
    return /^"?utf-?8"?$/i.test(value.trim())
  })
}
