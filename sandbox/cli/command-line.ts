/** The command `svc-sandbox`: its flags and environment. */

import { parseArgs } from "node:util"
import type { SandboxOptions } from "../server"

export const USAGE = `Usage: svc-sandbox [options]

Runs a local svc: the whole service interface, a dashboard and a player.

  --port <number>     port to listen on (SANDBOX_PORT, 9400; 0 takes a free one)
  --host <address>    address to listen on (SANDBOX_HOST, 127.0.0.1)
  --file <path>       keep the state in this file between starts (SANDBOX_FILE)
  --seed <text>       repeatable ids, keys and random choices (SANDBOX_SEED)
  --page <uid:token>  one more page beside demo-page; may be repeated (SANDBOX_PAGES, comma list)
  --help              this text
`

export class UsageError extends Error {}

/**
 * @param args  what follows the command's name
 * @returns null where the help is asked for
 * @throws UsageError, or an error of `parseArgs`
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): SandboxOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      host: { type: "string" },
      file: { type: "string" },
      seed: { type: "string" },
      page: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
    },
  })
  if (values.help) return null
  const port = values.port ?? (env.SANDBOX_PORT || "9400")
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`"${port}" is no port: a number from 0 to 65535.`)
  }
  const pages = values.page ?? env.SANDBOX_PAGES?.split(",").filter(Boolean) ?? []
  return {
    port: Number(port),
    host: values.host ?? (env.SANDBOX_HOST || undefined),
    file: values.file ?? (env.SANDBOX_FILE || undefined),
    seed: values.seed ?? (env.SANDBOX_SEED || undefined),
    pages: pages.map(readPage),
  }
}

function readPage(text: string): { uid: string; api_token?: string } {
  const [, uid, token] = /^([^:]+)(?::(.+))?$/.exec(text) ?? []
  if (!uid) throw new UsageError(`"${text}" is no page: uid:token.`)
  return token ? { uid, api_token: token } : { uid }
}
