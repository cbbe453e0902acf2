import { isNeighbour, SvcError } from "../../../client"
import type { Connection } from "../models"
import { reasonFor } from "./reason"

/** The host, with its port, of an address; null where it is none. */
export const hostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : null

/**
 * By which host a connection says which store it is connected by; null where the store has no public one. A store on a
 * private address is nobody's shop yet: one that is being developed may change its port, and goes live at another address.
 */
export const storeHostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) && isNeighbour(new URL(url).hostname) ? null : hostOf(url)

/**
 * Of which store this one is a copy, by a connection; null where it is the store itself, or the connection has never had
 * a public address. A dump that is restored elsewhere has the token of the store that it was taken of: it would report that
 * store's orders, and send its own catalog over that store's. So it calls nobody by itself until a person says that it is
 * the store, by entering the token again or by taking the webhook over. One that was not told its own address may be such
 * a dump, and is as quiet.
 */
export const copyOf = (
  { store_host }: Pick<Connection, "store_host">,
  backendUrl: string | undefined,
): string | null => (hostOf(backendUrl) === store_host ? null : store_host)

/** How long work waits before it looks again whether a person has said that this is the store. */
const LOOK_AGAIN_MS = 60_000

/** Like a held connection: what is due stays due. */
export const copyIsQuiet = (original: string, backendUrl: string | undefined): SvcError => {
  const code = backendUrl === undefined ? "store_address_missing" : "copy_of_another_store"
  const params = { original }
  return new SvcError({
    code,
    failure: "retry",
    message: reasonFor(code, params).message,
    params,
    notCarriedOut: true,
    retryAfterMs: LOOK_AGAIN_MS,
  })
}
