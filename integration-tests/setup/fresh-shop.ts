/**
 * A Medusa application that knows nothing of this repository, into which the packed plugin is installed as a merchant does
 * it: built, migrated and started with Medusa's own commands, in a folder outside of the checkout.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import axios, { type AxiosInstance } from "axios"
import { ROOT } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { command, environment } from "./command"
import { TEST_ENCRYPTION_KEYS } from "./store-process"
import { createDatabase, statement } from "./test-database"

const JWT_SECRET = "test"
export const ADMIN = { email: "merchant@example.test", password: "correct horse battery staple" }

/** What Medusa's starter depends on; the versions are the ones this plugin is developed with. */
const STARTER = [
  "@medusajs/admin-sdk",
  "@medusajs/cli",
  "@medusajs/dashboard",
  "@medusajs/draft-order",
  "@medusajs/framework",
  "@medusajs/icons",
  "@medusajs/medusa",
  "@medusajs/ui",
  "@tanstack/react-query",
  "prop-types",
  "react",
  "react-dom",
  "react-router-dom",
  "typescript",
  "vite",
]

const configWith = (plugins: string[]) => `
const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // The test speaks plain HTTP, and Medusa's start command is a production one.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: { storeCors: "http://127.0.0.1", adminCors: "http://127.0.0.1", authCors: "http://127.0.0.1", jwtSecret: "${JWT_SECRET}", cookieSecret: "test" },
  },
  admin: { disable: process.env.WITHOUT_ADMIN === "true" },
  plugins: [${plugins.join(", ")}],
})
`

export const PLUGIN = '{ resolve: "medusa-plugin-svc", options: { allowInsecureUrls: true } }'

const TSCONFIG = {
  compilerOptions: {
    target: "ES2021",
    module: "Node16",
    moduleResolution: "Node16",
    outDir: "./.medusa/server",
    rootDir: "./",
    skipLibCheck: true,
    allowJs: true,
    esModuleInterop: true,
    // All of its code is JavaScript, which is copied: the types of what it requires would be read for nothing.
    noResolve: true,
    types: [],
  },
  include: ["*.js", "src"],
}

export type FreshShopOptions = {
  /** Version of all of Medusa's packages but its UI; by default the one that the plugin is developed with. */
  medusa?: string
  /** Version of `@medusajs/ui`, which has numbers of its own. */
  ui?: string
  /** The program that runs Medusa; by default this one. */
  node?: string
  /** Other packages, and the plugins among them. */
  dependencies?: Record<string, string>
  plugins?: string[]
  /** Files of the application's own, by path. */
  files?: Record<string, string>
  /**
   * Its packages are links to the checkout's, those alone that it or the plugin names, and its database has tables already:
   * npm installs and Medusa migrates for minutes.
   */
  linked?: boolean
}

export type FreshShop = Awaited<ReturnType<typeof createFreshShop>>

/** Its packages are installed, and the plugin is not yet. */
export async function createFreshShop(options: FreshShopOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "fresh-shop-"))
  const { linked = false } = options
  const database = await createDatabase(
    `svc_fresh_${process.pid}_${Date.now().toString(36)}`,
    linked ? "migrated" : undefined,
  )
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const node = options.node ?? process.execPath
  const env = environment({
    DATABASE_URL: database.url,
    SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    SVC_BACKEND_URL: url,
    MEDUSA_DISABLE_TELEMETRY: "true",
  })
  // Programs that Medusa starts by name are to be of the same version.
  if (options.node) env.PATH = `${dirname(options.node)}:${env.PATH}`
  const medusa = (args: string[]) =>
    command(node, [join(folder, "node_modules/@medusajs/cli/cli.js"), ...args], folder, env)

  let server: ChildProcess | undefined
  let log = ""

  /** @param built whether `medusa build` was run; else the application starts as it is written, without an admin */
  async function start(built = false): Promise<void> {
    const cli = join(folder, "node_modules/@medusajs/cli/cli.js")
    const address = ["--port", String(port), "--host", "127.0.0.1"]
    const child = spawn(node, [cli, "start", ...address], {
      // Medusa's own way to production: the built folder, which finds the modules above it.
      cwd: built ? join(folder, ".medusa/server") : folder,
      env: { ...env, WITHOUT_ADMIN: String(!built) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    server = child
    const keep = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-8_000)
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    const until = Date.now() + 600_000
    while (Date.now() < until && child.exitCode === null) {
      const ready = await fetch(`${url}/health`).then(
        (response) => response.ok,
        () => false,
      )
      if (ready) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`The fresh application did not start.\n${log}`)
  }

  async function stop(): Promise<void> {
    const child = server
    server = undefined
    if (!child || child.exitCode !== null) return
    const gone = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGTERM")
    await gone
  }

  async function remove(): Promise<void> {
    await stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }

  /** Medusa's configuration with these plugins; read at the next start. */
  const configure = (plugins: string[]) =>
    writeFile(join(folder, "medusa-config.js"), configWith(plugins))

  const quick = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]
  const npmInstall = (...what: string[]) =>
    command("npm", ["install", ...quick, ...what], folder, env)

  /** @param tarball the packed plugin */
  const install = (tarball: string) =>
    linked ? unpack(folder, tarball) : npmInstall(`file:${tarball}`)

  /** The tables, and a user for the admin. */
  async function migrate(): Promise<void> {
    // The command would load the whole application.
    if (linked) await addUser(database.url)
    else {
      await medusa(["db:migrate", "--execute-safe-links"])
      await medusa(["user", "-e", ADMIN.email, "-p", ADMIN.password])
    }
  }

  /** The admin API, as the admin user. */
  async function admin(): Promise<AxiosInstance> {
    const token = linked
      ? tokenOf(USER_ID)
      : (await axios.post(`${url}/auth/user/emailpass`, ADMIN)).data.token
    return axios.create({ baseURL: url, headers: { authorization: `Bearer ${token}` } })
  }

  try {
    await writeFile(join(folder, "package.json"), await manifest(options))
    await configure([PLUGIN, ...(options.plugins ?? [])])
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
    await mkdir(join(folder, "src"))
    for (const [path, text] of Object.entries(options.files ?? {})) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await (linked ? link(folder, STARTER) : npmInstall())
  } catch (error) {
    await remove()
    throw error
  }
  /** The last that it printed. */
  const output = () => log

  const steps = { medusa, install, configure, migrate, start, stop, remove }
  return { folder, url, env, database, ...steps, admin, output }
}

const USER_ID = "user_merchant"

const addUser = (databaseUrl: string) =>
  statement(databaseUrl, `INSERT INTO "user" (id, email) VALUES ('${USER_ID}', '${ADMIN.email}')`)

/** As Medusa signs it for somebody who has logged in. */
function tokenOf(userId: string): string {
  const written = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")
  const payload = { actor_id: userId, actor_type: "user", auth_identity_id: "" }
  const text = `${written({ alg: "HS256", typ: "JWT" })}.${written(payload)}`
  return `${text}.${createHmac("sha256", JWT_SECRET).update(text).digest("base64url")}`
}

/** As npm puts them there: a package by each name, of those that the checkout has. */
async function link(folder: string, names: string[]): Promise<void> {
  for (const name of names) {
    const [from, to] = [ROOT, folder].map((place) => join(place, "node_modules", name))
    if (!from || !to || existsSync(to) || !existsSync(from)) continue
    await mkdir(dirname(to), { recursive: true })
    await symlink(from, to)
  }
}

type Manifest = Record<"dependencies" | "peerDependencies" | "bin", Record<string, string>>

/** The plugin itself is no link: what it requires is looked for here, and what it does not name is not found. */
async function unpack(folder: string, tarball: string): Promise<void> {
  const modules = join(folder, "node_modules")
  const plugin = join(modules, "medusa-plugin-svc")
  await mkdir(plugin)
  await command("tar", ["-xzf", tarball, "--strip-components=1", "-C", plugin], folder)
  const { dependencies, peerDependencies, bin } = JSON.parse(
    await readFile(join(plugin, "package.json"), "utf8"),
  ) as Manifest
  await link(folder, [...Object.keys({ ...dependencies, ...peerDependencies }), "@types"])
  await mkdir(join(modules, ".bin"))
  for (const [name, file] of Object.entries(bin)) {
    await symlink(join(plugin, file), join(modules, ".bin", name))
  }
}

async function manifest({ medusa, ui, dependencies }: FreshShopOptions): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>
  }
  const version = (name: string): string => {
    if (name === "@medusajs/ui") return ui ?? devDependencies[name] ?? "*"
    return (name.startsWith("@medusajs/") && medusa) || (devDependencies[name] ?? "*")
  }
  return JSON.stringify({
    name: "fresh-shop",
    private: true,
    dependencies: {
      ...Object.fromEntries(STARTER.map((name) => [name, version(name)])),
      ...dependencies,
    },
  })
}
