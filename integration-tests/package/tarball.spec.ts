/**
 * What a merchant gets: the packed plugin in a Medusa application that knows nothing of this
 * repository. Built and started with Medusa's own commands, in a folder outside of the checkout.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { Client } from "@medusajs/framework/pg"
import { freePort } from "../../tools/ports"
import { launchBrowser, logIntoAdmin } from "../setup/browser"
import { findChromium } from "../setup/chromium"
import { eventually } from "../setup/market"
import { ROOT, TEST_ENCRYPTION_KEYS } from "../setup/medusa"
import { SLOW_START_MS } from "../setup/store-process"

const run = promisify(execFile)

const ADMIN = { email: "merchant@example.test", password: "correct horse battery staple" }

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

const CONFIG = `
const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // The test speaks plain HTTP, and Medusa's start command is a production one.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: { storeCors: "http://127.0.0.1", adminCors: "http://127.0.0.1", authCors: "http://127.0.0.1", jwtSecret: "test", cookieSecret: "test" },
  },
  plugins: [{ resolve: "medusa-plugin-svc", options: { allowInsecureUrls: true } }],
})
`

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
  },
  include: ["*.js"],
}

let folder = ""
let tarball = ""
let databaseUrl = ""
let databaseName = ""
let storeUrl = ""
let server: ChildProcess | undefined
let serverLog = ""
let files: string[] = []

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, npm_config_cache } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    npm_config_cache,
    DATABASE_URL: databaseUrl,
    SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    CI: "true",
    MEDUSA_DISABLE_TELEMETRY: "true",
  }
}

/** Fails with what the command printed, which is where npm and Medusa say what is wrong. */
async function command(program: string, args: string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(program, args, {
      cwd,
      env: environment(),
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    throw new Error(
      `${program} ${args.join(" ")} failed.\n${stdout.slice(-4000)}${stderr.slice(-4000)}`,
    )
  }
}

const medusa = (args: string[], cwd = folder) =>
  command(process.execPath, [join(folder, "node_modules/@medusajs/cli/cli.js"), ...args], cwd)

async function onServer(sql: string) {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function createApplication() {
  folder = await mkdtemp(join(tmpdir(), "fresh-shop-"))
  await command("npm", ["run", "--silent", "build"], ROOT)
  await command("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], ROOT)
  tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  files = (await command("tar", ["-tzf", tarball], folder)).trim().split("\n")

  const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>
  }
  const dependencies = Object.fromEntries(
    STARTER.map((name) => [name, devDependencies[name] ?? "*"]),
  )
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({
      name: "fresh-shop",
      private: true,
      dependencies: { ...dependencies, "medusa-plugin-svc": `file:${tarball}` },
    }),
  )
  await writeFile(join(folder, "medusa-config.js"), CONFIG)
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
  await mkdir(join(folder, "src"))
  await command(
    "npm",
    ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"],
    folder,
  )
}

async function startServer() {
  const port = await freePort()
  storeUrl = `http://127.0.0.1:${port}`
  // Medusa's own way to production: the built folder, which finds the modules above it.
  server = spawn(
    process.execPath,
    [
      join(folder, "node_modules/@medusajs/cli/cli.js"),
      "start",
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
    ],
    { cwd: join(folder, ".medusa/server"), env: environment(), stdio: ["ignore", "pipe", "pipe"] },
  )
  const keep = (chunk: Buffer) => {
    serverLog = (serverLog + chunk.toString()).slice(-8_000)
  }
  server.stdout?.on("data", keep)
  server.stderr?.on("data", keep)
  const until = Date.now() + 600_000
  while (Date.now() < until && server.exitCode === null) {
    const ready = await fetch(`${storeUrl}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`The fresh application did not start.\n${serverLog}`)
}

async function logIn(): Promise<{ authorization: string; "content-type": string }> {
  const json = { "content-type": "application/json" }
  const response = await fetch(`${storeUrl}/auth/user/emailpass`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(ADMIN),
  })
  const { token } = (await response.json()) as { token: string }
  return { ...json, authorization: `Bearer ${token}` }
}

describe("the packed plugin in a fresh Medusa application", () => {
  beforeAll(async () => {
    databaseName = `svc_package_${process.pid}`
    await onServer(`CREATE DATABASE "${databaseName}"`)
    const url = new URL(process.env.DATABASE_URL ?? "")
    url.pathname = `/${databaseName}`
    databaseUrl = url.href
    await createApplication()
    await medusa(["db:migrate", "--execute-safe-links"])
    await medusa(["user", "-e", ADMIN.email, "-p", ADMIN.password])
    await medusa(["build"])
    await startServer()
  }, SLOW_START_MS)

  afterAll(async () => {
    if (server && server.exitCode === null) {
      const gone = new Promise((resolve) => server?.once("exit", resolve))
      server.kill("SIGTERM")
      await gone
    }
    if (databaseName) await onServer(`DROP DATABASE IF EXISTS "${databaseName}" WITH (FORCE)`)
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it("contains the plugin, and nothing of the sandbox, the demo or the tests", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        "package/package.json",
        "package/.medusa/server/src/modules/svc/index.js",
        "package/.medusa/server/src/admin/index.mjs",
        "package/.medusa/server/storefront/esm/index.js",
        "package/.medusa/server/storefront/cjs/index.d.ts",
        "package/.medusa/server/storefront/svc-storefront.js",
        "package/.medusa/server/src/cli/bin.js",
      ]),
    )
    expect(
      files.filter((file) => /sandbox|demo|__tests__|integration-tests|benchmarks/.test(file)),
    ).toEqual([])
  })

  it("adds at most 120 kB to what a browser loads of the admin, with seven languages in it", async () => {
    const bundle = await readFile(
      join(folder, "node_modules/medusa-plugin-svc/.medusa/server/src/admin/index.mjs"),
    )
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(120_000)
  })

  it("takes little, and carries no source maps", async () => {
    expect((await stat(join(folder, tarball))).size).toBeLessThanOrEqual(540_000)
    const server = join(folder, "node_modules/medusa-plugin-svc/.medusa/server")
    const code = (await readdir(server, { recursive: true })).filter((file) => /js$/.test(file))
    const mapped = await Promise.all(
      code.map(async (file) => /sourceMappingURL/.test(await readFile(join(server, file), "utf8"))),
    )
    expect([code.length > 300, mapped.filter(Boolean)]).toEqual([true, []])
  })

  it("is without fault for publint and for attw", async () => {
    const tool = (name: string, args: string[]) =>
      command(join(ROOT, "node_modules/.bin", name), args, folder)
    expect(await tool("publint", ["--strict", tarball])).toContain("All good!")
    // The admin is for Vite alone: no types, and no second module format.
    const args = [tarball, "--exclude-entrypoints", "admin"]
    expect(await tool("attw", args)).toContain("No problems found")
  })

  it("lets its public entries be imported, and nothing else", async () => {
    const tried = ["workflows", "modules/svc", "testing", "client/client", "api/answer"]
    const program = `
      for (const name of ${JSON.stringify(tried)}) {
        try { require("medusa-plugin-svc/" + name); console.log("found") } catch ({ code }) { console.log(code) }
      }`
    const closed = "ERR_PACKAGE_PATH_NOT_EXPORTED"
    expect((await command(process.execPath, ["-e", program], folder)).trim().split("\n")).toEqual([
      "found",
      "found",
      "found",
      closed,
      closed,
    ])
  })

  it("brings no web server but Medusa's", async () => {
    const { dependencies } = JSON.parse(
      await readFile(join(folder, "node_modules/medusa-plugin-svc/package.json"), "utf8"),
    ) as { dependencies: object }
    expect(Object.keys(dependencies)).not.toContain("fastify")
  })

  it("answers the admin's health route, and only to an admin", async () => {
    const refused = await fetch(`${storeUrl}/admin/svc/health`)
    expect(refused.status).toBe(401)
    const response = await fetch(`${storeUrl}/admin/svc/health`, { headers: await logIn() })
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("application/json"),
    ])
  })

  it("answers the store's live events to a publishable key", async () => {
    const headers = await logIn()
    const { api_keys } = (await fetch(`${storeUrl}/admin/api-keys?type=publishable`, {
      headers,
    }).then((response) => response.json())) as { api_keys: { token: string }[] }
    const response = await fetch(`${storeUrl}/store/svc/live-events`, {
      headers: { "x-publishable-api-key": api_keys[0]?.token ?? "" },
    })
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ live_events: [] }),
    ])
  })

  it("gives a storefront its SDK, for both kinds of modules", async () => {
    const names = ["storefront", "storefront/react", "storefront/live-now"]
    const program = `
      const { createRequire } = require("node:module")
      const names = ${JSON.stringify(names)}.map((name) => "medusa-plugin-svc/" + name)
      Promise.all(names.map((name) => import(name))).then((modules) =>
        console.log(JSON.stringify([modules, names.map((name) => require(name))]
          .map((all) => all.flatMap((one) => Object.keys(one))))))`
    const [imported, required] = JSON.parse(
      await command(process.execPath, ["-e", program], folder),
    ) as string[][]
    for (const exported of [imported, required]) {
      expect(exported).toEqual(
        expect.arrayContaining(["connectPlayer", "useSvcPlayer", "SvcLiveNow"]),
      )
    }
  })

  it("says how to get the sandbox, and hands over to it where it is installed", async () => {
    const bin = join(folder, "node_modules/.bin/medusa-plugin-svc")
    await expect(command(bin, ["sandbox"], folder)).rejects.toThrow("npx svc-sandbox")

    const beside = await mkdtemp(join(tmpdir(), "with-sandbox-"))
    await command("npm", ["pack", "-w", "svc-sandbox", "--pack-destination", beside], ROOT)
    const tarball = (await readdir(beside)).find((name) => name.endsWith(".tgz")) ?? ""
    await writeFile(join(beside, "package.json"), '{ "private": true }')
    const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball]
    await command("npm", install, beside)
    const port = await freePort()
    const sandbox = spawn(bin, ["sandbox", "--port", String(port)], {
      cwd: beside,
      env: environment(),
      stdio: "ignore",
    })
    try {
      const health = await eventually(
        () => fetch(`http://127.0.0.1:${port}/_sandbox/health`),
        ({ status }) => status === 200,
      )
      expect(await health.json()).toMatchObject({ status: "ok" })
    } finally {
      sandbox.kill("SIGTERM")
      await rm(beside, { recursive: true, force: true })
    }
  })

  const withChromium = findChromium() ? it : it.skip

  withChromium("shows the settings page in the admin", async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(180_000)
      await logIntoAdmin(page, storeUrl, ADMIN)
      await page.goto(`${storeUrl}/app/settings/svc`)
      await page.getByText("No page is connected yet").waitFor()
      expect(await page.getByRole("heading", { name: "Live commerce" }).first().isVisible()).toBe(
        true,
      )
    } finally {
      await browser.close()
    }
  })
})
