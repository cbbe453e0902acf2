/** What `npm run demo` is told by its arguments and the environment. */
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { wasLeftBehind } from "../../tools/folder-owner"
import { isPortFree } from "../../tools/ports"

const ROOT = resolve(__dirname, "../..")
/** Everything the demo keeps; a dot-folder, because Medusa's watcher leaves those alone. */
export const HOME = resolve(ROOT, process.env.DEMO_DIRECTORY || ".demo")
export const HOST = "127.0.0.1"

export const USAGE = `Usage: npm run demo [-- --new-show] [-- --evening] [-- --reset]

Starts a shop, a local svc (the sandbox) and a storefront, connected and filled.

  --new-show   start another show, where the last one has ended
  --evening    play a whole show in half a minute: planned, live, a price drop, sold out, over, a refund
  --reset      forget everything of earlier runs and start over
  --reset-database <name>
               with --reset and DATABASE_URL: yes, empty this database of that server

DATABASE_URL      use this Postgres (15 or newer) instead of one of its own
PORT              the store and its admin (9000)
SANDBOX_PORT      the sandbox (9400)
STOREFRONT_PORT   the storefront (8000)
DEMO_DIRECTORY    where database, keys and logs are kept (.demo)
`

/** A message for people instead of a stack. */
class DemoError extends Error {}

export type Ports = { store: number; sandbox: number; storefront: number }

export type Settings = {
  ports: Ports
  reset: boolean
  newShow: boolean
  evening: boolean
  databaseUrl: string | undefined
}

const PORT_VARIABLES = {
  store: { variable: "PORT", usual: 9000, what: "The store" },
  sandbox: { variable: "SANDBOX_PORT", usual: 9400, what: "The sandbox" },
  storefront: { variable: "STOREFRONT_PORT", usual: 8000, what: "The storefront" },
} as const

function port(name: keyof Ports): number {
  const { variable, usual } = PORT_VARIABLES[name]
  const text = process.env[variable]
  const value = text ? Number(text) : usual
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new DemoError(`${variable} is "${text}"; it must be a number from 1 to 65535.`)
  }
  return value
}

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  reset: { type: "boolean", default: false },
  "reset-database": { type: "string" },
  "new-show": { type: "boolean", default: false },
  evening: { type: "boolean", default: false },
} as const

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new DemoError(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** @returns undefined when only the usage was asked for */
export function readSettings(args: string[]): Settings | undefined {
  const values = readArguments(args)
  if (values.help) return undefined
  const databaseUrl = process.env.DATABASE_URL || undefined
  if (databaseUrl && !URL.canParse(databaseUrl)) throw new DemoError("DATABASE_URL is no address.")
  if (values.reset && databaseUrl) assertMayEmpty(databaseUrl, values["reset-database"])
  return {
    ports: { store: port("store"), sandbox: port("sandbox"), storefront: port("storefront") },
    reset: values.reset,
    newShow: values["new-show"],
    evening: values.evening,
    databaseUrl,
  }
}

/** Many have DATABASE_URL exported for a shop of their own; `--reset` must not cost them that. */
function assertMayEmpty(databaseUrl: string, allowed: string | undefined) {
  const { host, pathname } = new URL(databaseUrl)
  const name = decodeURIComponent(pathname.slice(1))
  if (name && name === allowed) return
  throw new DemoError(
    `DATABASE_URL is set, so --reset would delete everything in the database "${name}" at ${host}.\n` +
      "To start over with the demo's own Postgres: unset DATABASE_URL\n" +
      `To empty that database: npm run demo -- --reset --reset-database ${name}`,
  )
}

/** What a killed run has started ends by itself, at most this much later. */
const ORPHANS_END_WITHIN_MS = 15_000

export async function assertPortsFree(ports: Ports) {
  const until = Date.now() + ((await wasLeftBehind(HOME)) ? ORPHANS_END_WITHIN_MS : 0)
  const names = Object.keys(ports) as (keyof Ports)[]
  const taken: string[] = []
  for (const name of names) {
    if (await freeBefore(ports[name], until)) continue
    const { variable, what } = PORT_VARIABLES[name]
    taken.push(
      `${what} needs port ${ports[name]} of ${HOST}, and another program has it. ` +
        `Stop that program, or choose another port: ${variable}=${ports[name] + 10} npm run demo`,
    )
  }
  if (taken.length > 0) throw new DemoError(taken.join("\n"))
}

async function freeBefore(port: number, until: number): Promise<boolean> {
  while (!(await isPortFree(port))) {
    if (Date.now() > until) return false
    await new Promise((resolveNow) => setTimeout(resolveNow, 100))
  }
  return true
}

/** Made once: with another key the stored tokens could not be read again. */
export async function encryptionKeys(): Promise<string> {
  if (process.env.SVC_ENCRYPTION_KEYS) return process.env.SVC_ENCRYPTION_KEYS
  await mkdir(HOME, { recursive: true })
  const path = join(HOME, "encryption-keys")
  const kept = await readFile(path, "utf8").catch(() => "")
  if (kept) return kept.trim()
  const made = `demo:${randomBytes(32).toString("base64")}`
  await writeFile(path, made, { mode: 0o600 })
  return made
}
