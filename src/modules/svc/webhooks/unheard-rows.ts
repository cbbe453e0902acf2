import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** A subscriber that was heard from, while its row said that nothing came for long and was written by somebody else. */
export type Unheard = { webhookId: string; skewMs: number; at: Date }

const EVERY_MS = 1_000
/** Five minutes: whoever holds a row for longer leaves it to the next delivery. */
const MAX_TRIES = 300

/**
 * Notes on subscribers that they were heard from, where the statement that kept the delivery found the row taken. Tried
 * each second, without ever waiting for a row: no delivery, and no connection of the receiver, waits for it. What fails
 * is tried again, and forgotten where the process ends.
 */
export class UnheardRows {
  readonly #waiting = new Map<string, Unheard & { tries: number }>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly pool: Knex,
    private readonly timeoutMs: number,
  ) {}

  add(unheard: Unheard): void {
    this.#waiting.set(unheard.webhookId, { ...unheard, tries: 0 })
    this.#later()
  }

  #later(): void {
    if (this.#waiting.size === 0) return
    this.#timer ??= setTimeout(() => void this.#touch(), EVERY_MS).unref()
  }

  async #touch(): Promise<void> {
    const tried = [...this.#waiting.values()]
    const given = tried.map(({ webhookId, skewMs, at }) => ({ id: webhookId, skew_ms: skewMs, at }))
    const open = await this.pool
      .raw<{ rows: { id: string }[] }>(TOUCH, [JSON.stringify(given)])
      .timeout(this.timeoutMs)
      .then(
        ({ rows }) => new Set(rows.map(({ id }) => id)),
        () => new Set(given.map(({ id }) => id)),
      )
    for (const unheard of tried) {
      unheard.tries += 1
      const { webhookId, tries } = unheard
      // Another delivery may have been told of it meanwhile.
      const isTheLatest = this.#waiting.get(webhookId) === unheard
      if (isTheLatest && (!open.has(webhookId) || tries === MAX_TRIES)) {
        this.#waiting.delete(webhookId)
      }
    }
    this.#timer = null
    this.#later()
  }
}

/** Writes what is free, and tells which rows are still taken. */
const TOUCH = `
  WITH given AS (
    SELECT * FROM json_to_recordset(?::json) AS given (id text, skew_ms int, at timestamptz)
  ), touched AS (
    UPDATE svc_webhook w SET last_delivery_at = given.at, clock_skew_ms = given.skew_ms
    FROM given
    WHERE w.id = given.id AND (w.last_delivery_at IS NULL OR w.last_delivery_at < given.at)
      AND w.id IN (SELECT id FROM svc_webhook WHERE id IN (SELECT id FROM given) FOR UPDATE SKIP LOCKED)
    RETURNING w.id
  )
  SELECT w.id FROM svc_webhook w JOIN given ON given.id = w.id
  WHERE w.deleted_at IS NULL AND (w.last_delivery_at IS NULL OR w.last_delivery_at < given.at)
    AND w.id NOT IN (SELECT id FROM touched)`
