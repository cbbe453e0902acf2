import { fingerprint, type Keyring, type SecretPlace } from "../connections/secrets"
import type { VerificationRow } from "./subscriber-rows"

/** Where the signature keys of a subscriber row live; bound into their ciphertext. */
const keyPlace = (id: string): SecretPlace => ({
  table: "svc_webhook",
  id,
  column: "signature_key",
})
const candidatePlace = (id: string): SecretPlace => ({
  table: "svc_webhook",
  id,
  column: "candidate_key",
})

/**
 * To be called before the service is asked for a key that it shows only once: finds out whether it can be kept.
 * @throws SvcRefusal `encryption_key_missing`
 */
export const assertKeysCanBeKept = (keyring: Keyring): void => {
  keyring.encrypt("", keyPlace(""))
}

/** Columns of a key that verified a delivery, or that is right because we know no other. */
export const verifiedKeyColumns = (keyring: Keyring, id: string, key: string) => ({
  signature_key: keyring.encrypt(key, keyPlace(id)),
  signature_key_fingerprint: fingerprint(key),
})

/** Columns of a key that is right for certain; to be written in one update. */
export const currentKeyColumns = (keyring: Keyring, id: string, key: string) => ({
  ...verifiedKeyColumns(keyring, id, key),
  signature_key_updated_at: new Date(),
  candidate_key: null,
  rotating_until: null,
})

/** The column of a key that has to verify a delivery before it replaces the current one (gap 12). */
export const candidateKeyColumn = (keyring: Keyring, id: string, key: string) => ({
  candidate_key: keyring.encrypt(key, candidatePlace(id)),
})

export const isCurrentKey = (row: { signature_key_fingerprint: string | null }, key: string) =>
  row.signature_key_fingerprint === fingerprint(key)

/** `candidate` is the encrypted value that the key was read from, where it is a candidate. */
type ReadableKey = { key: string; candidate: string | null }

/**
 * The keys that may have signed a delivery, the newest first (gap 12): a candidate that has not verified anything yet
 * and, unless a rotation has had its time, the key before it.
 *
 * @returns `unreadable` where a key is stored that we cannot read, or none is: then the fault may be ours
 */
export function readKeys(
  keyring: Keyring,
  id: string,
  row: VerificationRow,
): { readable: ReadableKey[]; unreadable: boolean } {
  const readable: ReadableKey[] = []
  // No key at all: we have lost it, so the fault is ours and the service should try again.
  let unreadable = row.signature_key === null && row.candidate_key === null
  const add = (candidate: string | null, read: () => string) => {
    try {
      readable.push({ key: read(), candidate })
    } catch {
      unreadable = true
    }
  }
  const { candidate_key: candidate, signature_key: current } = row
  if (candidate !== null) add(candidate, () => keyring.decrypt(candidate, candidatePlace(id)))
  if (current !== null && !(candidate !== null && row.rotation_over)) {
    add(null, () => keyring.decrypt(current, keyPlace(id)))
  }
  return { readable, unreadable }
}
