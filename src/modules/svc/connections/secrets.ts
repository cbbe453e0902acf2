import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { MedusaError } from "@medusajs/framework/utils"
import { SvcRefusal } from "../shared/refusal"

/** Prints a key that `SVC_ENCRYPTION_KEYS` takes. Shown wherever a key is missing. */
export const MAKE_KEY_COMMAND =
  "node -e \"console.log('k1:' + require('crypto').randomBytes(32).toString('base64'))\""

const VERSION = "v1"
const KEY_BYTES = 32
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Where a secret is stored. It is bound into the ciphertext, so that a value copied to another row does not decrypt.
 */
export type SecretPlace = { table: string; id: string; column: string }

type Key = { id: string; bytes: Buffer }

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/

/**
 * Decodes strictly. Node's decoder skips characters that it does not know, so a mistyped key would silently be
 * another key.
 */
function decoded(text: string, encoding: "base64" | "base64url"): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}

/** Parses `"id:base64,id:base64"`. The message names positions and ids, never key material. */
function parseKeys(input: string): Key[] {
  const keys = input
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry, index): Key => {
      const colon = entry.indexOf(":")
      const id = entry.slice(0, colon)
      const encoded = entry.slice(colon + 1)
      const bytes = decoded(encoded, "base64")
      if (colon < 1 || !KEY_ID.test(id) || bytes?.length !== KEY_BYTES) {
        throw new MedusaError(
          MedusaError.Types.INVALID_ARGUMENT,
          `SVC_ENCRYPTION_KEYS: entry ${index + 1} is not "id:base64" with ${KEY_BYTES} bytes. Make one with: ${MAKE_KEY_COMMAND}`,
        )
      }
      return { id, bytes }
    })
  const ids = new Set(keys.map((key) => key.id))
  if (ids.size !== keys.length) {
    throw new MedusaError(
      MedusaError.Types.INVALID_ARGUMENT,
      "SVC_ENCRYPTION_KEYS: every key needs an id of its own.",
    )
  }
  return keys
}

/**
 * Encrypts secrets at rest: AES-256-GCM under a key derived per value (HKDF-SHA256, random salt).
 *
 * Value: `v1.<key id>.<salt>.<iv>.<tag>.<ciphertext>`, base64url. The first key encrypts; the others still
 * decrypt, so a key is rotated by putting a new one in front. Never derived from the JWT or cookie secret.
 */
export class Keyring {
  readonly #keys: Key[]
  readonly #fingerprintKey: Buffer

  constructor(encryptionKeys: string | undefined) {
    this.#keys = encryptionKeys ? parseKeys(encryptionKeys) : []
    const [first] = this.#keys
    // Without a key nothing is stored but the fingerprint of a declared token, and that is made anew at each start.
    this.#fingerprintKey = first
      ? Buffer.from(hkdfSync("sha256", first.bytes, "", "medusa-plugin-svc/fingerprint", KEY_BYTES))
      : randomBytes(KEY_BYTES)
  }

  /**
   * What a person may see of a secret: enough to tell two apart. Keyed, so that whoever reads the database cannot try
   * out guesses.
   */
  fingerprint(secret: string): string {
    return createHmac("sha256", this.#fingerprintKey)
      .update(secret, "utf8")
      .digest("hex")
      .slice(0, 12)
  }

  /** Whether a secret can be saved at all. */
  get configured(): boolean {
    return this.#keys.length > 0
  }

  /** Ids of the keys, the active one first. */
  get keyIds(): string[] {
    return this.#keys.map(({ id }) => id)
  }

  /** @throws SvcRefusal `encryption_key_missing` */
  encrypt(plaintext: string, place: SecretPlace): string {
    const key = this.#keys[0]
    if (!key) {
      throw new SvcRefusal(
        "encryption_key_missing",
        `No encryption key is set, so the secret was not saved. Make a key with: ${MAKE_KEY_COMMAND} then set SVC_ENCRYPTION_KEYS to what it prints and restart the store.`,
      )
    }
    const salt = randomBytes(SALT_BYTES)
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv("aes-256-gcm", derive(key, salt), iv, {
      authTagLength: TAG_BYTES,
    }).setAAD(associatedData(place))
    const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
    const parts = [salt, iv, cipher.getAuthTag(), ciphertext].map((p) => p.toString("base64url"))
    return [VERSION, key.id, ...parts].join(".")
  }

  /** @throws SvcRefusal `secret_unreadable` when the key is gone or the value was tampered with */
  decrypt(value: string, place: SecretPlace): string {
    const [version, keyId, ...parts] = value.split(".")
    const key = this.#keys.find((candidate) => candidate.id === keyId)
    const [salt, iv, tag, ciphertext] = parts.map((part) => decoded(part, "base64url"))
    const whole =
      version === VERSION &&
      parts.length === 4 &&
      salt?.length === SALT_BYTES &&
      iv?.length === IV_BYTES &&
      tag?.length === TAG_BYTES
    if (!whole || !key || !ciphertext) {
      // The key's id is named only for a value of our own format; anything else may be a secret in plain text.
      throw unreadable(whole ? keyId : undefined)
    }
    try {
      const decipher = createDecipheriv("aes-256-gcm", derive(key, salt), iv, {
        authTagLength: TAG_BYTES,
      })
        .setAAD(associatedData(place))
        .setAuthTag(tag)
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8")
    } catch {
      throw unreadable(keyId)
    }
  }

  reads(value: string, place: SecretPlace): boolean {
    try {
      this.decrypt(value, place)
      return true
    } catch {
      return false
    }
  }
}

/** Id of the key that a value is encrypted with; null where the value is not of our format. */
export function keyIdOf(value: string): string | null {
  const [version, keyId = ""] = value.split(".")
  return version === VERSION && KEY_ID.test(keyId) ? keyId : null
}

const derive = (key: Key, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", key.bytes, salt, "medusa-plugin-svc/secret", KEY_BYTES))

const associatedData = ({ table, id, column }: SecretPlace): Buffer =>
  Buffer.from(`${table}\u0000${id}\u0000${column}`, "utf8")

const unreadable = (keyId: string | undefined): SvcRefusal =>
  new SvcRefusal(
    "secret_unreadable",
    `A stored secret cannot be decrypted: the key "${keyId && KEY_ID.test(keyId) ? keyId : "?"}" is missing from SVC_ENCRYPTION_KEYS or the value was changed. Put the key back, or enter the secret again.`,
  )
