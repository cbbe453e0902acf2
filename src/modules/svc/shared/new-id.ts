import { randomBytes } from "node:crypto"

/** Crockford's alphabet, in the order of its values. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_CHARS = 10
const RANDOM_CHARS = 16

/**
 * An id as Medusa makes them: a prefix and a ULID. Medusa's `generateEntityId` asks the operating system for each
 * character anew, which is felt where hundreds of rows a second are made.
 */
export function newId(prefix: string, now = Date.now()): string {
  let time = ""
  for (let rest = now, index = 0; index < TIME_CHARS; index += 1) {
    time = ALPHABET.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  let random = ""
  for (const byte of randomBytes(RANDOM_CHARS)) random += ALPHABET.charAt(byte % 32)
  return `${prefix}_${time}${random}`
}
