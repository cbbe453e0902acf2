/** Crockford's base 32, which ULIDs are written in. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

/**
 * The smallest ULID of a moment. Medusa's ids end with one (`order_01J...`), so rows made since a moment are a range of
 * the primary key, where there is no index on `created_at`: `id >= "order_" + ulidFloor(since)`.
 */
export function ulidFloor(moment: Date): string {
  let rest = Math.max(moment.getTime(), 0)
  let time = ""
  for (let place = 0; place < TIME_LENGTH; place++) {
    time = DIGITS.charAt(rest % DIGITS.length) + time
    rest = Math.floor(rest / DIGITS.length)
  }
  return time + "0".repeat(RANDOM_LENGTH)
}
