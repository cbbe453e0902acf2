/** Answers of the service, sound or spoilt by a fault, over the real socket. */

import type { FastifyReply, FastifyRequest } from "fastify"
import { type Fault, garbageBytes } from "../simulation/faults"

export type Answer = {
  status: number
  /** Text goes out as it is, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** The call was carried out, but its answer never arrives. */
  lost?: boolean
}

/** What went out, for the journal; `status` null where nothing did. */
export type Sent = { status: number | null; headers: Record<string, string>; body: Buffer }

/** Closes the port for a while: the only way to refuse connections. */
export type Listener = { refuse(durationMs: number): void }

const NOTHING: Sent = { status: null, headers: {}, body: Buffer.alloc(0) }
const HANG_MS = 60_000
const JSON_TYPE = "application/json; charset=utf-8"

type Message = { status: number; headers: Record<string, string>; body: Buffer }

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<Sent> {
  if (answer.lost) {
    reply.hijack()
    request.raw.socket.resetAndDestroy()
    return NOTHING
  }
  return sendMessage(reply, message(answer))
}

/** @param answer  the right answer; null where the fault takes the place of the call */
export async function sendSpoilt(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | null,
  fault: Fault,
  listener: Listener,
): Promise<Sent> {
  const right = message(answer ?? { status: 200, body: {} })
  const { socket } = request.raw
  switch (fault.kind) {
    case "status":
    case "throttle":
      return sendMessage(reply, statusFault(fault))
    case "delay":
      if (fault.after) await wait(fault)
      return sendMessage(reply, right)
    case "garbage":
      return sendMessage(reply, { ...right, status: 200, body: garbageBytes() })
    case "wrong_content_type":
      return sendMessage(reply, {
        ...right,
        headers: { ...right.headers, "content-type": "text/html" },
      })
    case "hang":
      reply.hijack()
      setTimeout(() => socket.destroy(), fault.delay_ms ?? HANG_MS).unref()
      return NOTHING
    case "reset":
      reply.hijack()
      socket.resetAndDestroy()
      return NOTHING
    case "refuse":
      reply.hijack()
      listener.refuse(fault.duration_ms)
      return NOTHING
    case "half_body": {
      const half = right.body.subarray(0, Math.floor(right.body.length / 2))
      reply.hijack()
      writeHead(reply, right)
      reply.raw.write(half, () => socket.destroy())
      return { ...right, body: half }
    }
    case "slow_drip":
      reply.hijack()
      writeHead(reply, right)
      for (let at = 0; at < right.body.length && !socket.destroyed; at += fault.bytes) {
        reply.raw.write(right.body.subarray(at, at + fault.bytes))
        await sleep(fault.interval_ms)
      }
      reply.raw.end()
      return right
    default:
      // What is left are faults of deliveries, which no plan may have on a call.
      return sendMessage(reply, right)
  }
}

function message({ status, body, headers }: Answer): Message {
  if (body === undefined) return { status, headers: { ...headers }, body: Buffer.alloc(0) }
  return {
    status,
    headers: { "content-type": JSON_TYPE, ...headers },
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  }
}

function statusFault(fault: Fault): Message {
  const body = fault.body ?? { error: { code: "fault_injected", message: "A planned fault." } }
  const headers: Record<string, string> = { "content-type": JSON_TYPE, ...fault.headers }
  if (fault.retry_after !== undefined) headers["retry-after"] = String(fault.retry_after)
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return { status: fault.status, headers, body: Buffer.from(text) }
}

function sendMessage(reply: FastifyReply, out: Message): Sent {
  reply.code(out.status).headers(out.headers)
  reply.send(out.body.length > 0 ? out.body : undefined)
  return out
}

function writeHead(reply: FastifyReply, { status, headers, body }: Message): void {
  // A length is promised even where there is no body, so that the cut can be seen.
  reply.raw.writeHead(status, { ...headers, "content-length": Math.max(body.length, 2) })
  reply.raw.flushHeaders()
}

/** How long a `delay` takes; it keeps no process alive. */
export function wait({ delay_ms = 0 }: Fault): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay_ms).unref())
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
