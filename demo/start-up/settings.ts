/** What `npm run demo` is told by its arguments and the environment. */
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isPortFree } from "../../tools/ports"
import { lastRunWasKilled } from "../../tools/postgres"

export const ROOT = resolve(__dirname, "../..")
/** Everything the demo keeps; a dot-folder, because Medusa's watcher leaves those alone. */
export const HOME = resolve(ROOT, process.env.DEMO_DIRECTORY || ".demo")
export const HOST = "127.0.0.1"

export const USAGE = `Usage: npm run demo [-- --reset]

Starts a shop, a local svc (the sandbox) and a storefront, connected and filled.

  --reset   forget everything of earlier runs and start over

DATABASE_URL      use this Postgres (15 or newer) instead of one of its own
PORT              the store and its admin (9000)
SANDBOX_PORT      the sandbox (9400)
STOREFRONT_PORT   the storefront (8000)
DEMO_DIRECTORY    where database, keys and logs are kept (.demo)
`

/** A message for people instead of a stack. */
export class DemoError extends Error {}

export type Ports = { store: number; sandbox: number; storefront: number }

export type Settings = { ports: Ports; reset: boolean; databaseUrl: string | undefined }

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

/** @returns undefined when only the usage was asked for */
export function readSettings(args: string[]): Settings | undefined {
  if (args.includes("--help") || args.includes("-h")) return undefined
  const unknown = args.filter((arg) => arg !== "--reset")
  if (unknown.length > 0) throw new DemoError(`Unknown: ${unknown.join(" ")}\n\n${USAGE}`)
  return {
    ports: { store: port("store"), sandbox: port("sandbox"), storefront: port("storefront") },
    reset: args.includes("--reset"),
    databaseUrl: process.env.DATABASE_URL || undefined,
  }
}

/** What a killed run has started ends by itself, at most this much later. */
const ORPHANS_END_WITHIN_MS = 15_000

export async function assertPortsFree(ports: Ports) {
  const until = Date.now() + ((await lastRunWasKilled(HOME)) ? ORPHANS_END_WITHIN_MS : 0)
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
