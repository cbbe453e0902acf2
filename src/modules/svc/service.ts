import { setTimeout as sleep } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { ConfigModule, IEventBusModuleService, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaService, Modules } from "@medusajs/framework/utils"
import { LinePriceRows } from "./cart/line-price-rows"
import { ActionLimits } from "./cart/lookup/action-limits"
import { PriceLookup } from "./cart/lookup/price-lookup"
import { OrderNumberRows } from "./cart/order-number-rows"
import { PriceChangeRows } from "./cart/price-change-rows"
import type { PricePolicy } from "./cart/price-policy"
import { ItemList } from "./catalog/item-list"
import { CatalogItemRows } from "./catalog/item-rows"
import { CatalogPaceRows } from "./catalog/pace-rows"
import { ProductReader } from "./catalog/product-reader"
import { changesCatalog } from "./catalog/settings"
import { CatalogWalkRows } from "./catalog/walk-rows"
import { ConnectionRows } from "./connections/connection-rows"
import { NOT_CHECKED } from "./connections/connection-state"
import { declaredColumns, rowOf } from "./connections/declared-connections"
import { declaredConnectionId } from "./connections/declared-id"
import { HealthCounts } from "./connections/health-counts"
import { SecretRows } from "./connections/secret-rows"
import { Keyring } from "./connections/secrets"
import { ServiceCalls } from "./connections/service-calls"
import { ServiceClients, tokenPlace } from "./connections/service-clients"
import { SetupRows } from "./connections/setup-rows"
import { AttributionList } from "./core-tables/attribution-list"
import { CartRecords } from "./core-tables/cart-records"
import { CartSituations } from "./core-tables/cart-situations"
import { CatalogMarks } from "./core-tables/catalog-marks"
import { checkCoreColumns } from "./core-tables/check-columns"
import { ExpiringCarts } from "./core-tables/expiring-carts"
import { MarketChanges } from "./core-tables/market-changes"
import { MarketFits } from "./core-tables/market-fits"
import { MetCarts } from "./core-tables/met-carts"
import { MovingLines } from "./core-tables/moving-lines"
import { OrderSnapshots } from "./core-tables/order-snapshots"
import { PlacedOrders } from "./core-tables/placed-orders"
import { Results } from "./core-tables/results"
import { StoreProducts } from "./core-tables/store-products"
import {
  type Connection,
  SvcAttribution,
  SvcCartOrderNumber,
  SvcCatalogImport,
  SvcCatalogItem,
  SvcCatalogPace,
  SvcCatalogPayload,
  SvcConnection,
  SvcCursor,
  SvcDelivery,
  SvcEventProduct,
  SvcLedgerEntry,
  SvcLinePrice,
  SvcLiveEvent,
  SvcPriceChange,
  SvcReconciliation,
  SvcRefusedDelivery,
  SvcReportAttempt,
  SvcShowOrder,
  SvcShowOrderLine,
  SvcWebhook,
} from "./models"
import { pricePolicy, readOptions, type SvcOptions } from "./options"
import { AttributionRows } from "./orders/attribution-rows"
import { LedgerList } from "./orders/ledger-list"
import { LedgerWriter } from "./orders/ledger-writer"
import { ReportAttempts } from "./orders/report-attempts"
import type { SvcModuleService as PublishedService } from "./published"
import { CursorRows } from "./shared/cursor-rows"
import { JobSchedule } from "./shared/job-schedule"
import { createPool } from "./shared/pool"
import { ProcessLeases } from "./shared/process-leases"
import type { Reason } from "./shared/reason"
import { SvcRefusal } from "./shared/refusal"
import { ListingWriter } from "./shows/listing-writer"
import { LookupRows } from "./shows/lookup-rows"
import { PriceCurrencyRows } from "./shows/price-currency-rows"
import { ProjectionWriter } from "./shows/projection-writer"
import { PullRows } from "./shows/pull-rows"
import { ReconciliationRows } from "./shows/reconciliation-rows"
import { ShowQueries } from "./shows/show-queries"
import type { Admission } from "./webhooks/admission"
import { DeliveryList } from "./webhooks/delivery-list"
import { InboxRows } from "./webhooks/inbox-rows"
import { createReceiver, RECEIVER_POOL } from "./webhooks/receiver"
import { RefusalRows } from "./webhooks/refusal-rows"
import { SubscriberRows } from "./webhooks/subscriber-rows"

type Injected = {
  [ContainerRegistrationKeys.PG_CONNECTION]: Knex
  [ContainerRegistrationKeys.LOGGER]: Logger
  [ContainerRegistrationKeys.CONFIG_MODULE]?: ConfigModule
  [Modules.EVENT_BUS]?: IEventBusModuleService
}

/** For applying deliveries and reading listings: a batch is one transaction. */
const SHOWS_POOL = {
  max: 4,
  statementTimeoutMs: 60_000,
  acquireTimeoutMs: 30_000,
  name: "svc-shows",
} as const

/** Emitted once a process has started: whatever was missed while none ran is looked for. */
export const STORE_STARTED = "svc.store-started"

const BACKGROUND_POOL = {
  max: 4,
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
  name: "svc background",
}
/** How long a process that is asked to end waits for the service's answers, and for what they change to be written. */
const CALLS_END_WITHIN_MS = 3_000
const WRITING_MS = 250

/**
 * The `svc` module: its rows, its secrets and the way to the service. The generated methods (`listSvcConnections` ...)
 * serve what they can; statements that need more are in the row objects below, made once here. A workflow step sees this
 * service through a proxy that wraps whatever is callable: objects pass through it as they are, a knex would not.
 */
export default class SvcModuleService
  extends MedusaService({
    SvcConnection,
    SvcCatalogItem,
    SvcCatalogImport,
    SvcCatalogPace,
    SvcCatalogPayload,
    SvcWebhook,
    SvcDelivery,
    SvcLiveEvent,
    SvcEventProduct,
    SvcCartOrderNumber,
    SvcLinePrice,
    SvcPriceChange,
    SvcAttribution,
    SvcReconciliation,
    SvcRefusedDelivery,
    SvcShowOrder,
    SvcShowOrderLine,
    SvcLedgerEntry,
    SvcReportAttempt,
    SvcCursor,
  })
  implements PublishedService
{
  readonly options: SvcOptions
  readonly keyring: Keyring
  /** Connections: what calls change of them, disconnecting, resuming. */
  readonly connections: ConnectionRows
  /** The encrypted secrets of all rows. */
  readonly secrets: SecretRows
  /** Counts for the health document. */
  readonly counts: HealthCounts
  /** The first steps of a connection, and which sales channels and regions go together. */
  readonly setup: SetupRows
  readonly marketFits: MarketFits
  /** The way to the service. */
  readonly calls: ServiceCalls
  /** What background work reads of connections, on its own pool. */
  readonly background: { connections: ConnectionRows }
  /**
   * Catalog: a row per product and connection, walks over all of them, what marks rows dirty, and the pace of calls. All
   * on the pool of background work.
   */
  readonly items: CatalogItemRows
  /** For the admin: not on that pool. */
  readonly itemList: ItemList
  readonly walks: CatalogWalkRows
  readonly marks: CatalogMarks
  readonly pace: CatalogPaceRows
  /** The store's own products, as they are to a connection, and which connections a change of a market concerns. */
  readonly products: ProductReader
  readonly storeProducts: StoreProducts
  readonly marketChanges: MarketChanges
  /** Carts: everything that decides about one, what is recorded of it, and the three tables that this is kept in. */
  readonly cartSituations: CartSituations
  readonly cartRecords: CartRecords
  readonly movingLines: MovingLines
  readonly expiringCarts: ExpiringCarts
  readonly orderNumbers: OrderNumberRows
  readonly linePrices: LinePriceRows
  readonly priceChanges: PriceChangeRows
  /** Campaign prices, asked for while a shopper waits; and how often a shopper may act. */
  readonly priceLookup: PriceLookup
  readonly actionLimits: ActionLimits
  /** Orders: the store's own, which of them came from a show, each call that reports one, and what they earned. */
  readonly placedOrders: PlacedOrders
  readonly orderSnapshots: OrderSnapshots
  readonly attributions: AttributionRows
  readonly attributionList: AttributionList
  readonly reportAttempts: ReportAttempts
  readonly ledger: LedgerWriter
  readonly ledgerList: LedgerList
  readonly metCarts: MetCarts
  readonly results: Results
  /** What this process has leased of all work. */
  readonly leases: ProcessLeases
  /** How far sweeps have looked, and whether the jobs are run at all. */
  readonly cursors: CursorRows
  readonly jobs: JobSchedule
  /** Shows: the projection is written by deliveries and listings, and read merged; when listings are read, what they told. */
  readonly projection: ProjectionWriter
  readonly listings: ListingWriter
  readonly pulls: PullRows
  readonly lookups: LookupRows
  readonly priceCurrencies: PriceCurrencyRows
  readonly reconciliations: ReconciliationRows
  readonly shows: ShowQueries
  /** Webhooks: what gets in, deliveries as they came, what was refused, and our subscriber at the service. */
  readonly admission: Admission
  readonly inbox: InboxRows
  readonly deliveryList: DeliveryList
  readonly refusals: RefusalRows
  readonly subscribers: SubscriberRows

  /** What the start found missing of Medusa's own tables (`core-tables/columns.ts`); empty where all is well. */
  coreTableProblems: readonly Reason[] = []

  readonly #knex: Knex
  readonly #logger: Logger
  /** Medusa runs no jobs in such a process. */
  readonly #servesOnly: boolean
  /** Asked for when it is needed: the event bus may be loaded after this module. */
  readonly #eventBus: () => IEventBusModuleService | undefined
  /** Of background work, of the receiver and of shows: none takes the connections that shoppers' requests need. */
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
    this.#servesOnly = config?.projectConfig.workerMode === "server"
    this.connections = new ConnectionRows(knex)
    this.secrets = new SecretRows(knex)
    this.counts = new HealthCounts(knex)
    this.setup = new SetupRows(knex)
    this.marketFits = new MarketFits(knex)
    const pool = createPool(knex, BACKGROUND_POOL)
    this.leases = new ProcessLeases(pool)
    this.background = { connections: new ConnectionRows(pool) }
    this.#clients = new ServiceClients(this.options, this.keyring, this.#logger)
    this.calls = new ServiceCalls(
      this.#clients,
      (id) => this.connection(id),
      this.connections,
      this.background.connections,
    )
    this.items = new CatalogItemRows(pool)
    this.itemList = new ItemList(knex)
    this.walks = new CatalogWalkRows(pool)
    this.marks = new CatalogMarks(pool)
    this.pace = new CatalogPaceRows(pool, {
      callsPerSecond: this.options.catalogRequestsPerSecond,
      batchSize: this.options.catalogBatchSize,
    })
    this.products = new ProductReader(pool)
    this.storeProducts = new StoreProducts(pool)
    this.marketChanges = new MarketChanges(pool)
    this.orderNumbers = new OrderNumberRows(knex)
    this.linePrices = new LinePriceRows(knex)
    this.priceChanges = new PriceChangeRows(knex)
    this.cartSituations = new CartSituations(knex)
    this.cartRecords = new CartRecords(knex)
    this.movingLines = new MovingLines(knex)
    this.expiringCarts = new ExpiringCarts(knex)
    this.actionLimits = new ActionLimits(this.options.cartActionsPerMinute)
    this.priceLookup = new PriceLookup(
      {
        timeoutMs: this.options.lookupTimeoutMs,
        concurrency: this.options.lookupConcurrency,
        perMinute: this.options.lookupsPerMinute,
      },
      (id, version) => this.#clients.forLookups(id, version, () => this.connection(id)),
      {
        failing: (connectionId, error) => this.calls.noteLookupFailure(connectionId, error),
        refused: (connectionId) => this.calls.checkToken(connectionId),
      },
    )
    this.placedOrders = new PlacedOrders(knex)
    this.orderSnapshots = new OrderSnapshots(knex)
    this.attributions = new AttributionRows(knex)
    this.attributionList = new AttributionList(knex)
    this.reportAttempts = new ReportAttempts(knex)
    this.ledger = new LedgerWriter(knex, this.orderSnapshots, this.placedOrders)
    this.ledgerList = new LedgerList(knex)
    this.metCarts = new MetCarts(knex)
    this.results = new Results(knex)
    this.cursors = new CursorRows(knex)
    this.jobs = new JobSchedule(this.cursors, this.#logger)
    this.#eventBus = () => container[Modules.EVENT_BUS]
    const [receiving, ofShows] = [createPool(knex, RECEIVER_POOL), createPool(knex, SHOWS_POOL)]
    this.#pools = [pool, receiving, ofShows]
    this.projection = new ProjectionWriter(ofShows)
    this.listings = new ListingWriter(this.projection)
    this.pulls = new PullRows(ofShows, this.leases)
    this.lookups = new LookupRows(ofShows)
    this.priceCurrencies = new PriceCurrencyRows(ofShows)
    this.reconciliations = new ReconciliationRows(ofShows)
    this.shows = new ShowQueries(knex)
    this.admission = createReceiver({
      pool: receiving,
      keyring: this.keyring,
      logger: this.#logger,
      options: this.options,
    })
    this.inbox = new InboxRows(ofShows)
    this.deliveryList = new DeliveryList(knex)
    this.refusals = new RefusalRows(ofShows)
    this.subscribers = new SubscriberRows(knex)
  }

  /** What the options say of prices. */
  get pricePolicy(): PricePolicy {
    return pricePolicy(this.options)
  }

  __hooks = {
    onApplicationStart: async (): Promise<void> => {
      await this.checkCoreTables()
      await this.adoptDeclaredConnections()
      await this.pulls.request("started")
      if (!this.#servesOnly) this.jobs.start()
      await this.#eventBus()?.emit({ name: STORE_STARTED, data: {} }, { internal: true })
    },
    /** First of all, while the other modules still work. */
    onApplicationPrepareShutdown: async (): Promise<void> => {
      this.leases.close()
      this.jobs.stop()
      await Promise.race([
        this.calls.ended(),
        sleep(CALLS_END_WITHIN_MS, undefined, { ref: false }),
      ])
      // What was answered is written down now.
      await sleep(WRITING_MS)
      await this.leases.giveBack()
    },
    onApplicationShutdown: async (): Promise<void> => {
      await this.admission.writeRefusals()
      await Promise.all(this.#pools.map((pool) => pool.destroy()))
    },
  }

  /**
   * Says once, at the start, which column of Medusa's own tables is gone and what stands still without it. Otherwise a
   * newer Medusa would show only as a database error on each pass of a worker.
   */
  async checkCoreTables(): Promise<void> {
    this.coreTableProblems = await checkCoreColumns(this.#knex)
    for (const { message, fix } of this.coreTableProblems)
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
      const fingerprint = this.keyring.fingerprint(declared.apiToken)
      const columns = declaredColumns(declared, fingerprint)
      const row = rowOf(declared, this.options.connections, rows)
      if (!row) {
        await this.#createDeclared(columns)
        continue
      }
      adopted.add(row.id)
      const newAddress = row.base_url !== columns.base_url
      const unproven = newAddress || row.api_token_fingerprint !== columns.api_token_fingerprint
      await this.updateSvcConnections({ id: row.id, ...columns, ...(unproven ? NOT_CHECKED : {}) })
      // As when a person enters a token in the admin: what waited for a good one is due now.
      if (unproven) await this.connections.resume(row.id, null)
      const moved = newAddress || row.page_uid !== columns.page_uid
      if (moved) await this.pace.resume(row.id, { moved })
      // Another region, channel or setting: what the service has is of the old one.
      if (changesCatalog(row, columns)) await this.walks.openCompare([row.id])
    }
    const gone = rows
      .filter((row) => row.managed_by === "environment" && !adopted.has(row.id))
      .map((row) => row.id)
    if (gone.length > 0) await this.connections.undeclare(gone)
  }

  async #createDeclared(columns: { name: string; page_uid: string }): Promise<void> {
    const id = declaredConnectionId(columns.name)
    if (await this.connections.revive(id)) {
      await this.updateSvcConnections({ ...columns, ...NOT_CHECKED, id })
      return
    }
    // Another page has the name's id: it keeps it, with its history.
    const taken = (await this.connections.find(id)) !== null
    await this.createSvcConnections(taken ? columns : { ...columns, id })
  }
}
