import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ConfigModule, IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaService, Modules } from "@medusajs/framework/utils"
import { readProxy } from "../../client"
import { createCart } from "./cart"
import { type Catalog, changesCatalog, createCatalog, ownCodeOf } from "./catalog"
import { createConnections } from "./connections"
import { NOT_CHECKED } from "./connections/connection-state"
import { declaredColumns, isAsDeclared, isOf, rowOf } from "./connections/declared-connections"
import { declaredConnectionId } from "./connections/declared-id"
import { Keyring } from "./connections/secrets"
import { ServiceClients, tokenPlace } from "./connections/service-clients"
import { AttributionList } from "./core-tables/attribution-list"
import { CartRecords } from "./core-tables/cart-records"
import { CartSituations } from "./core-tables/cart-situations"
import { ExpiringCarts } from "./core-tables/expiring-carts"
import { MarketFits } from "./core-tables/market-fits"
import { MetCarts } from "./core-tables/met-carts"
import { MovingLines } from "./core-tables/moving-lines"
import { OrderChanges } from "./core-tables/order-changes"
import { PlacedOrders } from "./core-tables/placed-orders"
import { Results } from "./core-tables/results"
import { tryStatements } from "./core-tables/try-statements"
import type { Connection } from "./models"
import * as models from "./models"
import { pricePolicy, readOptions, type SvcOptions } from "./options"
import { createOrders } from "./orders"
import type { SvcModuleService as PublishedService } from "./published"
import { storeHostOf } from "./shared/copy-of"
import { CursorRows } from "./shared/cursor-rows"
import { JobSchedule } from "./shared/job-schedule"
import { createPool } from "./shared/pool"
import { ProcessLeases } from "./shared/process-leases"
import type { Reason } from "./shared/reason"
import { SvcRefusal } from "./shared/refusal"
import { StartUp } from "./shared/start-up"
import { createShows, type Shows } from "./shows"
import { createWebhooks, type Webhooks } from "./webhooks"
import { RECEIVER_POOL } from "./webhooks/receiver"

type Injected = {
  [ContainerRegistrationKeys.PG_CONNECTION]: Knex
  [ContainerRegistrationKeys.LOGGER]: Logger
  [ContainerRegistrationKeys.CONFIG_MODULE]?: ConfigModule
  [Modules.EVENT_BUS]?: IEventBusModuleService
}

/** Statements on Medusa's own tables, which a domain says that it needs and does not import. */
const storeOfConnections = (knex: Knex) => ({ marketFits: new MarketFits(knex) })
const storeOfCarts = (knex: Knex) => ({
  situations: new CartSituations(knex),
  records: new CartRecords(knex),
  movingLines: new MovingLines(knex),
  expiring: new ExpiringCarts(knex),
})
const storeOfOrders = (knex: Knex, pool: Knex) => ({
  placedOrders: new PlacedOrders(pool),
  orderChanges: new OrderChanges(pool),
  attributionList: new AttributionList(knex),
  metCarts: new MetCarts(pool),
  results: new Results(knex),
})
type StoreOfConnections = ReturnType<typeof storeOfConnections>
type StoreOfCarts = ReturnType<typeof storeOfCarts>
type StoreOfOrders = ReturnType<typeof storeOfOrders>

/** Past a proxy that somebody has set no call goes: where it cannot be read, none goes at all. */
async function checkProxy(): Promise<void> {
  const proxy = readProxy()
  if (proxy instanceof Error) throw proxy
}

/** Emitted once a process has started: whatever was missed while none ran is looked for. */
export const STORE_STARTED = "svc.store-started"

/** Whatever the plugin does that no request waits for. `databasePoolMax` says of how many connections. */
const BACKGROUND_POOL = {
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
  name: "svc background",
} as const
const MINUTE_MS = 60_000
/** How long a process that is asked to end waits for the service's answers, and for what they change to be written. */
const CALLS_END_WITHIN_MS = 3_000
const WRITING_MS = 250

/**
 * The `svc` module: its rows, its secrets and the way to the service. The generated methods (`listSvcConnections` ...)
 * serve what they can; statements that need more are behind the face of each domain, made once here. A workflow step sees this
 * service through a proxy that wraps whatever is callable: objects pass through it as they are, a knex would not.
 */
export default class SvcModuleService extends MedusaService(models) implements PublishedService {
  readonly options: SvcOptions
  readonly keyring: Keyring
  readonly connections: ReturnType<typeof createConnections<StoreOfConnections>>
  readonly catalog: Catalog
  readonly cart: ReturnType<typeof createCart<StoreOfCarts>>
  readonly orders: ReturnType<typeof createOrders<StoreOfOrders>>
  readonly shows: Shows
  readonly webhooks: Webhooks
  /** What this process has leased of all work, how far sweeps have looked, and whether the jobs are run at all. */
  readonly work: { leases: ProcessLeases; cursors: CursorRows; jobs: JobSchedule }

  /** What the start found missing of Medusa's own tables (`core-tables/try-statements.ts`). */
  #coreTableProblems: readonly Reason[] = []
  readonly #startUp: StartUp
  #minute: NodeJS.Timeout | undefined
  readonly #knex: Knex
  readonly #logger: Logger
  /** Medusa runs no jobs in a `server`, and takes no requests in a `worker`. */
  readonly #workerMode: ConfigModule["projectConfig"]["workerMode"]
  /** Asked for when it is needed: the event bus may be loaded after this module. */
  readonly #eventBus: () => IEventBusModuleService | undefined
  /** Of background work and of the receiver: neither takes the connections that shoppers' requests need. */
  readonly #pools: Knex[]
  readonly #clients: ServiceClients

  constructor(
    container: Injected,
    moduleOptions?: Record<string, unknown>,
    moduleDeclaration?: Record<string, unknown>,
  ) {
    super(container, moduleOptions, moduleDeclaration)
    this.options = readOptions(moduleOptions)
    this.keyring = new Keyring(this.options.encryptionKeys)
    const knex = container[ContainerRegistrationKeys.PG_CONNECTION]
    this.#knex = knex
    this.#logger = container[ContainerRegistrationKeys.LOGGER]
    const config = container[ContainerRegistrationKeys.CONFIG_MODULE]
    this.#workerMode = config?.projectConfig.workerMode
    this.#clients = new ServiceClients(this.options, this.keyring, this.#logger)
    this.#eventBus = () => container[Modules.EVENT_BUS]
    const pool = createPool(knex, { ...BACKGROUND_POOL, max: this.options.databasePoolMax })
    const receiving = createPool(knex, RECEIVER_POOL)
    this.#pools = [pool, receiving]
    const leases = new ProcessLeases(pool)
    const cursors = new CursorRows(knex)
    this.work = { leases, cursors, jobs: new JobSchedule(cursors, this.#logger) }
    const { options, keyring } = this
    const connection = (id: string) => this.connection(id)
    this.connections = createConnections({
      knex,
      pool,
      store: storeOfConnections(knex),
      clients: this.#clients,
      connection,
      backendUrl: () => options.backendUrl,
    })
    this.catalog = createCatalog({
      knex,
      pool,
      leases,
      callsPerSecond: options.catalogRequestsPerSecond,
      ownCode: () => ownCodeOf(options),
    })
    const { calls } = this.connections
    this.cart = createCart({
      store: storeOfCarts(knex),
      policy: () => pricePolicy(options),
      lookup: [
        (id, version) => this.#clients.forLookups(id, version, () => connection(id)),
        {
          answered: (...price) => {
            void this.shows.priceBases.note(...price)
            calls.noteLookup(price[0], null)
          },
          failing: (connectionId, error) => calls.noteLookup(connectionId, error),
          refused: (connectionId) => calls.checkToken(connectionId),
        },
      ],
    })
    this.orders = createOrders({ knex, pool, leases, store: storeOfOrders(knex, pool) })
    this.shows = createShows({ knex, pool, leases })
    this.webhooks = createWebhooks({
      knex,
      receiving,
      pool,
      leases,
      keyring,
      logger: this.#logger,
      options,
    })
    this.#startUp = new StartUp(
      [
        { what: "look at Medusa's own tables", run: () => this.checkCoreTables() },
        { what: "tell which proxy calls go through", run: checkProxy },
        {
          what: "take over the connections of medusa-config.ts",
          run: () => this.adoptDeclaredConnections(),
        },
        {
          what: "say of connections which store they are connected by",
          run: async () => {
            const host = storeHostOf(options.backendUrl)
            if (host !== null) await this.connections.rows.claim(host)
          },
        },
        {
          what: "ask for what was missed",
          run: async () => {
            await this.webhooks.lookUps.request()
            await this.shows.pulls.request("started")
          },
        },
        {
          what: "tell that it has started",
          run: async () =>
            this.#eventBus()?.emit({ name: STORE_STARTED, data: {} }, { internal: true }),
        },
      ],
      this.#logger,
    )
  }

  /** What this process could not do when it started and tries again, and what is missing of Medusa's tables. */
  get startProblems(): readonly Reason[] {
    return [...this.#startUp.problems, ...this.#coreTableProblems]
  }

  __hooks = {
    onApplicationStart: async (): Promise<void> => {
      this.work.jobs.started()
      clearInterval(this.#minute)
      this.#minute = setInterval(() => {
        this.work.jobs.minutePassed()
        if (this.#workerMode !== "server") void this.work.jobs.look()
        // Whatever it is, the next minute looks again.
        if (this.#workerMode !== "worker") this.shows.pulls.noticeGap().catch(() => undefined)
        this.keepDeclaredConnections().catch(() => undefined)
      }, MINUTE_MS)
      this.#minute.unref()
      await this.#startUp.run()
    },
    /** First of all, while the other modules still work. */
    onApplicationPrepareShutdown: async (): Promise<void> => {
      this.work.leases.close()
      clearInterval(this.#minute)
      this.#startUp.stop()
      const { calls } = this.connections
      await Promise.race([calls.ended(), sleep(CALLS_END_WITHIN_MS, undefined, { ref: false })])
      // What was answered is written down now.
      await sleep(WRITING_MS)
      await this.work.leases.giveBack(calls.unanswered)
    },
    onApplicationShutdown: async (): Promise<void> => {
      await this.webhooks.admission.writeNotes()
      await Promise.all(this.#pools.map((pool) => pool.destroy()))
    },
  }

  /**
   * Says once, at the start, which column of Medusa's own tables is gone and what stands still without it. Otherwise a
   * newer Medusa would show only as a database error on each pass of a worker.
   */
  async checkCoreTables(): Promise<void> {
    this.#coreTableProblems = await tryStatements(this.#knex)
    for (const { message, fix } of this.#coreTableProblems)
      this.#logger.error(`svc: ${message} ${fix}`)
  }

  /** @throws SvcRefusal `connection_not_found` */
  async connection(id: string): Promise<Connection> {
    const [row] = await this.listSvcConnections({ id })
    if (!row) {
      throw new SvcRefusal("connection_not_found", `There is no connection with the id "${id}".`)
    }
    return row
  }

  /**
   * Columns that hold a token, encrypted; to be written in the same update as the rest.
   * @throws SvcRefusal `encryption_key_missing`
   */
  sealToken(connectionId: string, token: string) {
    return {
      api_token: this.keyring.encrypt(token, tokenPlace(connectionId)),
      api_token_fingerprint: this.keyring.fingerprint(token),
      api_token_updated_at: new Date(),
    }
  }

  /**
   * Makes the rows of the connections declared in `medusa-config.ts` equal to their declarations. One process at a
   * time: several that start together would each create the rows.
   */
  async adoptDeclaredConnections(): Promise<void> {
    await this.#knex.transaction(async (trx) => {
      await trx.raw("SELECT pg_advisory_xact_lock(hashtext('svc-declared-connections'))")
      await this.#adoptDeclared()
    })
  }

  async #adoptDeclared(): Promise<void> {
    const rows = await this.listSvcConnections({}, { take: null })
    const adopted = new Set<string>()
    for (const declared of this.options.connections) {
      const columns = this.#columnsOf(declared)
      const row = rowOf(declared, this.options.connections, rows)
      if (!row) {
        adopted.add(await this.#createDeclared(columns))
        continue
      }
      adopted.add(row.id)
      const moved = !isOf(row, declared)
      const unproven = moved || row.api_token_fingerprint !== columns.api_token_fingerprint
      await this.connections.rows.write(row.id, { ...columns, ...(unproven ? NOT_CHECKED : {}) })
      // As when a person enters a token in the admin: what waited for a good one is due now.
      if (unproven) await this.connections.rows.resume(row.id, null)
      if (moved) await this.connections.holds.resume(row.id, { moved })
      // Another region, channel or setting: what the service has is of the old one.
      if (changesCatalog(row, columns)) await this.catalog.walks.compareAnew([row.id])
    }
    await this.connections.rows.undeclareAllBut([...adopted])
  }

  #columnsOf(declared: SvcOptions["connections"][number]) {
    return declaredColumns(declared, this.keyring.fingerprint(declared.apiToken))
  }

  /**
   * Each minute: says of the connections that are as our list declares them that they are declared, and takes back those
   * that somebody with another list has undeclared, or has made into something else and ended. While whoever did it runs, it
   * stays: two lists would take it from each other without end.
   */
  async keepDeclaredConnections(): Promise<void> {
    const rows = await this.listSvcConnections({}, { take: null })
    const abandoned = await this.connections.rows.abandoned()
    const { connections } = this.options
    const kept: string[] = []
    for (const declared of connections) {
      const row = rowOf(declared, connections, rows)
      if (!row) continue
      if (isAsDeclared(row, this.#columnsOf(declared))) kept.push(row.id)
      else if (row.status === "undeclared" || abandoned.includes(row.id))
        return this.adoptDeclaredConnections()
    }
    await this.connections.rows.undeclareAllBut(kept)
  }

  async #createDeclared(columns: ReturnType<typeof declaredColumns>): Promise<string> {
    const id = declaredConnectionId(columns.name)
    if (await this.connections.rows.revive(id, columns)) {
      await this.connections.rows.write(id, { ...columns, ...NOT_CHECKED })
      return id
    }
    // Another page has the name's id: it keeps it, with its history.
    const taken = (await this.connections.rows.find(id)) !== null
    return (await this.createSvcConnections(taken ? columns : { ...columns, id })).id
  }
}
