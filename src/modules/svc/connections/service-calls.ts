import { type Endpoint, type SvcClient, SvcError } from "../../../client"
import type { Connection } from "../models"
import { copyIsQuiet, copyOf } from "../shared/copy-of"
import { ALL, type Holds } from "../shared/holds"
import { reasonFor, reasonOf, reasonOfCall } from "../shared/reason"
import { askedOf, type ConnectionRows } from "./connection-rows"
import type { ServiceClients } from "./service-clients"

const TOKEN_CHECK_MS = 60_000
const LOOKUP_NOTE_MS = 5_000
const NEVER = Number.NEGATIVE_INFINITY

/** Why all calls are held, where it is not the service that has refused the token. */
const NOT_SENT = ["svc_insecure", "undeclared", "secret_unreadable"] as const

type Run<T> = (client: SvcClient) => Promise<T>

type Call = {
  endpoint: Endpoint
  /** It is the one that finds out whether a hold is over. */
  probe: boolean
  /** Its success ends a hold; any other may have been under way when the service asked for patience. */
  ends: boolean
}

/**
 * Every call of the service passes here: it gets the connection's client, and what comes of it is recorded on the
 * connection and its holds. Which method a caller takes depends on who waits: nobody (`inBackground`), a person or a shopper
 * (`now`), or the catalog's worker, which keeps a pace of its own (`paced`).
 */
export class ServiceCalls {
  /** Calls that have no answer yet, and of which connection each is. */
  readonly #underWay = new Map<Promise<unknown>, string>()
  /** By `performance.now()`: when it was last written down of each connection that lookups fail, and that they go well. */
  readonly #lookups = new Map<string, { failedAt: number; wellAt: number }>()
  /** By `performance.now()`: when each connection's token was last checked because a lookup was refused. */
  readonly #tokenChecks = new Map<string, number>()

  /**
   * @param connection reads a connection; throws SvcRefusal `connection_not_found`
   * @param rows for calls that somebody waits for
   * @param backgroundRows for all others, on the pool of background work
   */
  constructor(
    private readonly clients: ServiceClients,
    private readonly connection: (id: string) => Promise<Connection>,
    private readonly rows: ConnectionRows,
    private readonly backgroundRows: ConnectionRows,
    private readonly holds: Holds,
    /** This store's own public address; undefined where it was not told. */
    private readonly backendUrl: () => string | undefined,
  ) {}

  /** For background work: asks first whether the endpoint is held, and records how the call went. */
  async inBackground<T>(
    connectionOrId: Connection | string,
    endpoint: Endpoint,
    run: Run<T>,
  ): Promise<T> {
    const connection = await this.#read(connectionOrId)
    this.#staysQuiet(connection)
    const answer = await this.holds.ask(connection.id, endpoint)
    if (answer.kind === "go") {
      const { probe } = answer
      return this.#recorded(this.backgroundRows, connection, { endpoint, probe, ends: probe }, run)
    }
    // What waits because of a refused token waits for a person, as if it had met the refusal itself.
    if (answer.endpoint === ALL) {
      const { reason } = answer
      throw new SvcError({
        code: NOT_SENT.find((code) => code === reason?.code) ?? "svc_unauthorized",
        failure: "broken",
        message: reason?.message ?? "The service refused the API token.",
      })
    }
    throw new SvcError({
      code: "svc_paused",
      failure: "retry",
      message: "We hold back calls for a moment after several failures in a row.",
      notCarriedOut: true,
      retryAfterMs: answer.ms,
    })
  }

  /**
   * While somebody waits: whatever is held, because the caller brings a short timeout. A copy may look, for a person. It
   * reports no orders: they are the other store's.
   */
  async now<T>(connectionOrId: Connection | string, endpoint: Endpoint, run: Run<T>): Promise<T> {
    const connection = await this.#read(connectionOrId)
    if (endpoint === "orders") this.#staysQuiet(connection)
    return this.#recorded(this.rows, connection, { endpoint, probe: false, ends: true }, run)
  }

  async #read(connectionOrId: Connection | string): Promise<Connection> {
    return typeof connectionOrId === "string" ? this.connection(connectionOrId) : connectionOrId
  }

  /**
   * For sending products, which keeps a pace of its own and judges by itself when its endpoint is held
   * (`failure-policy.ts`). What is recorded here is a refused token: that concerns everybody.
   */
  async paced<T>(connection: Connection, run: Run<T>): Promise<T> {
    this.clients.leaveToOthers(connection)
    this.#staysQuiet(connection)
    try {
      const result = await this.#tracked(connection, run)
      if (connection.status !== "active") {
        await this.backgroundRows.recordSuccess(connection.id, askedOf(connection), "products")
        // Another call may have been told to wait meanwhile.
        await this.holds.wentWell(connection.id, "products", false)
      }
      return result
    } catch (error) {
      if (error instanceof SvcError && error.failure === "broken") {
        await this.#failed(
          this.backgroundRows,
          connection,
          { endpoint: "products", probe: false, ends: true },
          error,
        )
      }
      throw error
    }
  }

  /**
   * With an address and a token that are kept nowhere: a person is about to enter them.
   *
   * @param baseUrl as `checkServiceUrl` returned it
   */
  async unsaved<T>(baseUrl: string, apiToken: string, run: Run<T>): Promise<T> {
    const client = this.clients.unsaved(baseUrl, apiToken)
    try {
      return await run(client)
    } finally {
      client.close()
    }
  }

  /**
   * Shows on the connection that lookups fail, until one succeeds in whatever process: the one that has seen them fail may be
   * gone. Not for each of a crowd, which would queue for one row.
   *
   * @param error null where a price was answered
   */
  noteLookup(connectionId: string, error: SvcError | null): void {
    if (error?.isHeldBack) return
    const now = performance.now()
    const last = this.#lookups.get(connectionId)
    const { failedAt, wellAt } = last ?? { failedAt: NEVER, wellAt: NEVER }
    const recent = now - LOOKUP_NOTE_MS
    if (error ? failedAt > recent : wellAt > Math.max(failedAt, recent)) return
    this.#lookups.set(connectionId, error ? { failedAt: now, wellAt } : { failedAt, wellAt: now })
    const written = error
      ? this.rows.noteError(
          connectionId,
          reasonFor("lookups_failing", { problem: reasonOf(error).message }),
          "prices",
        )
      : this.rows.endError(connectionId, "prices")
    void written.catch(() => undefined)
  }

  /**
   * The token was refused for a campaign that a browser named. That may be the campaign of somebody else's page, so it
   * proves nothing; a call that names no campaign does, and marks the connection where the token is refused there too.
   */
  checkToken(connectionId: string): void {
    const now = performance.now()
    if ((this.#tokenChecks.get(connectionId) ?? NEVER) > now - TOKEN_CHECK_MS) return
    this.#tokenChecks.set(connectionId, now)
    void this.now(connectionId, "webhooks", (client) => client.listWebhooks()).catch(
      () => undefined,
    )
  }

  /** For a process that ends: resolves when every call that is under way has its answer. None begins that was put off. */
  async ended(): Promise<void> {
    this.clients.close()
    await Promise.allSettled(this.#underWay.keys())
  }

  /** The connections of calls that have no answer yet. */
  get unanswered(): string[] {
    return [...this.#underWay.values()]
  }

  /** Whether only other processes have the connection's declaration, and with it its token. */
  isDeclaredElsewhere(connection: Connection): boolean {
    return this.clients.isDeclaredElsewhere(connection)
  }

  /** @throws SvcError where this store is a copy of another one, or may be one */
  #staysQuiet(connection: Connection): void {
    const backendUrl = this.backendUrl()
    const original = copyOf(connection, backendUrl)
    if (original !== null) throw copyIsQuiet(original, backendUrl)
  }

  async #recorded<T>(
    rows: ConnectionRows,
    connection: Connection,
    call: Call,
    run: Run<T>,
  ): Promise<T> {
    this.clients.leaveToOthers(connection)
    const { endpoint, ends } = call
    try {
      const result = await this.#tracked(connection, run)
      await rows.recordSuccess(connection.id, askedOf(connection), endpoint)
      await this.holds.wentWell(connection.id, endpoint, ends)
      return result
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.failure !== "dead") await this.#failed(rows, connection, call, error)
      else if (error.status !== null) {
        await rows.endError(connection.id, endpoint)
        await this.holds.answered(connection.id, endpoint, call.probe)
      }
      throw error
    }
  }

  async #failed(
    rows: ConnectionRows,
    connection: Connection,
    call: Call,
    error: SvcError,
  ): Promise<void> {
    if (error.stoodStill) return
    await rows.recordFailure(connection.id, {
      endpoint: call.endpoint,
      // An endpoint that is not open to us says nothing about the connection: its hold has the reason.
      reason: error.failure === "endpoint" ? null : reasonOfCall(call.endpoint, error),
      refused: error.failure === "broken",
      asked: askedOf(connection),
      hold: (on) => this.holds.failed(on, { connectionId: connection.id, ...call }, error),
    })
  }

  #tracked<T>(connection: Connection, run: Run<T>): Promise<T> {
    const tracked = run(this.clients.of(connection)).finally(() => this.#underWay.delete(tracked))
    this.#underWay.set(tracked, connection.id)
    return tracked
  }
}
