import { type ClientRequestArgs, Agent as HttpAgent, request } from "node:http"
import { Agent as HttpsAgent, type RequestOptions } from "node:https"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type ConnectionOptions, connect as connectTls } from "node:tls"

/** Code of the error where the proxy does not let us through. */
export const PROXY_REFUSED = "ERR_PROXY_REFUSED"

/** How long a proxy may take to reach the service, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * The proxy that calls to an address go through, or null.
 *
 * @param proxyUrl the option; wins over the environment, and is for `http:` addresses too
 * @param env `HTTPS_PROXY` (or `https_proxy`) for `https:` addresses, and `NO_PROXY`: names, `.endings`, `name:port` or `*`
 */
export function proxyFor(
  address: string,
  proxyUrl: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): URL | null {
  const { hostname, port, protocol } = new URL(address)
  const fromEnvironment = protocol === "https:" ? env.HTTPS_PROXY || env.https_proxy : undefined
  const proxy = proxyUrl ?? fromEnvironment
  if (!proxy || !URL.canParse(proxy)) return null
  const host = hostname.toLowerCase()
  const asPort = port || (protocol === "https:" ? "443" : "80")
  const isExempt = (env.NO_PROXY || env.no_proxy || "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true
      const [, name = entry, onPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (onPort && onPort !== asPort) return false
      const ending = name.replace(/^\*?\.?/, "")
      return host === ending || host.endsWith(`.${ending}`)
    })
  return isExempt ? null : new URL(proxy)
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
  const asking = request({
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || 80,
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

/** Agents whose connections go through a proxy. */
export function proxyAgents(
  proxy: URL,
  options: SocketOptions,
): { http: HttpAgent; https: HttpsAgent } {
  /** @param secure what becomes of the tunnel's socket */
  const open = (target: Target, done: Done | undefined, secure: (socket: Socket) => Duplex) => {
    openTunnel(proxy, target, (opened) => {
      if ("socket" in opened) done?.(null, secure(opened.socket))
      else (done as ((error: Error) => void) | undefined)?.(opened.error)
    })
    return undefined
  }
  class Http extends HttpAgent {
    override createConnection(target: ClientRequestArgs, done?: Done): undefined {
      return open(target, done, (socket) => socket)
    }
  }
  class Https extends HttpsAgent {
    override createConnection(target: RequestOptions, done?: Done): undefined {
      // Node has set the name that the certificate must be for (`servername`).
      return open(target, done, (socket) =>
        connectTls({ ...(target as ConnectionOptions), host: undefined, port: undefined, socket }),
      )
    }
  }
  return { http: new Http(options), https: new Https(options) }
}
