/**
 * Reads request bodies as bytes, and keeps the beginning of those that cannot be read to their end:
 * too large, cut by the caller, or sent to an address that means nothing. The journal shows what came
 * of them too.
 */

import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import type { FastifyRequest } from "fastify"
import { SandboxError } from "../contract/errors"

const MAX_BODY = 64 * 1024 * 1024
/** As much as the journal keeps of a body. */
const KEPT_BYTES = 256 * 1024

const beginnings = new WeakMap<IncomingMessage, Buffer>()

/** What is known of a body that was not read to its end. */
export function beginningOf(request: FastifyRequest): Buffer {
  return beginnings.get(request.raw) ?? Buffer.alloc(0)
}

/** A content type parser of Fastify: every body is bytes. */
export function readBody(
  request: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  // What is announced as too large is read as far as the journal keeps it, and not to its end.
  const announced = Number(request.headers["content-length"] ?? 0)
  const most = announced > MAX_BODY ? KEPT_BYTES : MAX_BODY
  let chunks: Buffer[] = []
  let size = 0
  const end = (error: Error | null) => {
    payload.off("data", take).off("end", atEnd).off("error", cut).off("close", cut)
    if (!error) return done(null, Buffer.concat(chunks, size))
    beginnings.set(request.raw, beginning(chunks))
    chunks = []
    done(error)
  }
  const take = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= most) return
    payload.pause()
    end(new SandboxError(413, "body_too_large", `Bodies have at most ${MAX_BODY} bytes.`))
  }
  const atEnd = () => end(null)
  const cut = () => end(new CutRequest())
  payload.on("data", take).on("end", atEnd).on("error", cut).on("close", cut)
}

/** The caller went away in the middle of the body: there is nobody to answer. */
export class CutRequest extends SandboxError {
  constructor() {
    super(400, "request_cut", "The connection ended before the body did.")
  }
}

/**
 * The beginning of a body that no route reads: resolves when there is as much of it as is kept, when it
 * has ended, or when the caller has gone.
 */
export function readBeginning({ raw }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = () => resolve(beginning(chunks))
    raw.on("data", (chunk: Buffer) => {
      if (size < KEPT_BYTES) chunks.push(chunk)
      size += chunk.length
      if (size >= KEPT_BYTES) finish()
    })
    raw.once("end", finish).once("close", finish).once("error", finish)
  })
}

function beginning(chunks: Buffer[]): Buffer {
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES)
}
