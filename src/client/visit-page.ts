import axios from "axios"
import { agentsFor } from "./proxy"
import { isNeighbour, PRIVATE_ADDRESS } from "./url"

const TIMEOUT_MS = 8_000
const MAX_REDIRECTS = 5

/** What came of opening a page as a shopper would. `problem` is the network's own word, such as `ECONNREFUSED`. */
export type Visit =
  | { kind: "opened" }
  | { kind: "refused"; status: number }
  | { kind: "unreachable"; problem: string }
  | { kind: "private" }

/**
 * Opens a page and says whether it is there. Follows redirects and keeps the page's cookies meanwhile, as a browser does: a
 * storefront that knows a shopper's country by a cookie redirects until it is sent. Sends nothing of the store's, and reads
 * no more of the page than its headers.
 *
 * @param allowInsecure whether the address may lead into a private network (option `allowInsecureUrls`)
 */
export async function visitPage(address: string, allowInsecure: boolean): Promise<Visit> {
  let url = address
  const cookies = new Map<string, Map<string, string>>()
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (!allowInsecure && isNeighbour(new URL(url).hostname)) return { kind: "private" }
      const { host } = new URL(url)
      const kept = cookies.get(host) ?? new Map<string, string>()
      const agents = agentsFor(url, { allowInsecure })
      const { status, headers, data } = await axios.get(url, {
        timeout: TIMEOUT_MS,
        maxRedirects: 0,
        proxy: false,
        responseType: "stream",
        httpAgent: agents.http,
        httpsAgent: agents.https,
        validateStatus: () => true,
        headers: {
          Accept: "text/html",
          "User-Agent": "medusa-plugin-svc",
          ...(kept.size > 0 ? { Cookie: [...kept].map((pair) => pair.join("=")).join("; ") } : {}),
        },
      })
      for (const [, name = "", value = ""] of (headers["set-cookie"] ?? []).flatMap((cookie) => [
        ...cookie.matchAll(/^([^=;\s]+)=([^;]*)/g),
      ])) {
        kept.set(name, value)
      }
      cookies.set(host, kept)
      data.destroy()
      if (status >= 200 && status < 300) return { kind: "opened" }
      if (status < 300 || status >= 400 || typeof headers.location !== "string") {
        return { kind: "refused", status }
      }
      url = new URL(headers.location, url).href
    }
    return { kind: "unreachable", problem: "ERR_TOO_MANY_REDIRECTS" }
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined
    if (code === PRIVATE_ADDRESS) return { kind: "private" }
    return { kind: "unreachable", problem: typeof code === "string" ? code : "ERR_UNKNOWN" }
  }
}
