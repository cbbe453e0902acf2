/** The sandbox as an HTTP server: one process, one address, everything it needs in memory. */

import { accessSync, constants, readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import path from "node:path"
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify"
import { refuseUnknown, serviceApi } from "./api"
import { Changes } from "./changes"
import { Clock } from "./clock"
import { controlApi } from "./control"
import { Dispatcher } from "./deliveries"
import { SandboxError } from "./errors"
import { Faults } from "./faults"
import { Journal } from "./journal"
import { createPage, DEFAULT_PAGE } from "./pages"
import { playerApi } from "./player-api"
import { Profiles } from "./profiles"
import { Random } from "./random"
import type { Listener } from "./responses"
import { restoreSnapshot, type Snapshot, snapshotSchema, takeSnapshot } from "./snapshots"
import { emptyTables } from "./state"
import { staticFiles } from "./static-files"
import { streams } from "./streams"
import type { World } from "./world"

export type SandboxOptions = {
  /** 9400 by default; 0 takes a free one. */
  port?: number
  /** 127.0.0.1 by default. */
  host?: string
  /** Keeps the state between starts. */
  file?: string
  /** Makes ids, keys and every random choice repeatable. */
  seed?: string
  /** Pages beside `demo-page`. */
  pages?: { uid: string; api_token?: string; name?: string }[]
}

export type Sandbox = {
  url: string
  port: number
  /**
   * Calls the control API.
   *
   * @param path  without `/_sandbox`
   * @throws Error with the code and message of an error answer
   */
  control<T = Record<string, unknown>>(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
  ): Promise<T>
  close(): Promise<void>
}

const MAX_BODY = 64 * 1024 * 1024
const SAVE_EVERY_MS = 1000

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? "127.0.0.1"
  const world = createWorld(options.seed)
  const app = Fastify({
    bodyLimit: MAX_BODY,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    // An address that cannot be decoded comes to no route.
    frameworkErrors: (error, _request, reply: FastifyReply) => answerError(error, reply),
  })
  keepBodiesAsBytes(app)
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    answerError(error, reply),
  )
  app.setNotFoundHandler((request, reply) => refuseUnknown(world, request, reply))

  const listener = new Port(app, host)
  /** Those that are not there yet: a state file may have brought them. */
  const seedPages = () => {
    const given = options.pages ?? []
    const own = given.find(({ uid }) => uid === DEFAULT_PAGE.uid)
    for (const page of [{ name: "Demo page", ...DEFAULT_PAGE, ...own }, ...given]) {
      if (!world.tables.pages.has(page.uid)) createPage(world, page)
    }
  }

  serviceApi(app, world, listener)
  controlApi(app, world, {
    version: packageVersion(),
    seedPages,
    seed: options.seed,
  })
  playerApi(app, world)
  streams(app, world)
  staticFiles(app)

  const keeper = options.file ? new StateFile(world, options.file) : null
  keeper?.load(options.seed)
  seedPages()
  await listener.open(options.port ?? 9400)
  world.url = listener.url
  keeper?.start()

  return {
    url: world.url,
    port: listener.port,
    async control(method, path, body) {
      const response = await fetch(`${world.url}/_sandbox${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      })
      const json = await response.json()
      if (response.status >= 400) {
        throw new Error(`${response.status} ${json.error?.code}: ${json.error?.message}`)
      }
      return json
    },
    async close() {
      world.dispatcher.close()
      world.clock.reset()
      world.changes.close()
      await keeper?.stop()
      await listener.close()
    },
  }
}

function createWorld(seed: string | undefined): World {
  const world: Omit<World, "dispatcher"> = {
    url: "",
    tables: emptyTables(),
    clock: new Clock(),
    random: new Random(seed ?? Random.systemSeed()),
    profiles: new Profiles(),
    faults: new Faults(),
    journal: new Journal(),
    changes: new Changes(),
  }
  // The dispatcher works on the world that it is part of.
  const whole = world as World
  whole.dispatcher = new Dispatcher(whole)
  return whole
}

/** Bytes until a route reads JSON: the journal shows what came, even where it is no JSON. */
function keepBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))
}

function answerError(error: Error & { statusCode?: number }, reply: FastifyReply): FastifyReply {
  if (error instanceof SandboxError) return reply.code(error.status).send(error.body())
  const status = error.statusCode ?? 500
  const code = status === 413 ? "body_too_large" : status < 500 ? "bad_request" : "sandbox_error"
  return reply.code(status).send({ error: { code, message: error.message } })
}

/** The port it listens on; a fault can close it for a while. */
class Port implements Listener {
  port = 0
  private reopening: NodeJS.Timeout | undefined

  constructor(
    private readonly app: FastifyInstance,
    private readonly host: string,
  ) {}

  get url(): string {
    const host = this.host.includes(":") ? `[${this.host}]` : this.host
    return `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${this.port}`
  }

  async open(port: number): Promise<void> {
    await this.app.listen({ port, host: this.host })
    const address = this.app.server.address()
    this.port = typeof address === "object" && address ? address.port : port
  }

  refuse(durationMs: number): void {
    clearTimeout(this.reopening)
    this.app.server.close()
    this.app.server.closeAllConnections()
    this.reopening = setTimeout(() => {
      this.app.server.listen({ port: this.port, host: this.host })
    }, durationMs)
  }

  async close(): Promise<void> {
    clearTimeout(this.reopening)
    await this.app.close()
  }
}

/** The state in a file, written a moment after it changed and when the sandbox ends. */
class StateFile {
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private stopListening: (() => void) | undefined

  constructor(
    private readonly world: World,
    private readonly file: string,
  ) {}

  /** @throws Error where the file is of another kind, or could not be written later on */
  load(seed: string | undefined): void {
    try {
      accessSync(path.dirname(this.file), constants.W_OK)
    } catch (error) {
      throw new Error(this.unwritable(error))
    }
    let text: string
    try {
      text = readFileSync(this.file, "utf8")
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return
      throw error
    }
    const snapshot = readSnapshot(text, this.file)
    restoreSnapshot(this.world, snapshot, "real")
    // From the beginning it would draw the ids again that the file already holds.
    if (snapshot.random.seed === seed) this.world.random = new Random(seed, snapshot.random.draws)
  }

  start(): void {
    this.stopListening = this.world.changes.listen(({ what }) => {
      // The journal is not kept.
      if (what.every((thing) => thing === "journal")) return
      this.timer ??= setTimeout(() => {
        this.timer = undefined
        void this.write()
      }, SAVE_EVERY_MS)
    })
  }

  async stop(): Promise<void> {
    this.stopListening?.()
    clearTimeout(this.timer)
    await this.write()
  }

  private write(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const text = JSON.stringify(takeSnapshot(this.world))
      try {
        // Renamed into place: a crash while writing leaves the old file.
        await writeFile(`${this.file}.new`, text, { mode: 0o600 })
        await rename(`${this.file}.new`, this.file)
      } catch (error) {
        // A full disk must not end a show that is running; the next change tries again.
        process.stderr.write(`${this.unwritable(error)}\n`)
      }
    })
    return this.writing
  }

  private unwritable(error: unknown): string {
    return `The state file ${this.file} cannot be written: ${(error as Error).message}`
  }
}

function readSnapshot(text: string, file: string): Snapshot {
  try {
    return snapshotSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(`${file} is not a state file of the sandbox. Move it away to start afresh.`)
  }
}

/** Read from the nearest package.json, which is the package's own from source and when built. */
function packageVersion(): string {
  for (let folder = __dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"))
      if (name === "medusa-plugin-svc") return String(version)
    } catch {
      // No package.json in this folder.
    }
  }
  return "unknown"
}
