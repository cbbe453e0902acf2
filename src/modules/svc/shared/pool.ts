import { type Knex, knex } from "@medusajs/framework/mikro-orm/knex"

export type PoolLimits = {
  /** Connections at most. None is kept while nothing happens. */
  max: number
  /** The database ends a statement that takes longer. */
  statementTimeoutMs: number
  /** Whoever waits longer for a free connection is refused. */
  acquireTimeoutMs: number
  /** Shown in `pg_stat_activity`, so that a person can tell whose connections these are. */
  name: string
}

const IDLE_MS = 10_000
/** Postgres' answer, and a connection pooler's, to a setting that it does not take at the beginning of a connection. */
const PROTOCOL_VIOLATION = "08P01"

/**
 * A pool of its own to the store's database. What runs on it cannot take the connections that shoppers' requests need,
 * and one bad plan cannot hold it for ever.
 *
 * A connection pooler such as PgBouncer may refuse settings at the beginning of a connection (`statement_timeout`); the
 * pool then goes on without: working without a limit is better than not working.
 */
export function createPool(shop: Knex, limits: PoolLimits): Knex {
  const { client, searchPath, connection } = shop.client.config as Knex.Config
  if (typeof connection !== "object") {
    throw new Error("The store's database connection has no settings that a second pool could use.")
  }
  let settings: Record<string, unknown> = {
    statement_timeout: limits.statementTimeoutMs,
    application_name: limits.name,
  }
  const pool = knex({
    client,
    searchPath,
    connection: async () => ({ ...connection, ...settings }),
    acquireConnectionTimeout: limits.acquireTimeoutMs,
    pool: { min: 0, max: limits.max, idleTimeoutMillis: IDLE_MS, propagateCreateError: false },
  } as Knex.Config)
  pool.client.pool.on("createFail", (_id: number, error: { code?: string } | undefined) => {
    if (error?.code === PROTOCOL_VIOLATION) settings = {}
  })
  return pool
}
