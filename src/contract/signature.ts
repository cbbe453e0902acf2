import { createHmac, timingSafeEqual } from "node:crypto"

/** Tolerated age and lead of a delivery's timestamp; the interface names none (gap 7). */
export const DEFAULT_TOLERANCE_MS = 300_000

type SignatureFailure = "missing" | "malformed" | "expired" | "mismatch"
type SignatureResult =
  | { ok: true; timestamp: number; keyIndex: number }
  | { ok: false; reason: SignatureFailure }

/**
 * Signs a body as the service does (interface §5 rule 3): base64 of HMAC-SHA256 over `<timestamp>.<raw body>`,
 * keyed with the UTF-8 bytes of the key as it was shown (gap 10). For storefronts' and merchants' own tests.
 */
export function signDelivery(
  key: string,
  timestamp: number | string,
  rawBody: Buffer | string,
): string {
  return createHmac("sha256", Buffer.from(key.trim()))
    .update(`${timestamp}.`)
    .update(rawBody)
    .digest("base64")
}

/** 32 bytes in base64: exactly one spelling. Node's decoder would take several (`-_`, missing padding, spaces). */
// Stryker disable next-line Regex: what follows the padding is no spelling of its own bytes, see signatureProblem
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/
const TIMESTAMP = /^(0|[1-9]\d{0,15})$/

type SignatureHeaders = { timestamp: string | undefined; signature: string | undefined }

/**
 * What is wrong with the headers alone, before any key is asked for (gap 9); null when they can be verified.
 */
export function signatureProblem({
  timestamp,
  signature,
}: SignatureHeaders): "missing" | "malformed" | null {
  if (!timestamp || !signature) return "missing"
  if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature)) return "malformed"
  // The last character of base64 has two unused bits. Another spelling of the same bytes is not what the service
  // sent.
  return Buffer.from(signature, "base64").toString("base64") === signature ? null : "malformed"
}

/**
 * Verifies a delivery (interface §5 rule 3). Pure: the caller hands in the clock and the bytes as they came.
 * Every key is compared in constant time, so that neither a match nor its place shows in the answer time.
 *
 * @param toleranceMs how far the timestamp may be off, both ways; 0 turns the check off (gap 7)
 */
export function verifyDelivery(
  input: SignatureHeaders & {
    keys: readonly string[]
    rawBody: Buffer
    now: number
    toleranceMs: number
  },
): SignatureResult {
  const problem = signatureProblem(input)
  if (problem) return { ok: false, reason: problem }
  // Stryker disable next-line StringLiteral: both are there, or there was a problem
  const { timestamp = "", signature = "" } = input

  const given = Buffer.from(signature, "base64")
  let keyIndex = -1
  for (const [index, key] of input.keys.entries()) {
    const expected = Buffer.from(signDelivery(key, timestamp, input.rawBody), "base64")
    if (timingSafeEqual(expected, given) && keyIndex < 0) keyIndex = index
  }
  if (keyIndex < 0) return { ok: false, reason: "mismatch" }

  const at = Number(timestamp)
  if (input.toleranceMs > 0 && Math.abs(input.now - at) > input.toleranceMs) {
    return { ok: false, reason: "expired" }
  }
  return { ok: true, timestamp: at, keyIndex }
}
