/** Sends many requests over a few kept connections, and measures; cheap enough that the server is what is measured. */
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export type PumpOptions = {
  port: number
  connections: number
  /** The bytes of the n-th request. */
  request: (n: number) => Buffer
  /** Requests in all; without it, until `signal` says so. */
  total?: number
  /** Requests a second; as many as are answered without it. */
  perSecond?: number
  signal?: AbortSignal
  /** Is told of each answer; "closed" where there was none. */
  onAnswer?: (n: number, status: string) => void
}

export type Pumped = {
  answered: number
  seconds: number
  perSecond: number
  statuses: Record<string, number>
  /** Milliseconds from when a request was due to its answer, sorted. */
  latencies: number[]
}

export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const HEAD_END = Buffer.from("\r\n\r\n")

export async function pump(options: PumpOptions): Promise<Pumped> {
  const {
    port,
    connections,
    request,
    total = Number.POSITIVE_INFINITY,
    perSecond,
    signal,
  } = options
  const statuses: Record<string, number> = {}
  const latencies: number[] = []
  let sent = 0
  const started = performance.now()

  async function sender(): Promise<void> {
    let socket: Socket | undefined
    while (sent < total && !signal?.aborted) {
      const n = sent
      sent += 1
      const due = perSecond ? started + (n / perSecond) * 1000 : performance.now()
      const wait = due - performance.now()
      if (wait > 1) await sleep(wait)
      socket ??= await opened(port)
      const answer = await exchange(socket, request(n))
      if (!answer.keep) {
        socket.destroy()
        socket = undefined
      }
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      options.onAnswer?.(n, answer.status)
      latencies.push(performance.now() - due)
    }
    socket?.destroy()
  }
  await Promise.all(Array.from({ length: connections }, sender))
  const seconds = (performance.now() - started) / 1000
  const answered = latencies.length
  return {
    answered,
    seconds,
    perSecond: answered / seconds,
    statuses,
    latencies: latencies.sort((a, b) => a - b),
  }
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })
}

/** One request and its answer, whose length is told or which is chunked. */
function exchange(socket: Socket, bytes: Buffer): Promise<{ status: string; keep: boolean }> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0)
    const end = (status: string, keep: boolean) => {
      socket.off("data", onData)
      socket.off("close", onClose)
      socket.off("error", onClose)
      resolve({ status, keep })
    }
    const onClose = () => end("closed", false)
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const headEnd = received.indexOf(HEAD_END)
      if (headEnd < 0) return
      const head = received.toString("latin1", 0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
      const isWhole = Number.isNaN(length)
        ? received.toString("latin1").endsWith("0\r\n\r\n")
        : received.length >= headEnd + HEAD_END.length + length
      if (isWhole) end(head.slice(9, 12), !/\r\nconnection: *close/i.test(head))
    }
    socket.on("data", onData)
    socket.once("close", onClose)
    socket.once("error", onClose)
    socket.write(bytes)
  })
}

/** A `POST` of JSON as bytes. */
export function postOf(path: string, body: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({
    host: "127.0.0.1",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`)
}
