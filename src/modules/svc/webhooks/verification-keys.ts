import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Keyring } from "../connections/secrets"
import { type ReadableKey, readKeys } from "./signature-keys"

/** What the receiver needs of a connection to verify a delivery. Keys are plain: this object never leaves memory. */
export type KnownKeys = {
  connectionId: string
  pageUid: string
  webhookId: string
  /** The service's id of our subscriber; null where it is not known. */
  webhookUid: string | null
  /** The inbox takes a delivery only while this is still the version of the row. */
  version: number
  keys: ReadableKey[]
  /** A key is stored that we cannot read, or none is: then a mismatch may be our fault. */
  unreadable: boolean
  /** The service may sign with a key that has not reached us (gap 12). */
  rotating: boolean
  /** The new key was told, and it is not known yet that it arrived: what it signs says so. */
  awaitsNewKey: boolean
}

/** The row, with the database's clock applied. */
type KeyRow = {
  connection_id: string
  page_uid: string
  webhook_id: string
  webhook_uid: string | null
  key_version: number
  signature_key: string | null
  candidate_key: string | null
  rotating: boolean
  rotation_over: boolean
  awaits_new_key: boolean
}

/**
 * The keys of all connections, as one statement read them last. They are never trusted alone: the statement that keeps a
 * delivery checks that their version is still the row's, and what they do not verify is tried with keys that were read
 * after it came. A reading serves all who wait for it: a flood of mismatches costs one statement at a time, whatever
 * connections it names. While the database is away they still tell what is signed and what is not.
 */
export class VerificationKeys {
  #latest: { begunAt: number; keys: Map<string, KnownKeys> } | null = null
  #reading: Promise<void> | null = null

  constructor(
    private readonly pool: Knex,
    private readonly keyring: Keyring,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @param since they may have been read no earlier, by `performance.now()`; anything in memory will do where it is not given
   * @returns null for a connection that there is not, or that has no webhook
   */
  async of(connectionId: string, since = Number.NEGATIVE_INFINITY): Promise<KnownKeys | null> {
    while (!this.#latest || this.#latest.begunAt < since) {
      this.#reading ??= this.#readAll().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
    return this.#latest.keys.get(connectionId) ?? null
  }

  async #readAll(): Promise<void> {
    const begunAt = performance.now()
    this.#latest = { begunAt, keys: await this.#read() }
  }

  async #read(): Promise<Map<string, KnownKeys>> {
    const { rows } = await this.pool
      .raw<{ rows: KeyRow[] }>(
        `SELECT c.id AS connection_id, c.page_uid, w.id AS webhook_id, w.webhook_uid, w.key_version, w.signature_key,
           w.candidate_key, coalesce(w.rotating_until > now(), false) AS rotating,
           coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false) AS rotation_over,
           coalesce(w.rotation = 'answered' AND w.rotating_until > now(), false) AS awaits_new_key
         FROM svc_connection c JOIN svc_webhook w ON w.connection_id = c.id AND w.deleted_at IS NULL
           AND coalesce(w.url, w.signature_key_fingerprint, w.candidate_key) IS NOT NULL
         WHERE c.deleted_at IS NULL`,
      )
      .timeout(this.timeoutMs)
    return new Map(rows.map((row) => [row.connection_id, this.#known(row)]))
  }

  #known(row: KeyRow): KnownKeys {
    const { readable, unreadable } = readKeys(this.keyring, row)
    return {
      connectionId: row.connection_id,
      pageUid: row.page_uid,
      webhookId: row.webhook_id,
      webhookUid: row.webhook_uid,
      version: row.key_version,
      keys: readable,
      unreadable,
      rotating: row.rotating,
      awaitsNewKey: row.awaits_new_key,
    }
  }
}
