/** Server-sent events that tell the dashboard and the player to fetch again. */

import type { FastifyInstance, FastifyReply } from "fastify"
import type { ChangedThing, Notice } from "../store/changes"
import type { Context } from "../store/context"

const HEARTBEAT_MS = 15_000
/** A show sells until its deadline, and as the profiles have it. */
const OF_EVERY_SHOW: ReadonlySet<ChangedThing> = new Set(["clock", "profiles"])

export function streams(app: FastifyInstance, context: Context): void {
  app.get("/_sandbox/stream", (_request, reply) => stream(context, reply, ({ what }) => ({ what })))
  app.get("/player-api/stream", (request, reply) => {
    const { campaign_uid } = request.query as Record<string, string>
    return stream(context, reply, ({ what, campaigns }) => {
      const concernsIt =
        !campaign_uid ||
        campaigns === "all" ||
        campaigns.includes(campaign_uid) ||
        what.some((thing) => OF_EVERY_SHOW.has(thing))
      return concernsIt ? { what } : null
    })
  })
}

function stream(
  context: Context,
  reply: FastifyReply,
  read: (notice: Notice) => object | null,
): FastifyReply {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  })
  raw.write(": connected\n\n")
  const stop = context.changes.listen((notice) => {
    const data = read(notice)
    if (data) raw.write(`event: changed\ndata: ${JSON.stringify(data)}\n\n`)
  })
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), HEARTBEAT_MS)
  raw.on("close", () => {
    stop()
    clearInterval(heartbeat)
  })
  return reply
}
