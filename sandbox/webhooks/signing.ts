/**
 * The signature of a delivery (interface §5 rule 3): base64 of HMAC-SHA256 over
 * `<X-Svc-Timestamp value>.<raw body>`, keyed with the subscriber's signature key.
 */

import { createHmac } from "node:crypto"

export type KeyEncoding = "utf8" | "base64"

/**
 * @param timestamp  the header's value, exactly as sent
 * @param body       the body's bytes, exactly as sent
 * @param encoding   what bytes the key stands for: its own UTF-8 bytes (gap 10), or base64
 */
export function sign(
  key: string,
  timestamp: string,
  body: Uint8Array,
  encoding: KeyEncoding = "utf8",
): string {
  return createHmac("sha256", Buffer.from(key, encoding))
    .update(`${timestamp}.`, "utf8")
    .update(body)
    .digest("base64")
}

export type SignedHeaders = {
  "Content-Type": "application/json"
  "X-Svc-Timestamp": string
  "X-Svc-Signature": string
}

/**
 * The headers that a receiver needs to accept a body (interface §5 rule 3). Send exactly the bytes
 * that were signed.
 *
 * @param key        the subscriber's signature key, as shown
 * @param body       the raw body
 * @param timestamp  ms since the epoch; now unless told
 */
export function signDelivery({
  key,
  body,
  timestamp = Date.now(),
}: {
  key: string
  body: string | Uint8Array
  timestamp?: number
}): SignedHeaders {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body
  return {
    "Content-Type": "application/json",
    "X-Svc-Timestamp": String(timestamp),
    "X-Svc-Signature": sign(key, String(timestamp), bytes),
  }
}
