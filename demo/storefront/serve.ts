/**
 * Serves the demo's shop: one page, its script (bundled at start, kept in memory) and the
 * catalog's pictures. Everything else the page asks of Medusa's Store API itself.
 */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import type { Market, StorefrontConfig } from "./config"

export interface StorefrontOptions {
  port: number
  host?: string
  /** Address of the Medusa server. */
  storeUrl: string
  /** Address of the service that serves `player.js`. */
  sandboxUrl: string
  pageUid: string
  /** At least one; the first is what a new visitor sees. */
  markets: Market[]
}

export interface Storefront {
  url: string
  close(): Promise<void>
}

interface Asset {
  body: string | Buffer
  type: string
  /** Content-Security-Policy, of pages. */
  policy?: string
  /** Sent with every answer; the browser asks again and mostly hears 304. */
  etag: string
}

const PAGE = join(__dirname, "page")
const PICTURES = join(__dirname, "../catalog/pictures")
const REPOSITORY = resolve(__dirname, "../..")

/** Pages that the script draws; everything else that is no asset is 404. */
const PAGES = [/^\/$/, /^\/products\/[^/]+$/, /^\/(cart|checkout)$/, /^\/thanks\/[^/]+$/]

const PICTURE = /^\/pictures\/([a-z0-9-]+\.svg)$/

/**
 * Starts the shop. Rejects with the server's own error where the port is taken (`EADDRINUSE`),
 * and where the page does not compile.
 */
export async function startStorefront(options: StorefrontOptions): Promise<Storefront> {
  if (options.markets.length === 0) {
    throw new Error("The storefront needs at least one market")
  }
  const host = options.host ?? "127.0.0.1"
  const assets = await bundle()
  assets.set("/favicon.svg", asset(await readFile(join(PAGE, "favicon.svg")), "image/svg+xml"))
  const page: Asset = {
    ...asset(await renderPage(options, assets), "text/html; charset=utf-8"),
    policy: policyFor(options),
  }

  const server = createServer(async (request, response) => {
    const pathname = pathOf(request.url)
    const send = (found: Asset | null) =>
      found ? answer(response, found, request.headers["if-none-match"]) : notFound(response, page)

    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end()
      return
    }
    const picture = PICTURE.exec(pathname)
    if (picture) {
      // The pattern has no slash and no dot but the last: the name cannot leave the folder.
      const body = await readFile(join(PICTURES, picture[1] ?? "")).catch(() => null)
      send(body && asset(body, "image/svg+xml"))
      return
    }
    send(PAGES.some((path) => path.test(pathname)) ? page : (assets.get(pathname) ?? null))
  })

  await new Promise<void>((ready, failed) => {
    server.once("error", failed)
    server.listen(options.port, host, ready)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function bundle(): Promise<Map<string, Asset>> {
  const { outputFiles } = await build({
    entryPoints: { app: join(PAGE, "main.tsx"), style: join(PAGE, "style.css") },
    bundle: true,
    minify: true,
    write: false,
    outdir: "/assets",
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    // The page imports the SDK by the name that a merchant's storefront uses.
    alias: { "svc-storefront": join(REPOSITORY, "storefront/src/index.ts") },
    logLevel: "silent",
  })
  return new Map(
    outputFiles.map((file) =>
      file.path.endsWith(".css")
        ? ["/assets/style.css", asset(Buffer.from(file.contents), "text/css; charset=utf-8")]
        : ["/assets/app.js", asset(Buffer.from(file.contents), "text/javascript; charset=utf-8")],
    ),
  )
}

async function renderPage(
  { storeUrl, sandboxUrl, pageUid, markets }: StorefrontOptions,
  assets: Map<string, Asset>,
): Promise<string> {
  const config: StorefrontConfig = { storeUrl, markets }
  const values: Record<string, string> = {
    config: attribute(JSON.stringify(config)),
    player: attribute(`${sandboxUrl.replace(/\/+$/, "")}/player.js`),
    pageUid: attribute(pageUid),
    version: attribute(assets.get("/assets/app.js")?.etag.slice(1, 9) ?? ""),
  }
  const template = await readFile(join(PAGE, "index.html"), "utf8")
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "")
}

/** What is no address, such as `//`, is no page either. */
function pathOf(url = "/"): string {
  return URL.canParse(url, "http://shop") ? new URL(url, "http://shop").pathname : "/nowhere"
}

const attribute = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

function asset(body: string | Buffer, type: string): Asset {
  return { body, type, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 24)}"` }
}

/**
 * What the page may do: run its own script and the player's, and speak to the store and the sandbox. Product texts and
 * pictures come from the catalog, and must not become a script.
 */
function policyFor({ storeUrl, sandboxUrl }: StorefrontOptions): string {
  const [store, sandbox] = [new URL(storeUrl).origin, new URL(sandboxUrl).origin]
  return [
    "default-src 'none'",
    `script-src 'self' ${sandbox}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src * data: blob:",
    `media-src 'self' ${sandbox}`,
    `font-src 'self' ${sandbox}`,
    `connect-src 'self' ${store} ${sandbox}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ")
}

const HEADERS = {
  "cache-control": "no-cache",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
}

const policyOf = ({ policy }: Asset) => (policy ? { "content-security-policy": policy } : {})

function answer(response: ServerResponse, found: Asset, known?: string): void {
  const { body, type, etag } = found
  if (known === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  response.writeHead(200, { ...HEADERS, ...policyOf(found), "content-type": type, etag }).end(body)
}

/** The page draws its own "not found", whatever was asked for. */
function notFound(response: ServerResponse, page: Asset): void {
  response
    .writeHead(404, { ...HEADERS, ...policyOf(page), "content-type": page.type })
    .end(page.body)
}
