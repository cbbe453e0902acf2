import { type Knex, knex } from "@medusajs/framework/mikro-orm/knex"

export type PoolLimits = {
  /** Connections at most. None is kept while nothing happens. */
  max: number
  /** The database ends a statement that takes longer, and a transaction that does nothing for as long. */
  statementTimeoutMs: number
  /** Whoever waits longer for a free connection is refused. */
  acquireTimeoutMs: number
  /** Shown in `pg_stat_activity`, so that a person can tell whose connections these are. */
  name: string
}

const IDLE_MS = 10_000

/**
 * A pool of its own to the store's database. What runs on it cannot take the connections that shoppers' requests need,
 * and one bad plan cannot hold it for ever.
 *
 * The limit is said within each transaction, and a statement without one gets one for it. A connection pooler (PgBouncer
 * in transaction mode) refuses settings at the beginning of a connection, and hands one that is set later to whoever
 * has the connection next.
 */
export function createPool(shop: Knex, limits: PoolLimits): Knex {
  const { searchPath, connection } = shop.client.config as Knex.Config
  if (typeof connection !== "object") {
    throw new Error("The store's database connection has no settings that a second pool could use.")
  }
  return knex({
    client: limitedClient(shop, limits.statementTimeoutMs),
    searchPath,
    connection: { ...connection, application_name: limits.name },
    acquireConnectionTimeout: limits.acquireTimeoutMs,
    pool: { min: 0, max: limits.max, idleTimeoutMillis: IDLE_MS, propagateCreateError: false },
  } as Knex.Config)
}

/** knex' own client of Postgres, whose transactions begin with their limits. */
function limitedClient(shop: Knex, ms: number): typeof Knex.Client {
  const begin = `BEGIN; SET LOCAL statement_timeout = ${ms}; SET LOCAL idle_in_transaction_session_timeout = ${ms}`
  const Client = shop.client.constructor as typeof Knex.Client
  return class extends Client {
    /** knex sets it on the client of a transaction. */
    declare transacting?: boolean

    override async query(connection: unknown, query: unknown): Promise<unknown> {
      if (this.transacting) return super.query(connection, query === "BEGIN;" ? begin : query)
      // Sent at once; the connection takes one after the other. COMMIT ends what failed, too.
      const [begun, answer, ended] = await Promise.allSettled([
        super.query(connection, begin),
        super.query(connection, query),
        super.query(connection, "COMMIT"),
      ])
      for (const step of [begun, answer, ended]) {
        if (step.status === "rejected") throw withoutSession(connection, step.reason)
      }
      return answer.status === "fulfilled" ? answer.value : undefined
    }
  }
}

/** With a fatal error the database has ended the session: whoever is given its connection next would fail by it, too. */
function withoutSession(connection: unknown, error: unknown): unknown {
  const isFatal = error instanceof Error && Reflect.get(error, "severity") === "FATAL"
  if (isFatal) Object.assign(Object(connection), { __knex__disposed: error })
  return error
}
