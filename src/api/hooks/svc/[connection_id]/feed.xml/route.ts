import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readFeed } from "../../../../../workflows/catalog"
import { basicPassword } from "../../hide-token"

/**
 * `GET /hooks/svc/:connection_id/feed.xml` → RSS 2.0, streamed, with an ETag, in gzip where the reader takes it. The token is
 * the password of HTTP Basic; a reader that has no such setting sends it as `?token=`, which logs on the way may keep. 401
 * without a token; 404 for a connection that does not exist, a feed that is off and a wrong token alike.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const token = basicPassword(req.headers.authorization)
  if (token === null) {
    // Many readers send a password only once they are asked for it.
    res
      .setHeader("WWW-Authenticate", 'Basic realm="svc feed", charset="UTF-8"')
      .status(401)
      .json({ type: "unauthorized", code: "unauthorized", message: "Send the feed's password." })
    return
  }
  const feed = await readFeed(req.scope, req.params.connection_id ?? "", token)
  if (!feed) {
    res
      .status(404)
      .json({ type: "not_found", code: "not_found", message: "There is no such feed." })
    return
  }
  res.setHeader("ETag", feed.etag)
  res.setHeader("Cache-Control", "private, no-cache")
  res.setHeader("Vary", "Accept-Encoding")
  if (knows(req.headers["if-none-match"], feed.etag)) {
    res.status(304).end()
    return
  }
  res.setHeader("Content-Type", "application/rss+xml; charset=utf-8")
  const text = Readable.from(feed.pages())
  try {
    if (
      /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(req.headers["accept-encoding"] ?? ""))
    ) {
      res.setHeader("Content-Encoding", "gzip")
      await pipeline(text, createGzip(), res)
    } else {
      await pipeline(text, res)
    }
  } catch {
    // The reader went away, or the store's database did: a feed that is cut off is no XML, and is read again.
    res.destroy()
  }
}

const knows = (asked: string | undefined, etag: string): boolean =>
  asked !== undefined &&
  (asked.trim() === "*" || asked.split(",").some((one) => one.trim() === etag))
