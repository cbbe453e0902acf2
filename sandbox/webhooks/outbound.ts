/**
 * One HTTP request to a receiver, over a real socket, sound or spoilt.
 *
 * Redirects are not followed; connections are kept alive. How long it may take is the caller's
 * business: it calls `timeOut`, because the 10 s (interface §6.6) run on the sandbox's clock.
 */

import http from "node:http"
import https from "node:https"
import net from "node:net"
import tls from "node:tls"
import { urlToHttpOptions } from "node:url"
import { type Fault, garbageBytes } from "../simulation/faults"

export type OutboundRequest = {
  url: URL
  headers: [string, string][]
  body: Buffer
  fault: Fault | null
}

export type OutboundResult = {
  /** null where no answer came. */
  status: number | null
  headers: Record<string, string>
  body: Buffer
  error: string | null
  /** What was written to the socket. */
  sent: { headers: [string, string][]; body: Buffer }
}
type Outcome = Omit<OutboundResult, "sent">

export type Flight = { done: Promise<OutboundResult>; timeOut(): void }

/** Enough to see what a receiver said; the rest is not read. */
const EXCERPT_BYTES = 4096
const MAX_ANSWER_BYTES = 1024 * 1024
export const SOCKETS_PER_HOST = 64
/** Only with a timeout of its own does Node heed how long the receiver keeps a connection on which nothing comes. */
const SOCKETS = { keepAlive: true, maxSockets: SOCKETS_PER_HOST, timeout: 60_000 }

const TIMEOUT = "timeout: no complete answer within 10 seconds"

export class Outbound {
  private readonly http = new http.Agent(SOCKETS)
  private readonly https = new https.Agent(SOCKETS)

  send(request: OutboundRequest): Flight {
    switch (request.fault?.kind) {
      case "hang":
      case "reset":
        return this.raw(request)
      case "refuse":
        return this.nowhere(request)
      case "status":
        return request.fault.after ? this.ask(request) : answeredWith(request.fault)
      default:
        return this.ask(request)
    }
  }

  close(): void {
    this.http.destroy()
    this.https.destroy()
  }

  private ask({ url, headers, body, fault }: OutboundRequest): Flight {
    const secure = url.protocol === "https:"
    const whole = spoiltBody(body, fault)
    const asSent = spoiltHeaders(headers, whole.length, fault)
    // As pairs in their order: custom headers come after the service's own (interface §6.5).
    const request = (secure ? https : http).request({
      ...urlToHttpOptions(url),
      method: "POST",
      agent: secure ? this.https : this.http,
      headers: onTheWire(asSent).flat(),
    })
    let connected = false
    request.on("socket", (socket) => {
      if (!socket.connecting) connected = true
      else socket.once(secure ? "secureConnect" : "connect", () => (connected = true))
    })
    let written = 0
    const sent = () =>
      connected
        ? { headers: asSent, body: written === whole.length ? whole : whole.subarray(0, written) }
        : { headers: [], body: Buffer.alloc(0) }
    const outcome = new Promise<Outcome>((resolve) => {
      const fail = (error: Error) => resolve(failure(describe(error)))
      request.on("error", fail)
      // 101 is an answer too, and one after which Node says nothing more about the request.
      request.on("upgrade", (response, socket) => {
        socket.destroy()
        resolve(answer(response, Buffer.alloc(0), fault))
      })
      request.on("response", (response) => {
        const chunks: Buffer[] = []
        let size = 0
        const finish = () => resolve(answer(response, Buffer.concat(chunks), fault))
        response.on("data", (chunk: Buffer) => {
          size += chunk.length
          if (size <= EXCERPT_BYTES + chunk.length) chunks.push(chunk)
          if (size > MAX_ANSWER_BYTES) {
            finish()
            response.destroy()
          }
        })
        response.on("end", finish)
        response.on("error", fail)
      })
    })
    void write(request, whole, fault, (bytes) => {
      written = bytes
    })
    const done = outcome.then((result) => ({ ...result, sent: sent() }))
    return { done, timeOut: () => request.destroy(new Error(TIMEOUT)) }
  }

  /** A connection on which nothing, or only the headers, is sent. */
  private raw({ url, headers, fault }: OutboundRequest): Flight {
    const secure = url.protocol === "https:"
    const port = Number(url.port || (secure ? 443 : 80))
    const host = url.hostname.replace(/^\[|\]$/g, "")
    const socket = secure
      ? tls.connect({ host, port, servername: net.isIP(host) ? undefined : host })
      : net.connect({ host, port })
    const sent: OutboundResult["sent"] = { headers: [], body: Buffer.alloc(0) }
    const done = new Promise<OutboundResult>((resolve) => {
      socket.on("error", (error) => resolve({ ...failure(describe(error)), sent }))
      socket.on("close", () => resolve({ ...failure("connection reset"), sent }))
      socket.on(secure ? "secureConnect" : "connect", () => {
        if (fault?.kind === "hang") return
        sent.headers = headers
        const lines = [
          `POST ${url.pathname}${url.search} HTTP/1.1`,
          ...onTheWire(headers).map(([name, value]) => `${name}: ${value}`),
        ]
        socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1", () => {
          if (socket instanceof tls.TLSSocket) socket.destroy()
          else socket.resetAndDestroy()
        })
      })
    })
    return { done, timeOut: () => socket.destroy(new Error(TIMEOUT)) }
  }

  /** A port where nothing listens: taken from the system and given back. */
  private nowhere(request: OutboundRequest): Flight {
    let flight: Flight | undefined
    const done = freePort().then((port) => {
      const url = new URL(request.url)
      url.protocol = "http:"
      url.hostname = "127.0.0.1"
      url.port = String(port)
      flight = this.ask({ ...request, url, fault: null })
      return flight.done
    })
    return { done, timeOut: () => flight?.timeOut() }
  }
}

function answeredWith(fault: Fault): Flight {
  const body = typeof fault.body === "object" ? JSON.stringify(fault.body) : (fault.body ?? "")
  const nothing = { headers: [], body: Buffer.alloc(0) }
  const answered = { status: fault.status, headers: fault.headers, body: Buffer.from(body) }
  return {
    done: Promise.resolve({ ...answered, error: null, sent: nothing }),
    timeOut: () => undefined,
  }
}

function spoiltBody(body: Buffer, fault: Fault | null): Buffer {
  return fault?.kind === "garbage" ? garbageBytes() : body
}

function spoiltHeaders(
  headers: [string, string][],
  length: number,
  fault: Fault | null,
): [string, string][] {
  if (fault === null) return headers
  return headers.map(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === "content-length") return [name, String(length)]
    if (lower === "content-type" && fault?.kind === "wrong_content_type")
      return [name, "text/plain"]
    return [name, value]
  })
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** Header text may be any character; on the wire it is bytes. */
function onTheWire(headers: [string, string][]): [string, string][] {
  if (!headers.some(([, value]) => BEYOND_ASCII.test(value))) return headers
  return headers.map(([name, value]) => [name, Buffer.from(value, "utf8").toString("latin1")])
}

/** @param wrote  told how many bytes of the body have been written */
async function write(
  request: http.ClientRequest,
  body: Buffer,
  fault: Fault | null,
  wrote: (bytes: number) => void,
) {
  if (fault?.kind === "half_body") {
    const half = body.subarray(0, Math.ceil(body.length / 2))
    wrote(half.length)
    request.write(half, () => {
      request.destroy(new Error("connection cut after half of the body"))
    })
    return
  }
  if (fault?.kind !== "slow_drip") {
    wrote(body.length)
    request.end(body)
    return
  }
  for (let at = 0; at < body.length && !request.destroyed; at += fault.bytes) {
    wrote(Math.min(body.length, at + fault.bytes))
    request.write(body.subarray(at, at + fault.bytes))
    await new Promise((resolve) => setTimeout(resolve, fault.interval_ms))
  }
  if (!request.destroyed) request.end()
}

function answer(response: http.IncomingMessage, body: Buffer, fault: Fault | null): Outcome {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : String(value)
  }
  const status = fault?.kind === "status" ? fault.status : (response.statusCode ?? null)
  return { status, headers, body: excerptOf(body), error: null }
}

function failure(error: string): Outcome {
  return { status: null, headers: {}, body: Buffer.alloc(0), error }
}

/** The beginning of an answer; a character that the cut would halve is left out. */
function excerptOf(body: Buffer): Buffer {
  if (body.length <= EXCERPT_BYTES) return body
  let end = EXCERPT_BYTES
  while (end > EXCERPT_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--
  return body.subarray(0, end)
}

function describe(error: Error & { code?: string; errors?: Error[] }): string {
  const inner = error.errors?.[0]
  const text = error.message || inner?.message || error.name
  return error.code && !text.includes(error.code) ? `${error.code}: ${text}` : text
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === "object" && address ? address.port : 1
}
