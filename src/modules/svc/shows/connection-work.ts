import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ProcessLeases } from "../shared/process-leases"
import type { Reason } from "../shared/reason"
import { type WorkRow, WorkRows } from "../shared/work-rows"
import { MISSED, type PullCause } from "./pull-causes"

export type WorkKind = "listings" | "prices" | "subscriber"

/** Work that this worker has. */
export type ClaimedWork = WorkRow & {
  connection_id: string
  wanted: number
  cause: PullCause | null
  missed_at: Date | null
}

/**
 * Asks for work of a kind, to be done now; its rows are made here.
 *
 * @param connectionIds for all connections where it is not given
 * @param cause of listings: why
 */
export async function askForWork(
  on: Knex,
  kind: WorkKind,
  connectionIds?: string[],
  cause: PullCause | null = null,
): Promise<void> {
  await on.raw(
    `INSERT INTO svc_connection_work AS work (id, connection_id, kind, cause, missed_at)
     SELECT 'svcwork_' || c.id || '_' || :kind::text, c.id, :kind::text, :cause::text, CASE WHEN :missed THEN now() END
     FROM svc_connection c WHERE c.deleted_at IS NULL AND (:all OR c.id = ANY(:ids)) ORDER BY c.id
     ON CONFLICT (connection_id, kind) WHERE deleted_at IS NULL DO UPDATE SET
       wanted = work.wanted + 1, next_attempt_at = NULL, cause = EXCLUDED.cause,
       missed_at = coalesce(EXCLUDED.missed_at, work.missed_at), updated_at = now()`,
    {
      kind,
      cause,
      missed: MISSED.includes(cause),
      all: connectionIds === undefined,
      ids: connectionIds ?? [],
    },
  )
}

/** A listing has told what no delivery had: whatever becomes of this reading, the products are looked up for it. */
export async function noteMissed(trx: Knex.Transaction, connectionId: string): Promise<void> {
  await trx("svc_connection_work")
    .where({ connection_id: connectionId, kind: "listings" })
    .update({ missed_at: trx.raw("coalesce(missed_at, now())") })
}

/** Work of one kind, of which a connection has one row of `svc_connection_work`. */
export class ConnectionWork {
  readonly #rows: WorkRows<ClaimedWork>

  constructor(
    private readonly knex: Knex,
    leases: ProcessLeases,
    private readonly kind: WorkKind,
  ) {
    this.#rows = new WorkRows(knex, leases, {
      name: "svc_connection_work",
      open: `work.wanted > work.acknowledged AND EXISTS (
        SELECT 1 FROM svc_connection c WHERE c.id = work.connection_id AND c.deleted_at IS NULL)`,
      order: "work.next_attempt_at",
      generations: true,
    })
  }

  request(connectionIds?: string[], cause?: PullCause, on = this.knex): Promise<void> {
    return askForWork(on, this.kind, connectionIds, cause)
  }

  /** Takes a connection's work where it is due and nobody has it. */
  async claim(connectionId: string, leaseMs: number): Promise<ClaimedWork | null> {
    const [work] = await this.#rows.claim({
      where: "work.connection_id = :connectionId AND work.kind = :kind",
      bindings: { connectionId, kind: this.kind },
      limit: 1,
      leaseMs,
    })
    return work ?? null
  }

  /** @returns false where another worker has it by now, as after everything below */
  renew(work: ClaimedWork, leaseMs: number): Promise<boolean> {
    return this.#rows.renew(work, leaseMs)
  }

  /** @param againInMs when it is to be done again by itself; null for never. Where it was asked for meanwhile: at once */
  settle(
    work: ClaimedWork,
    againInMs: number | null,
    columns: Record<string, unknown> = {},
    on = this.knex,
  ): Promise<boolean> {
    const again = {
      acknowledged: work.wanted - 1,
      next_attempt_at: on.raw(
        "CASE WHEN wanted = ? THEN now() + ?::float8 * interval '1 millisecond' END",
        [work.wanted, againInMs],
      ),
    }
    return this.#rows.settle(work, { ...(againInMs === null ? {} : again), ...columns }, on)
  }

  /** It failed. */
  retry(
    work: ClaimedWork,
    inMs: number,
    reason: Reason,
    columns: Record<string, unknown> = {},
    on = this.knex,
  ): Promise<boolean> {
    return this.#rows.retry(work, { inMs, reason }, columns, on)
  }

  /**
   * Milliseconds until work falls due, by connection, 0 or less for now; connections without are left out.
   *
   * @param kinds of several that one worker does
   */
  dueInMs(connectionId?: string, kinds = [this.kind]): Promise<Map<string, number>> {
    const isOfKinds = `work.kind IN (${kinds.map((kind) => `'${kind}'`).join()})`
    return this.#rows.dueInMs(connectionId, isOfKinds)
  }
}
