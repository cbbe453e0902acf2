import { type SvcClient, SvcError } from "../../../client"
import { isTokenRefused } from "../catalog/failure-policy"
import type { Connection } from "../models"
import { reasonOf } from "../shared/reason"
import { admit, afterFailedCall, PROBE_MS } from "./breaker"
import { askedOf, type ConnectionRows } from "./connection-rows"
import { connectionState } from "./connection-state"
import { type ServiceClients, tokenProblem } from "./service-clients"
import { tokenVerdict } from "./token-verdict"

const TOKEN_CHECK_MS = 60_000

type Run<T> = (client: SvcClient) => Promise<T>

/**
 * Every call of the service passes here: it gets the connection's client, and what comes of it is recorded on the
 * connection. Which method a caller takes depends on who waits: nobody (`inBackground`), a person or a shopper (`now`), or a
 * worker that keeps a pace of its own (`paced`).
 */
export class ServiceCalls {
  /** Calls that have no answer yet. */
  readonly #underWay = new Set<Promise<unknown>>()
  /** When each connection's token was last checked because a lookup was refused. */
  readonly #tokenChecks = new Map<string, number>()

  /**
   * @param connection reads a connection; throws SvcRefusal `connection_not_found`
   * @param rows for calls that somebody waits for, and for reports
   * @param backgroundRows for the catalog, on the pool of background work
   */
  constructor(
    private readonly clients: ServiceClients,
    private readonly connection: (id: string) => Promise<Connection>,
    private readonly rows: ConnectionRows,
    private readonly backgroundRows: ConnectionRows,
  ) {}

  /** For background work: asks the breaker first, and records how the call went. */
  async inBackground<T>(connectionId: string, run: Run<T>): Promise<T> {
    const connection = await this.connection(connectionId)
    await this.#passBreaker(connection)
    return this.#recorded(connection, run)
  }

  /** While somebody waits: without the breaker, because the caller brings a short timeout. */
  async now<T>(connectionOrId: Connection | string, run: Run<T>): Promise<T> {
    const connection =
      typeof connectionOrId === "string" ? await this.connection(connectionOrId) : connectionOrId
    return this.#recorded(connection, run)
  }

  /**
   * For background work that keeps a pace and a hold of its own. The breaker is not asked, and learns of a refused token
   * only: that concerns everybody, while products that the service does not take say nothing about the reports of orders.
   */
  async paced<T>(connection: Connection, run: Run<T>): Promise<T> {
    try {
      const result = await this.#tracked(run(this.clients.of(connection)))
      if (connectionState(connection) !== "connected") {
        await this.backgroundRows.recordSuccess(connection.id, askedOf(connection))
      }
      return result
    } catch (error) {
      if (error instanceof SvcError && isTokenRefused(error)) {
        await failed(this.backgroundRows, connection, error, true)
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

  /** Shows on the connection that lookups fail. Once for each row of failures: a crowd would queue for one row. */
  noteLookupFailure(connectionId: string, error: SvcError): void {
    void this.rows.noteError(connectionId, reasonOf(error)).catch(() => undefined)
  }

  /**
   * The token was refused for a campaign that a browser named. That may be the campaign of somebody else's page, so it
   * proves nothing; a call that names no campaign does, and marks the connection where the token is refused there too.
   */
  checkToken(connectionId: string): void {
    const now = Date.now()
    if ((this.#tokenChecks.get(connectionId) ?? 0) > now - TOKEN_CHECK_MS) return
    this.#tokenChecks.set(connectionId, now)
    void this.now(connectionId, (client) => client.listWebhooks()).catch(() => undefined)
  }

  /** Resolves when every call that is under way has its answer. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  async #passBreaker(connection: Connection): Promise<void> {
    const openUntil = connection.breaker_open_until
    const verdict = admit(
      { failures: connection.breaker_failures, openUntil: openUntil?.getTime() ?? null },
      Date.now(),
    )
    if (verdict === "call") return
    if (verdict === "probe" && openUntil) {
      if (await this.rows.takeProbe(connection.id, openUntil, PROBE_MS)) return
    }
    // The breaker is open because of a refused token, so work has to wait for a person, as if it had met the refusal
    // itself: it must never be given up.
    if (connection.status === "broken") {
      throw tokenProblem(
        "The service refused the API token. We hold back calls until it is replaced.",
      )
    }
    throw new SvcError({
      code: "svc_paused",
      failure: "retry",
      message: "We hold back calls for a moment after several failures in a row.",
      notCarriedOut: true,
      retryAfterMs: verdict === "probe" ? PROBE_MS : verdict.waitMs,
    })
  }

  async #recorded<T>(connection: Connection, run: Run<T>): Promise<T> {
    try {
      const result = await this.#tracked(run(this.clients.of(connection)))
      await this.rows.recordSuccess(connection.id, askedOf(connection))
      return result
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      if (error.failure !== "dead") {
        await failed(this.rows, connection, error, tokenVerdict(error) === "refused")
      } else if (error.status !== null) {
        await this.rows.recordAnswer(connection.id, askedOf(connection))
      }
      throw error
    }
  }

  #tracked<T>(call: Promise<T>): Promise<T> {
    const tracked = call.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
    return tracked
  }
}

const failed = (
  rows: ConnectionRows,
  connection: Connection,
  error: SvcError,
  broken: boolean,
): Promise<void> =>
  rows.recordFailure(connection.id, {
    after: (breaker) => afterFailedCall(breaker, error, Date.now()),
    broken,
    asked: askedOf(connection),
    reason: reasonOf(error),
  })
