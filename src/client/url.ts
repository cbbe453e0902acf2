import { lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

type UrlProblem = { code: "invalid_url" | "insecure_url"; message: string }

/** An IPv4 address as the last four bytes of an IPv6 one: long given up, and still understood. The library knows it not. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR("::/96")

/** Names that only a local resolver knows: a single label, and the endings reserved for private use. */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/

/**
 * Whether a host is in the store's own network, where nobody must be able to make the store send requests: any address
 * that is not of the public internet (private, loopback, link-local, shared, tunnels such as Teredo, discard, reserved).
 *
 * @param host as a parsed URL has it: lower case, and every spelling of an IPv4 address as four decimals
 */
export function isNeighbour(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  if (!ipaddr.isValid(bare)) return LOCAL_NAME.test(bare)
  // `process` reads an IPv4 address that is mapped into IPv6; every other way to wrap one has a range of its own.
  const address = ipaddr.process(bare)
  if (address.range() !== "unicast") return true
  return address.kind() === "ipv6" && address.match(IPV4_COMPATIBLE)
}

/** Code of the error of `publicLookup`. */
export const PRIVATE_ADDRESS = "ERR_PRIVATE_ADDRESS"

/**
 * Resolves a name for a connection, and fails where it leads into the store's own network: a public name can be
 * pointed there at any time after its address was checked.
 */
export const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, options, (error, found, family) => {
    const addresses = [found].flat().map((one) => (typeof one === "string" ? one : one?.address))
    const neighbour = addresses.some((address) => address !== undefined && isNeighbour(address))
    const refused = error ?? (neighbour ? privateAddress(hostname) : null)
    done(refused, found, family)
  })

const privateAddress = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} is in a private network`), { code: PRIVATE_ADDRESS })

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
  // "host." is "host": one service must not be connected under two names.
  url.hostname = url.hostname.replace(/\.$/, "")
  if (url.username || url.password || url.search || url.hash) {
    return refuse("invalid_url", "The service address must have no user, query or fragment.")
  }
  if (!allowInsecure) {
    if (url.protocol !== "https:") {
      return refuse(
        "insecure_url",
        "The service address must start with https://. For development, set SVC_ALLOW_INSECURE_URLS=true and restart the store.",
      )
    }
    if (isNeighbour(url.hostname)) {
      return refuse(
        "insecure_url",
        "The service address points into a private network. For development, set SVC_ALLOW_INSECURE_URLS=true and restart the store.",
      )
    }
  }
  return { ok: true, url: `${url.origin}${withoutLastSlashes(url.pathname)}` }
}

/** Without slashes at the end. Not by a pattern, which takes minutes for a long row of slashes. */
export function withoutLastSlashes(address: string): string {
  let end = address.length
  while (end > 0 && address[end - 1] === "/") end -= 1
  return address.slice(0, end)
}
