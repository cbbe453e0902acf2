import { createHash, timingSafeEqual } from "node:crypto"

const hash = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest()

/**
 * Whether a request may read the metrics: `Authorization: Bearer <token>`. Takes the same time for every wrong token,
 * whatever its length.
 */
export function opensMetrics(authorization: string | undefined, token: string): boolean {
  const [, given = ""] = /^Bearer (.+)$/i.exec(authorization ?? "") ?? []
  return timingSafeEqual(hash(given), hash(token))
}
