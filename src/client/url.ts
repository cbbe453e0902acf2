import { isIP } from "node:net"

export type UrlProblem = { code: "invalid_url" | "insecure_url"; message: string }

const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^127\./.test(host) || host === "[::1]"

/** Addresses of a private or special network: the store must not be talked into calling its own neighbours. */
const isPrivate = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase()
  if (isIP(bare) === 4) {
    return /^(0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      bare,
    )
  }
  if (isIP(bare) === 6) return /^(::|::1|f[cd]|fe[89ab]|::ffff:)/.test(bare)
  return false
}

/**
 * Checks the address of a service before a token is ever sent to it.
 *
 * @param allowInsecure accept `http:` and loopback, for development (option `allowInsecureUrls`)
 * @returns the normalised address without a trailing slash, or what is wrong with it
 */
export function checkServiceUrl(
  input: string,
  allowInsecure: boolean,
): { ok: true; url: string } | { ok: false; problem: UrlProblem } {
  const refuse = (code: UrlProblem["code"], message: string) => ({
    ok: false as const,
    problem: { code, message },
  })
  let url: URL
  try {
    url = new URL(input)
  } catch {
    return refuse("invalid_url", "The service address is not a URL. Write it as https://host/path.")
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse("invalid_url", "The service address must start with https://.")
  }
  if (url.username || url.password || url.search || url.hash) {
    return refuse("invalid_url", "The service address must have no user, query or fragment.")
  }
  if (!allowInsecure) {
    if (url.protocol !== "https:") {
      return refuse(
        "insecure_url",
        "The service address must start with https://. For development, set SVC_ALLOW_INSECURE_URLS=true.",
      )
    }
    if (isLoopback(url.hostname) || isPrivate(url.hostname)) {
      return refuse(
        "insecure_url",
        "The service address points into a private network. For development, set SVC_ALLOW_INSECURE_URLS=true.",
      )
    }
  }
  return { ok: true, url: `${url.origin}${url.pathname.replace(/\/+$/, "")}` }
}
