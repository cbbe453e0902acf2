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
  /** The service may sign with a key that has not reached us (gap 12). True only of what was read just now. */
  rotating: boolean
}

/** The row, with the database's clock applied. */
export type KeyRow = {
  connection_id: string
  page_uid: string
  webhook_id: string
  webhook_uid: string | null
  key_version: number
  signature_key: string | null
  signature_key_fingerprint: string | null
  candidate_key: string | null
  rotating: boolean
  rotation_over: boolean
}

type Waiting = {
  resolve: (keys: KnownKeys | null) => void
  reject: (error: unknown) => void
}

/** More connections than a store has. Strangers can name any number of others. */
const MAX_CACHED = 1_000

/**
 * The keys of connections, kept in memory. That is safe because they are never trusted alone: the statement that keeps
 * a delivery checks that their version is still the row's, and a mismatch reads the row before it is answered.
 *
 * Whoever reads joins the next statement, which begins after the call and serves all who wait: a flood of mismatches
 * costs one statement at a time, for connections that there are and for those that there are not.
 */
export class VerificationKeys {
  readonly #cached = new Map<string, KnownKeys>()
  /** When a connection was last read, also one that there is not. */
  readonly #readAt = new Map<string, number>()
  #waiting = new Map<string, Waiting[]>()
  #reading = false

  constructor(
    private readonly pool: Knex,
    private readonly keyring: Keyring,
    private readonly timeoutMs: number,
    private readonly now: () => number,
  ) {}

  cached(connectionId: string): KnownKeys | undefined {
    return this.#cached.get(connectionId)
  }

  forget(connectionId: string): void {
    this.#cached.delete(connectionId)
    this.#readAt.delete(connectionId)
  }

  wasReadWithin(connectionId: string, ms: number, now: number): boolean {
    const at = this.#readAt.get(connectionId)
    return at !== undefined && now - at < ms
  }

  /** Reads the row as it is after this call; null for a connection that there is not, or that has no webhook. */
  read(connectionId: string): Promise<KnownKeys | null> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(connectionId) ?? []
      waiting.push({ resolve, reject })
      this.#waiting.set(connectionId, waiting)
      if (!this.#reading) void this.#readAll()
    })
  }

  async #readAll(): Promise<void> {
    this.#reading = true
    while (this.#waiting.size > 0) {
      const asked = this.#waiting
      this.#waiting = new Map()
      const begunAt = this.now()
      try {
        const rows = await this.#rows([...asked.keys()])
        for (const [connectionId, waiting] of asked) {
          const row = rows.get(connectionId)
          const keys = row ? this.#remember(row) : null
          if (!keys) this.#cached.delete(connectionId)
          if (this.#readAt.size >= MAX_CACHED) this.#readAt.clear()
          this.#readAt.set(connectionId, begunAt)
          for (const { resolve } of waiting) resolve(keys)
        }
      } catch (error) {
        for (const { reject } of [...asked.values()].flat()) reject(error)
      }
    }
    this.#reading = false
  }

  async #rows(connectionIds: string[]): Promise<Map<string, KeyRow>> {
    const { rows } = await this.pool
      .raw<{ rows: KeyRow[] }>(
        `SELECT c.id AS connection_id, c.page_uid, w.id AS webhook_id, w.webhook_uid, w.key_version, w.signature_key,
           w.signature_key_fingerprint, w.candidate_key,
           coalesce(w.rotating_until > now(), false) AS rotating,
           coalesce(w.rotation = 'asked' AND w.rotating_until <= now(), false) AS rotation_over
         FROM svc_connection c JOIN svc_webhook w ON w.connection_id = c.id AND w.deleted_at IS NULL
           AND coalesce(w.url, w.signature_key_fingerprint, w.candidate_key) IS NOT NULL
         WHERE c.id = ANY(?) AND c.deleted_at IS NULL`,
        [connectionIds],
      )
      .timeout(this.timeoutMs)
    return new Map(rows.map((row) => [row.connection_id, row]))
  }

  #remember(row: KeyRow): KnownKeys {
    const { readable, unreadable } = readKeys(this.keyring, row)
    const known: KnownKeys = {
      connectionId: row.connection_id,
      pageUid: row.page_uid,
      webhookId: row.webhook_id,
      webhookUid: row.webhook_uid,
      version: row.key_version,
      keys: readable,
      unreadable,
      rotating: row.rotating,
    }
    if (this.#cached.size >= MAX_CACHED && !this.#cached.has(known.connectionId)) {
      this.#cached.clear()
    }
    this.#cached.set(known.connectionId, known)
    return known
  }
}
