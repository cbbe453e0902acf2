import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { Connection } from "../models"
import { Holds } from "../shared/holds"
import { ConnectionRows } from "./connection-rows"
import { HealthCounts } from "./health-counts"
import { SecretRows } from "./secret-rows"
import { ServiceCalls } from "./service-calls"
import type { ServiceClients } from "./service-clients"
import { SetupRows } from "./setup-rows"

/**
 * Connections: what calls change of them, disconnecting, resuming; their secrets; the way to the service; counts for the
 * health document.
 *
 * @param parts.pool of background work
 * @param parts.store statements on Medusa's own tables
 * @param parts.connection reads a connection; throws SvcRefusal `connection_not_found`
 */
export function createConnections<Store extends object>(parts: {
  knex: Knex
  pool: Knex
  store: Store
  clients: ServiceClients
  connection: (id: string) => Promise<Connection>
  backendUrl: () => string | undefined
}) {
  const { knex, pool, store, clients, connection, backendUrl } = parts
  const holds = new Holds(pool)
  const rows = new ConnectionRows(knex, holds)
  const background = new ConnectionRows(pool, holds)
  return {
    ...store,
    rows,
    /** The same on the pool of background work. */
    background,
    /** Which endpoints are left alone now. */
    holds,
    secrets: new SecretRows(knex),
    counts: new HealthCounts(knex),
    setup: new SetupRows(knex),
    calls: new ServiceCalls(clients, connection, rows, background, holds, backendUrl),
  }
}

// What workflows use of this room beside its face: pure decisions and the types of its rows.
export { type Asked, askedOf } from "./connection-rows"
export { type LeftPage, NOT_CHECKED } from "./connection-state"
export { apiToken, urlWithoutQuery } from "./input"
export { type KeyUse, keyProblems, keysInUse } from "./key-use"
export { opensMetrics } from "./monitoring-token"
export { type Metric, prometheusText } from "./prometheus"
export { keyIdOf } from "./secrets"
export { judgeSetup, readStorefrontCheck, type SetupStep } from "./setup-steps"
