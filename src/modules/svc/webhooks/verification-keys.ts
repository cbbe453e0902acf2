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
  /** Whom its deliveries name, which may be another id; null before the first. */
  subscriberUid: string | null
  /** The inbox takes a delivery only while this is still the version of the row. */
  version: number
  keys: ReadableKey[]
  /** A key is stored that we cannot read, or none is: then a mismatch may be our fault. */
  unreadable: boolean
  /** The service may sign with a key that has not reached us (gap 12). */
  rotating: boolean
}

/** The row, with the database's clock applied. */
type KeyRow = Omit<KnownKeys, "keys" | "unreadable"> & {
  signature_key: string | null
  candidate_key: string | null
  rotation_over: boolean
}

/** Between the beginnings of two readings. Who waits for the second waits so much longer. */
const READ_EVERY_MS = 100

/**
 * The keys of all connections, as one statement read them last. They are never trusted alone: the statement that keeps a
 * delivery checks that their version is still the row's, and what they do not verify is tried with keys that were read
 * after it came. A reading serves all who wait for it: a flood of mismatches costs ten statements a second, whatever
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
    const lastAt = this.#latest?.begunAt ?? Number.NEGATIVE_INFINITY
    const restMs = lastAt + READ_EVERY_MS - performance.now()
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
    const begunAt = performance.now()
    this.#latest = { begunAt, keys: await this.#read() }
  }

  async #read(): Promise<Map<string, KnownKeys>> {
    const { rows } = await this.pool
      .raw<{ rows: KeyRow[] }>(
        `SELECT c.id AS "connectionId", c.page_uid AS "pageUid", w.id AS "webhookId", w.webhook_uid AS "webhookUid",
           w.subscriber_uid AS "subscriberUid",
           w.key_version AS version, w.signature_key, w.candidate_key,
           coalesce(w.rotating_until > now(), false) AS rotating,
           coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false) AS rotation_over
         FROM svc_connection c JOIN svc_webhook w ON w.connection_id = c.id AND w.deleted_at IS NULL
         WHERE c.deleted_at IS NULL`,
      )
      .timeout(this.timeoutMs)
    return new Map(rows.map((row) => [row.connectionId, this.#known(row)]))
  }

  #known({ signature_key, candidate_key, rotation_over, ...row }: KeyRow): KnownKeys {
    const stored = { webhook_id: row.webhookId, signature_key, candidate_key, rotation_over }
    const { readable: keys, unreadable } = readKeys(this.keyring, stored)
    return { ...row, keys, unreadable }
  }
}
