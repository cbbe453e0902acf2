/**
 * The peer of the catalog's benchmark: Medusa's own Search module with `@rokmohar/medusa-plugin-meilisearch`, fields as its
 * default (no prices, no stock), filling an index of the same products of the same database. It is installed into
 * `.bench/` and is no dependency of this project.
 */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const ROOT = resolve(__dirname, "..")
const HOME = join(ROOT, ".bench/peer")
const NAME = "@rokmohar/medusa-plugin-meilisearch"
export const PEER = `${NAME} 2.2.0`

const run = promisify(execFile)

const CONFIG = `
const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: "", adminCors: "", authCors: "", jwtSecret: "bench", cookieSecret: "bench" },
  },
  modules: [{
    resolve: "@medusajs/medusa/search",
    options: { providers: [{
      resolve: "${NAME}/providers/meilisearch",
      id: "meilisearch",
      options: { config: { host: process.env.PEER_HOST } },
    }] },
  }],
})
`
const INDEX = `
const { defineProductSearchIndex } = require("${NAME}/indexes")
exports.__esModule = true
exports.default = defineProductSearchIndex()
`

/** Installs the peer, and has it make its tables and its index. */
export async function preparePeer(env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(join(HOME, "src/search"), { recursive: true })
  const manifest = (more: object) =>
    writeFile(join(HOME, "package.json"), JSON.stringify({ name: "peer", private: true, ...more }))
  await manifest({})
  await writeFile(join(HOME, "medusa-config.js"), CONFIG)
  await writeFile(join(HOME, "src/search/products.js"), INDEX)
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"]
  await run("npm", ["install", ...quiet, PEER.replace(" ", "@")], { cwd: HOME })
  // Medusa's commands want it named; it is this project's own that is found.
  await manifest({ dependencies: { "@medusajs/medusa": "*" } })
  await run(process.execPath, [medusa, "db:migrate", "--skip-scripts"], { cwd: HOME, env })
}

const medusa = join(ROOT, "node_modules/@medusajs/cli/cli.js")

/** How the peer is started: it fills its index as soon as it runs. */
export const peerProcess = { command: process.execPath, args: [medusa, "start"], cwd: HOME }
