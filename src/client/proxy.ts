import { type AgentOptions, Agent as HttpAgent, request } from "node:http"
import { Agent as HttpsAgent, type RequestOptions, request as requestTls } from "node:https"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type ConnectionOptions, connect as connectTls } from "node:tls"
import { publicLookup } from "./url"

/** Code of the error where the proxy does not let us through. */
export const PROXY_REFUSED = "ERR_PROXY_REFUSED"
/** Code of the error where nobody can tell which proxy is meant. */
export const PROXY_UNREADABLE = "ERR_PROXY_UNREADABLE"

/** How long a proxy may take to reach the service, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000
/**
 * A connection that nothing is asked by for so long is closed, before a load balancer does it in the middle of a call. Only
 * with a limit of its own does Node heed the one that the other side names. Longer than any call.
 */
const IDLE_MS = 30_000

/**
 * The proxy that the environment's `HTTPS_PROXY` (or `https_proxy`) names, or null. `proxy:3128` is `http://proxy:3128`; an
 * `https:` proxy is spoken to over TLS. An error where it cannot be read, which does not repeat it: it may have a password.
 */
export function readProxy(env = process.env): URL | Error | null {
  const given = (env.HTTPS_PROXY || env.https_proxy)?.trim()
  if (!given) return null
  try {
    const proxy = new URL(given.includes("://") ? given : `http://${given}`)
    // Throws where a percent sign in the password is not written as %25.
    decodeURIComponent(`${proxy.username}:${proxy.password}`)
    if (proxy.protocol === "http:" || proxy.protocol === "https:") return proxy
  } catch {
    // Said below.
  }
  const message =
    "HTTPS_PROXY is not the address of an http or https proxy, as http://proxy:3128 is"
  return Object.assign(new Error(message), { code: PROXY_UNREADABLE })
}

/**
 * The proxy that calls to an address go through, or null: that of `readProxy` for `https:` addresses, unless `NO_PROXY` names
 * them: names, `.endings`, `name:port` or `*`. Where it cannot be read they fail: nobody goes past a proxy that was set.
 */
export function proxyFor(address: string, env = process.env): URL | Error | null {
  const { hostname, port, protocol } = new URL(address)
  if (protocol !== "https:") return null
  const host = hostname.toLowerCase()
  const isExempt = (env.NO_PROXY || env.no_proxy || "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true
      const [, name = entry, onPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (onPort && onPort !== (port || "443")) return false
      const ending = name.replace(/^\*?\.?/, "")
      return host === ending || host.endsWith(`.${ending}`)
    })
  return isExempt ? null : readProxy(env)
}

/**
 * The sockets that calls to an address go out by: the only way to the outside. Behind a proxy names are resolved there,
 * and it decides where it connects to.
 *
 * @param allowInsecure whether the address may lead into a private network (option `allowInsecureUrls`)
 */
export function agentsFor(
  address: string,
  options: { allowInsecure: boolean } & Partial<SocketOptions>,
): { http: HttpAgent; https: HttpsAgent } {
  const { allowInsecure, ...given } = options
  const sockets = { ...given, timeout: IDLE_MS }
  const guarded = { ...sockets, ...(allowInsecure ? {} : { lookup: publicLookup }) }
  const proxy = proxyFor(address)
  return {
    http: new HttpAgent(guarded),
    https: proxy ? proxyAgent(proxy, sockets) : new HttpsAgent(guarded),
  }
}

type Target = { host?: string | null; port?: number | string | null }
/** Node's own, which is called with the error alone where there is one. */
type Done = (error: Error | null, socket: Duplex) => void
type Opened = { error: Error } | { socket: Socket }

/**
 * Opens a tunnel by CONNECT. The proxy sees the service's name, and for `https:` neither the token nor what is said.
 */
function openTunnel(proxy: URL, target: Target, done: (opened: Opened) => void): void {
  const host = target.host ?? ""
  const place = `${host.includes(":") ? `[${host}]` : host}:${target.port ?? 443}`
  const { username, password } = proxy
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const refused = (why: string) =>
    Object.assign(new Error(`The proxy did not connect us: ${why}`), { code: PROXY_REFUSED })
  const isSecure = proxy.protocol === "https:"
  const asking = (isSecure ? requestTls : request)({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (isSecure ? 443 : 80),
    method: "CONNECT",
    path: place,
    agent: false,
    timeout: CONNECT_TIMEOUT_MS,
    headers: {
      host: place,
      ...(username
        ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }
        : {}),
    },
  })
  asking.once("connect", (answer, socket: Socket) => {
    if (answer.statusCode === 200) return done({ socket })
    socket.destroy()
    done({ error: refused(`it answered ${answer.statusCode}`) })
  })
  asking.once("timeout", () => asking.destroy(refused("it took too long")))
  asking.once("error", (error: NodeJS.ErrnoException) =>
    done({ error: error.code === PROXY_REFUSED ? error : refused(error.code ?? "no connection") }),
  )
  asking.end()
}

type SocketOptions = { keepAlive: boolean; maxSockets: number }

/** An agent whose connections go through a proxy, or fail where it cannot be read. */
function proxyAgent(proxy: URL | Error, options: AgentOptions): HttpsAgent {
  class Https extends HttpsAgent {
    override createConnection(target: RequestOptions, done?: Done): undefined {
      const failed = done as ((error: Error) => void) | undefined
      if (proxy instanceof Error) return void failed?.(proxy)
      openTunnel(proxy, target, (opened) => {
        if ("error" in opened) failed?.(opened.error)
        // The certificate must be for the service's name (`servername`, which Node has set) or its IP address (`host`).
        else done?.(null, connectTls({ ...(target as ConnectionOptions), ...opened }))
      })
      return undefined
    }
  }
  return new Https(options)
}
