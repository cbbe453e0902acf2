import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** The token that opens a feed: nobody guesses 32 random bytes. Shown once, when it is made. */
export const makeFeedToken = (): string => randomBytes(32).toString("base64url")

/** As it is stored: who reads the database learns no address. */
export const feedTokenHash = (token: string): string =>
  createHash("sha256").update(token, "utf8").digest("hex")

/** Whether a token is the one whose hash is stored; takes the same time for every wrong one. */
export function opensFeed(token: string, storedHash: string | null): boolean {
  if (storedHash === null) return false
  const given = Buffer.from(feedTokenHash(token), "hex")
  const stored = Buffer.from(storedHash, "hex")
  return given.length === stored.length && timingSafeEqual(given, stored)
}
