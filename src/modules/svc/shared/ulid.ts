import { randomBytes } from "node:crypto"

/** Crockford's base 32, which ULIDs are written in; in the order of its values. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

/** The beginning of a ULID: ms since the epoch. */
function timeOf(ms: number): string {
  let time = ""
  for (let rest = Math.max(ms, 0), place = 0; place < TIME_LENGTH; place += 1) {
    time = DIGITS.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  return time
}

/**
 * An id as Medusa makes them: a prefix and a ULID. Medusa's `generateEntityId` asks the operating system for each
 * character anew, which is felt where hundreds of rows a second are made.
 */
export function newId(prefix: string, now = Date.now()): string {
  let random = ""
  for (const byte of randomBytes(RANDOM_LENGTH)) random += DIGITS.charAt(byte % 32)
  return `${prefix}_${timeOf(now)}${random}`
}

/**
 * The smallest ULID of a moment. Medusa's ids end with one (`order_01J...`), so rows made since a moment are a range of
 * the primary key, where there is no index on `created_at`: `id >= "order_" + ulidFloor(since)`.
 */
export const ulidFloor = (moment: Date): string =>
  timeOf(moment.getTime()) + "0".repeat(RANDOM_LENGTH)
