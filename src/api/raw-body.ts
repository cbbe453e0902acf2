import type { IncomingMessage } from "node:http"

type RawBody =
  | { ok: true; bytes: Buffer }
  | { ok: false; reason: "too_large" | "too_slow" | "aborted" }

/**
 * Reads a request's bytes as they came. A body over the cap is thrown away while it arrives, and the sender is
 * answered at once.
 */
export function readRawBody(
  request: IncomingMessage,
  limits: { maxBytes: number; timeoutMs: number },
): Promise<RawBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (result: RawBody) => {
      clearTimeout(timer)
      request.off("data", onData)
      // Read the rest and throw it away: a socket that is closed with unread bytes would lose our answer.
      request.resume()
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limits.maxBytes) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      finish({ ok: false, reason: "too_large" })
    }
    const timer = setTimeout(() => finish({ ok: false, reason: "too_slow" }), limits.timeoutMs)
    if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes) {
      finish({ ok: false, reason: "too_large" })
      return
    }
    request.on("data", onData)
    request.once("end", () => finish({ ok: true, bytes: Buffer.concat(chunks) }))
    request.once("error", () => finish({ ok: false, reason: "aborted" }))
    request.once("close", () => finish({ ok: false, reason: "aborted" }))
  })
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
