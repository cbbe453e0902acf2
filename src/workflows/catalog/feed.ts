import { createHash } from "node:crypto"
import type { MedusaContainer } from "@medusajs/framework/types"
import { z } from "zod"
import { withoutLastSlashes } from "../../client"
import { assertManagedHere, currencyDigits, refusalOf, SVC_MODULE } from "../../modules/svc"
import {
  FEED_END,
  feedHead,
  feedItems,
  feedTokenHash,
  makeFeedToken,
  opensFeed,
} from "../../modules/svc/catalog"
import { readMarket } from "./read-market"

const PAGE = 500

/** Body of `POST /admin/svc/connections/:id/feed`. */
export const openFeedInput = z.strictObject({
  /** Of a feed that is open: ends the password that is in use. */
  replace: z.boolean().default(false),
})

/**
 * Opens the feed under a new token. Of one that is open, this closes it to the token before, so it has to be said: whoever
 * took it for closed would lock out the reader that has the token.
 *
 * @returns its address, and the token as a password; it is shown this once, because only its hash is kept
 * @throws SvcRefusal `connection_not_found`, `connection_read_only`, `feed_open`, `backend_url_missing`
 */
export async function openFeed(
  container: MedusaContainer,
  connectionId: string,
  { replace }: z.infer<typeof openFeedInput>,
): Promise<{ url: string; username: string; password: string; created_at: Date }> {
  const svc = container.resolve(SVC_MODULE)
  assertManagedHere(await svc.connection(connectionId))
  if (!svc.options.backendUrl) throw refusalOf("backend_url_missing")
  const token = makeFeedToken()
  const created_at = new Date()
  const columns = { feed_token_hash: feedTokenHash(token), feed_token_created_at: created_at }
  if (!(await svc.connections.rows.openFeed(connectionId, columns, replace)))
    throw refusalOf("feed_open")
  const base = withoutLastSlashes(svc.options.backendUrl)
  const url = `${base}/hooks/svc/${connectionId}/feed.xml`
  return { url, username: "feed", password: token, created_at }
}

/** @throws SvcRefusal `connection_not_found`, `connection_read_only` */
export async function closeFeed(container: MedusaContainer, connectionId: string): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  assertManagedHere(await svc.connection(connectionId))
  await svc.updateSvcConnections({
    id: connectionId,
    feed_token_hash: null,
    feed_token_created_at: null,
  })
}

/** A feed as it is now: what it is a version of, and its text, a page at a time. */
export type Feed = { etag: string; pages: () => AsyncGenerator<string> }

/** Null where there is no such connection, its feed is off, or the token is not its: whoever asks learns no more. */
export async function readFeed(
  container: MedusaContainer,
  connectionId: string,
  token: string,
): Promise<Feed | null> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connections.background.find(connectionId)
  if (!connection || !opensFeed(token, connection.feed_token_hash)) return null
  const [version, market] = await Promise.all([
    svc.catalog.items.versionOf(connectionId),
    readMarket(container, connection),
  ])
  const inCurrency = (currencyCode: string) => ({
    title: connection.name,
    link: connection.storefront_url,
    currencyCode,
    digits: currencyDigits(currencyCode),
  })
  const channel = inCurrency(market.currency_code)
  const head = feedHead(channel)
  const etag = createHash("sha256")
    .update(JSON.stringify([version, channel, connection.feed_token_hash]))
    .digest("base64url")
    .slice(0, 22)

  async function* pages(): AsyncGenerator<string> {
    yield head
    let after: string | null = ""
    while (after !== null) {
      const page: Awaited<ReturnType<typeof svc.catalog.items.acceptedAfter>> =
        await svc.catalog.items.acceptedAfter(connectionId, after, PAGE)
      const text = page
        // The currency of the market may have changed since, and this product not been compared yet.
        .map(({ payload, currency }) =>
          feedItems(payload, currency ? inCurrency(currency) : channel),
        )
        .join("")
      if (text) yield text
      after = page.length === PAGE ? (page.at(-1)?.product_id ?? null) : null
    }
    yield FEED_END
  }
  return { etag: `W/"${etag}"`, pages }
}
