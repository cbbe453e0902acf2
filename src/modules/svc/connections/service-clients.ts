import type { Logger } from "@medusajs/framework/types"
import { checkServiceUrl, SvcClient, SvcError } from "../../../client"
import { readPriceBy } from "../../../contract"
import { LOOKUPS } from "../cart/lookup/price-lookup"
import type { Connection } from "../models"
import { messageOf } from "../shared/error-message"
import { UNDECLARED } from "./connection-state"
import { declarationOf } from "./declared-connections"
import type { Keyring, SecretPlace } from "./secrets"

/** Where the token of a connection stands. */
export const tokenPlace = (id: string): SecretPlace => ({
  table: "svc_connection",
  id,
  column: "api_token",
})

/** When work that another process has to do is due again. */
const ELSEWHERE_MS = 60_000

type ClientOptions = ConstructorParameters<typeof SvcClient>[0]

/** Of the plugin's options, what decides how the service is called. */
export type CallOptions = {
  allowInsecureUrls: boolean
  readCampaignPrice?: Parameters<typeof readPriceBy>[0] | undefined
  connections: { pageUid: string; baseUrl: string; apiToken: string }[]
}

/**
 * The HTTP clients of a process: one for each connection, made anew when its address or its token changes. They hold
 * keep-alive sockets. Only a cache.
 */
export class ServiceClients {
  readonly #made = new Map<string, { version: string; client: SvcClient }>()

  constructor(
    private readonly options: CallOptions,
    private readonly keyring: Keyring,
    private readonly logger: Logger,
  ) {}

  /** @throws SvcError where its address may not be called any more, or its token cannot be read */
  of(connection: Connection): SvcClient {
    return this.#madeOnce(connection.id, connection, this.#reader())
  }

  /**
   * The client of price lookups: with connections of its own, so that a crowd of shoppers takes none from the catalog and
   * the orders.
   *
   * @param version of the connection's address and token
   * @param read the connection, where its address or token is another than that of the client we have
   */
  async forLookups(
    connectionId: string,
    version: string,
    read: () => Promise<Connection>,
  ): Promise<SvcClient> {
    const key = `lookup ${connectionId}`
    const known = this.#made.get(key)
    if (known?.version === version) return known.client
    const connection = await read()
    this.leaveToOthers(connection)
    return this.#madeOnce(key, connection, {
      maxSockets: LOOKUPS.concurrency,
      ...this.#reader(),
    })
  }

  /** How the store reads a looked-up price, where it says so itself. */
  #reader(): Partial<ClientOptions> {
    const { readCampaignPrice } = this.options
    return readCampaignPrice ? { readPrice: readPriceBy(readCampaignPrice) } : {}
  }

  /** Whether only other processes have the connection's declaration, and with it its token. */
  isDeclaredElsewhere(connection: Connection): boolean {
    return (
      connection.managed_by === "environment" &&
      !declarationOf(connection, this.options.connections)
    )
  }

  /** That we have no token says nothing about the connection: nothing is recorded, and the work waits for the others. */
  leaveToOthers(connection: Connection): void {
    if (!this.isDeclaredElsewhere(connection)) return
    throw new SvcError({
      code: "svc_paused",
      failure: "retry",
      message:
        "The connection is declared in another process's medusa-config.ts, not in this one's.",
      notCarriedOut: true,
      retryAfterMs: ELSEWHERE_MS,
    })
  }

  /** For a process that ends. */
  close(): void {
    for (const { client } of this.#made.values()) client.close()
    this.#made.clear()
  }

  /** A client for an address and a token that are kept nowhere. Whoever takes it closes it. */
  unsaved(baseUrl: string, apiToken: string): SvcClient {
    return this.#make({ baseUrl, apiToken })
  }

  #madeOnce(key: string, connection: Connection, options: Partial<ClientOptions>): SvcClient {
    const version = [connection.base_url, connection.api_token_fingerprint]
      .filter(Boolean)
      .join(" ")
    const known = this.#made.get(key)
    if (known?.version === version) return known.client
    // The address was saved when another value of `allowInsecureUrls`, or an earlier version, let it pass.
    const address = checkServiceUrl(connection.base_url, this.options.allowInsecureUrls)
    if (!address.ok) {
      throw new SvcError({
        code: "svc_insecure",
        failure: "broken",
        message: address.problem.message,
      })
    }
    const client = this.#make({
      baseUrl: connection.base_url,
      apiToken: this.#tokenOf(connection),
      onCall: (call) =>
        this.logger.debug(`svc: call ${JSON.stringify({ connection_id: connection.id, ...call })}`),
      ...options,
    })
    known?.client.close()
    this.#made.set(key, { version, client })
    return client
  }

  #make(options: ClientOptions): SvcClient {
    return new SvcClient({ allowInsecure: this.options.allowInsecureUrls, ...options })
  }

  #tokenOf(connection: Connection): string {
    // A declared token is read from the options: it needs no copy in the database.
    const declared = declarationOf(connection, this.options.connections)
    if (declared) return declared.apiToken
    if (!connection.api_token) {
      const { code, message } = UNDECLARED
      throw new SvcError({ code, failure: "broken", message })
    }
    try {
      return this.keyring.decrypt(connection.api_token, tokenPlace(connection.id))
    } catch (error) {
      // The same effect as one that the service refuses: work waits for a person.
      throw new SvcError({
        code: "secret_unreadable",
        failure: "broken",
        message: messageOf(error),
      })
    }
  }
}
