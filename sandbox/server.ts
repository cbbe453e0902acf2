/** The sandbox as an HTTP server: one process, one address, everything it needs in memory. */

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import { type ControlClient, createControlClient } from "./client/control-client"
import { asAnswer } from "./contract/errors"
import { controlApi } from "./control-api"
import { createPage, DEFAULT_PAGE } from "./domain/pages"
import { refuseForeignHost } from "./foreign-host"
import { packageVersion } from "./package-version"
import { Port } from "./port"
import { logRefused, refuseUnknown, serviceApi } from "./service-api/routes"
import { Clock } from "./simulation/clock"
import { Faults } from "./simulation/faults"
import { Profiles } from "./simulation/profiles"
import { Random } from "./simulation/random"
import { ChangeTimes } from "./simulation/stamps"
import { Changes } from "./store/changes"
import type { Context, ContextOfQueue } from "./store/context"
import { Journal } from "./store/journal"
import { StateFile } from "./store/state-file"
import { emptyTables } from "./store/tables"
import { web } from "./web"
import { Dispatcher } from "./webhooks/dispatcher"

const MAX_BODY = 64 * 1024 * 1024

export type SandboxOptions = {
  /** 9400 by default; 0 takes a free one. */
  port?: number
  /** 127.0.0.1 by default. */
  host?: string
  /** Keeps the state between starts. */
  file?: string
  /** Makes ids, keys and every random choice repeatable. */
  seed?: string
  /** Takes plain http for webhook addresses beyond this machine, as in a network of containers. */
  allowHttp?: boolean
  /** Where others reach the sandbox, if not at the address it listens on: for links, and as a name of its own. */
  publicUrl?: string
  /** Pages beside `demo-page`. */
  pages?: { uid: string; api_token?: string; name?: string }[]
}

export type Sandbox = {
  url: string
  port: number
  /** The control API, typed. */
  control: ControlClient
  close(): Promise<void>
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const context = createContext(options)
  const app = createServer(context, ownNames(options))
  const port = new Port(app, options.host ?? "127.0.0.1")
  const seedPages = () => createMissingPages(context, options.pages ?? [])

  serviceApi(app, context, port)
  controlApi(app, context, { version: packageVersion(), seedPages, seed: options.seed })
  web(app, context)

  const stateFile = options.file ? new StateFile(context, options.file) : null
  stateFile?.load(options.seed)
  seedPages()
  await port.open(options.port ?? 9400)
  context.url = options.publicUrl?.replace(/\/+$/, "") ?? port.url
  stateFile?.start()

  return {
    url: port.url,
    port: port.number,
    control: createControlClient(port.url),
    async close() {
      context.deliveries.close()
      context.clock.reset()
      context.changes.close()
      await stateFile?.stop()
      await port.close()
    },
  }
}

function createContext(options: SandboxOptions): Context {
  const { seed } = options
  const context: ContextOfQueue = {
    url: "",
    tables: emptyTables(),
    clock: new Clock(),
    random: new Random(seed ?? Random.systemSeed()),
    profiles: new Profiles(),
    faults: new Faults(),
    journal: new Journal(),
    changes: new Changes(),
    changeTimes: new ChangeTimes(),
    allowHttp: options.allowHttp ?? false,
  }
  // Assigned, not copied: the sender must see a later change of `url` and `random` too.
  return Object.assign(context, { deliveries: new Dispatcher(context) })
}

function ownNames({ host, publicUrl }: SandboxOptions): string[] {
  const names = [host, publicUrl && new URL(publicUrl).hostname]
  return names.filter((name) => name !== undefined).map((name) => name.toLowerCase())
}

function createServer(context: Context, ownNames: string[]): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    // Called for an address that cannot be decoded, which therefore matches no route.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      logRefused(context, request, error)
      void answerError(error, reply)
    },
  })
  app.addHook("onRequest", async (request) => refuseForeignHost(request.headers.host, ownNames))
  // Bodies stay bytes until a route reads JSON: the journal shows what came even where it is no JSON.
  app.removeAllContentTypeParsers()
  const asBytes = { parseAs: "buffer", bodyLimit: MAX_BODY } as const
  app.addContentTypeParser("*", asBytes, (_request, body, done) => done(null, body))
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    logRefused(context, request, error)
    return answerError(error, reply)
  })
  app.setNotFoundHandler((request, reply) => refuseUnknown(context, request, reply))
  return app
}

function answerError(error: Error & { statusCode?: number }, reply: FastifyReply): FastifyReply {
  const { status, body } = asAnswer(error)
  // What is left of a body that is too large is not read: the connection cannot serve another call.
  if (status === 413) reply.header("connection", "close")
  return reply.code(status).send(body)
}

/** `demo-page` and the pages of the options, unless a state file has brought them already. */
function createMissingPages(context: Context, given: NonNullable<SandboxOptions["pages"]>): void {
  const demo = given.find(({ uid }) => uid === DEFAULT_PAGE.uid)
  for (const page of [{ name: "Demo page", ...DEFAULT_PAGE, ...demo }, ...given]) {
    if (!context.tables.pages.has(page.uid)) createPage(context, page)
  }
}
