import vectors from "./vectors.json"

/** One body with its signature, as base64 of HMAC-SHA256 over `<timestamp>.<raw body>` (interface §5 rule 3). */
export type GoldenVector = {
  /** What is special about it. */
  name: string
  /** The signature key as the service shows it; its UTF-8 bytes are the secret. */
  key: string
  /** The value of `X-Svc-Timestamp`, ms since the epoch. */
  timestamp: string
  /** The raw body. In base64, because some are no text. */
  body_base64: string
  signature: string
}

/**
 * Signatures that were made with openssl, for testing a verifier of your own in any language: odd characters and line
 * ends, keys of all lengths, bodies that are no JSON and bytes that are no UTF-8.
 */
export const GOLDEN_VECTORS: readonly GoldenVector[] = vectors
