/** Serves the dashboard, the player's page and the player's script. */

import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import type { FastifyInstance, FastifyReply } from "fastify"
import { notFound } from "../contract/errors"
import type { Pages } from "./bundle"

/** Where the package has its finished pages; the source tree has none. */
const FINISHED = path.join(__dirname, "finished")

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
}

/**
 * What our pages may do: run our own scripts and speak to the sandbox that they came from. A product's name or picture
 * comes from whoever pushed it, and must not become a script. The player's script in somebody's shop is under that
 * shop's policy.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src * data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ")

export function staticFiles(app: FastifyInstance): void {
  app.get("/", (_request, reply) => send(reply, "dashboard.html"))
  app.get("/player", (_request, reply) => send(reply, "player.html"))
  app.get("/player.js", (_request, reply) => send(reply, "player.js"))
  app.get("/_sandbox/ui/*", (request, reply) => send(reply, wild(request.params)))
  app.get("/player/*", (request, reply) => send(reply, `player/${wild(request.params)}`))
}

function wild(params: unknown): string {
  return (params as { "*": string })["*"]
}

async function send(reply: FastifyReply, name: string): Promise<FastifyReply> {
  // Looked up by name, so no path leads to another file.
  const content = (await loadPages()).get(name)
  if (!content) throw notFound("file", name)
  if (name.endsWith(".html")) {
    reply.header("content-security-policy", POLICY).header("referrer-policy", "same-origin")
  }
  reply.header("x-content-type-options", "nosniff")
  reply.header("cache-control", "no-cache").type(TYPES[path.extname(name)] ?? "text/plain")
  return reply.send(Buffer.from(content))
}

let pages: Promise<Pages> | undefined

function loadPages(): Promise<Pages> {
  pages ??= readFinished()
  return pages
}

async function readFinished(): Promise<Pages> {
  const names = await readdir(FINISHED, { recursive: true }).catch(() => null)
  if (!names) {
    // Loaded here only: the package has no bundler.
    const bundler: typeof import("./bundle") = require("./bundle")
    return bundler.bundlePages({ minify: false })
  }
  const files = names.filter((name) => path.extname(name))
  return new Map(
    await Promise.all(
      files.map(
        async (name) =>
          [name.replaceAll(path.sep, "/"), await readFile(path.join(FINISHED, name))] as const,
      ),
    ),
  )
}
