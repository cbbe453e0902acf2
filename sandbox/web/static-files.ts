/** Serves the dashboard, the player's page and the player's script as files of this folder. */

import { readFile } from "node:fs/promises"
import path from "node:path"
import type { FastifyInstance, FastifyReply } from "fastify"

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
}

export function staticFiles(app: FastifyInstance): void {
  app.get("/", (_request, reply) => file(reply, "dashboard", "index.html"))
  app.get("/_sandbox/ui/*", (request, reply) => file(reply, "dashboard", wild(request.params)))
  app.get("/player", (_request, reply) => file(reply, "player", "index.html"))
  app.get("/player.js", (_request, reply) => file(reply, "player", "player.js"))
  app.get("/player/*", (request, reply) => file(reply, "player", wild(request.params)))
}

function wild(params: unknown): string {
  return (params as { "*": string })["*"]
}

async function file(reply: FastifyReply, folder: string, name: string): Promise<FastifyReply> {
  const root = path.join(__dirname, folder)
  const full = path.join(root, name)
  const type = TYPES[path.extname(full)]
  // Only what lies below the folder, and only what a page is made of.
  if (!full.startsWith(root + path.sep) || !type) return missing(reply, name)
  try {
    const content = await readFile(full)
    return reply.header("cache-control", "no-cache").type(type).send(content)
  } catch {
    return missing(reply, name)
  }
}

function missing(reply: FastifyReply, name: string): FastifyReply {
  return reply
    .code(404)
    .send({ error: { code: "not_found", message: `There is no file "${name}" here.` } })
}
