/**
 * The signature keys of a subscriber, and what changes them (gap 12). Each change is a set of columns, to be written by
 * `SubscriberRows.changeKeys` in one update that also raises `key_version`.
 *
 *   settled   one key; a mismatch is 401
 *   pasted    a second one, the candidate, is tried beside it until it verifies a delivery and replaces it
 *   asked     a create or rotate call is under way, or nobody knows what came of it: the key that we have is tried, a
 *             mismatch is 503; a candidate that was pasted meanwhile makes it end with the window
 *   answered  the new key is the current one and the one before it verifies nothing, because the service does not sign
 *             with it any more; a mismatch is 503 until the window ends
 */
import type { Keyring, SecretPlace } from "../connections/secrets"

/** After this long a rotation counts as over, whatever came of it. */
export const ROTATION_MS = 10 * 60_000
/** Deliveries that were signed with an old key may still be on their way for this long (interface §6.6). */
export const IN_FLIGHT_MS = 15_000

/** Longer than the call that asks for a key may take. */
export const ASKING_MS = 60_000

/** The key columns of a subscriber's row. */
export type KeyColumns = {
  signature_key: string | null
  signature_key_fingerprint: string | null
  signature_key_updated_at: Date | null
  candidate_key: string | null
  rotation: "asked" | "answered" | null
  rotating_until: Date | null
}

const placeOf = (column: "signature_key" | "candidate_key", id: string): SecretPlace => ({
  table: "svc_webhook",
  id,
  column,
})

/**
 * To be called before the service is asked for a key that it shows only once: finds out whether it can be kept.
 * @throws SvcRefusal `encryption_key_missing`
 */
export const assertKeysCanBeKept = (keyring: Keyring): void => {
  keyring.encrypt("", placeOf("signature_key", ""))
}

/** Before a create or rotate call: from here on the service may sign with a key that has not reached us. */
export const rotationAsked = (now: number): Pick<KeyColumns, "rotation" | "rotating_until"> => ({
  rotation: "asked",
  rotating_until: new Date(now + ROTATION_MS),
})

/**
 * The service told a key, so it signs with no other one from now on.
 *
 * @param mismatchUntil until when a mismatch may be a delivery that was signed before, in ms since the epoch
 */
export const keyTold = (
  keyring: Keyring,
  id: string,
  key: string,
  now: number,
  mismatchUntil: number | null,
): KeyColumns => ({
  ...currentKey(keyring, id, key, now),
  candidate_key: null,
  rotation: mismatchUntil === null ? null : "answered",
  rotating_until: mismatchUntil === null ? null : new Date(mismatchUntil),
})

/** The key changed at the service, and the answer did not show it: the one before it verifies nothing any more. */
export const keyUntold = (): Pick<
  KeyColumns,
  "signature_key" | "signature_key_fingerprint" | "candidate_key"
> => ({ signature_key: null, signature_key_fingerprint: null, candidate_key: null })

/** A person pasted a key. Null where it is known already, and nobody doubts it. */
export function keyPasted(
  keyring: Keyring,
  row: { id: string } & Pick<
    KeyColumns,
    "signature_key" | "candidate_key" | "rotation" | "rotating_until"
  >,
  key: string,
  now: number,
): Partial<KeyColumns> | null {
  const { readable } = readKeys(keyring, { ...row, webhook_id: row.id, rotation_over: false })
  const known = readable.find((one) => one.key === key)
  if (known) {
    const askedAt = (row.rotating_until?.getTime() ?? 0) - ROTATION_MS
    // The dashboard shows it still, so the rotation whose answer was lost was none.
    const isSettled = row.rotation === "asked" && now - askedAt > ASKING_MS
    return isSettled && known.candidate === null ? { rotation: null, rotating_until: null } : null
  }
  if (row.signature_key === null) return currentKey(keyring, row.id, key, now)
  // A rotation that is under way goes on: what its key signs is asked to come again. One that had its time is settled.
  const over = row.rotating_until !== null && row.rotating_until.getTime() <= now
  return {
    // A key that was pasted wrong must not replace one that works: it has to verify a delivery first.
    candidate_key: keyring.encrypt(key, placeOf("candidate_key", row.id)),
    ...(over ? { rotation: null, rotating_until: null } : {}),
  }
}

/** A candidate verified a delivery: it is the key, and the one before it is not tried any more. */
export const candidateProven = (
  keyring: Keyring,
  id: string,
  key: string,
  now: number,
): Omit<KeyColumns, "rotation" | "rotating_until"> => ({
  ...currentKey(keyring, id, key, now),
  candidate_key: null,
})

const currentKey = (keyring: Keyring, id: string, key: string, now: number) => ({
  signature_key: keyring.encrypt(key, placeOf("signature_key", id)),
  signature_key_fingerprint: keyring.fingerprint(key),
  signature_key_updated_at: new Date(now),
})

/** A key in plain text. `candidate` is the encrypted value that it was read from, where it is a candidate. */
export type ReadableKey = { key: string; candidate: string | null; fingerprint: string }

/**
 * The keys that may have signed a delivery, the newest first.
 *
 * @returns `unreadable` where a key is stored that we cannot read, or none is: then the fault may be ours
 */
export function readKeys(
  keyring: Keyring,
  row: {
    webhook_id: string
    signature_key: string | null
    candidate_key: string | null
    /** A rotation of which nobody knows what came of it has had its time. */
    rotation_over: boolean
  },
): { readable: ReadableKey[]; unreadable: boolean } {
  const readable: ReadableKey[] = []
  // No key at all: we have lost it, so the fault is ours and the service should try again.
  let unreadable = row.signature_key === null && row.candidate_key === null
  const add = (candidate: string | null, value: string, place: SecretPlace) => {
    try {
      const key = keyring.decrypt(value, place)
      readable.push({ key, candidate, fingerprint: keyring.fingerprint(key) })
    } catch {
      unreadable = true
    }
  }
  const { webhook_id: id, candidate_key: candidate, signature_key: current } = row
  if (candidate !== null) add(candidate, candidate, placeOf("candidate_key", id))
  if (current !== null && !(candidate !== null && row.rotation_over)) {
    add(null, current, placeOf("signature_key", id))
  }
  return { readable, unreadable }
}
