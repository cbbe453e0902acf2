/** Server-sent events that tell the dashboard and the player to fetch again. */

import type { FastifyInstance, FastifyReply } from "fastify"
import type { Context } from "../store/context"

const HEARTBEAT_MS = 15_000

export function streams(app: FastifyInstance, context: Context): void {
  for (const path of ["/_sandbox/stream", "/player-api/stream"]) {
    app.get(path, (_request, reply) => stream(context, reply))
  }
}

function stream(context: Context, reply: FastifyReply): FastifyReply {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  })
  raw.write(": connected\n\n")
  const stop = context.changes.listen((what) => {
    raw.write(`event: changed\ndata: ${JSON.stringify({ what })}\n\n`)
  })
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), HEARTBEAT_MS)
  raw.on("close", () => {
    stop()
    clearInterval(heartbeat)
  })
  return reply
}
