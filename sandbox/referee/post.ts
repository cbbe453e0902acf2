/** One POST to a receiver over a connection of its own, right or hostile. */

import http from "node:http"
import https from "node:https"

type Post = {
  url: string
  headers: Record<string, string>
  body: Buffer
  /** Cuts the connection after half of the body. */
  cut?: boolean
  /** Sends the body in this many pieces, 100 ms apart. */
  pieces?: number
}

/** `status` is null where no answer came. */
export type PostAnswer = { status: number | null; ms: number; said: string }

/** More than the 10 s that the service waits (interface §6.6), so that a late answer is seen as late. */
const PATIENCE_MS = 12_000
const PIECE_MS = 100

export function post({ url, headers, body, cut, pieces }: Post): Promise<PostAnswer> {
  const started = performance.now()
  return new Promise((resolve) => {
    const end = (status: number | null, said: string) => {
      clearTimeout(timer)
      resolve({ status, said, ms: Math.round(performance.now() - started) })
    }
    const request = (url.startsWith("https:") ? https : http).request(url, {
      method: "POST",
      agent: false,
      headers: { ...headers, "Content-Length": String(body.length) },
    })
    const timer = setTimeout(() => request.destroy(new Error("no answer")), PATIENCE_MS)
    request.on("error", (error) => end(null, error.message || "the connection failed"))
    request.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => {
        if (text.length < 300) text += chunk
      })
      response.on("end", () => end(response.statusCode ?? null, text.slice(0, 300)))
      response.on("error", () => end(response.statusCode ?? null, text.slice(0, 300)))
    })
    if (cut) {
      request.write(body.subarray(0, Math.ceil(body.length / 2)), () => request.destroy())
      return
    }
    void inPieces(request, body, pieces ?? 1)
  })
}

async function inPieces(request: http.ClientRequest, body: Buffer, pieces: number): Promise<void> {
  const size = Math.max(1, Math.ceil(body.length / pieces))
  for (let at = 0; at < body.length && !request.destroyed; at += size) {
    request.write(body.subarray(at, at + size))
    if (at + size < body.length) await new Promise((resolve) => setTimeout(resolve, PIECE_MS))
  }
  if (!request.destroyed) request.end()
}
