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
