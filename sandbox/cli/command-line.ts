/** The command `svc-sandbox`: what it can do, its flags and environment. */

import { parseArgs } from "node:util"
import { ControlError } from "../client/control-client"
import type { SandboxOptions } from "../server"
import { ADVERSARIES, FAULT_KINDS, type FaultKind } from "../simulation/faults"

export const USAGE = `Usage: svc-sandbox [options]                    runs a local svc
       svc-sandbox trigger <topic> [options]        lets the one that runs send a delivery
       svc-sandbox check <url> [options]            judges a webhook receiver
       svc-sandbox clock [13m | stop | run | idle]  shows or turns the time
       svc-sandbox faults ['<rule as JSON>' | off]  what goes wrong
       svc-sandbox profiles [name=value ... | off]  where the service differs
       svc-sandbox subscribers [<uid> test | activate]
       svc-sandbox journal [endpoint:price ...]     the latest calls; terms that begin with - behind --

The whole service interface, a dashboard and a player.

  --port <number>       port to listen on (SANDBOX_PORT, 9400; 0 takes a free one)
  --host <address>      address to listen on (SANDBOX_HOST, 127.0.0.1)
  --public-url <url>    where others reach it (SANDBOX_PUBLIC_URL)
  --file <path>         keep the state in this file between starts (SANDBOX_FILE)
  --seed <text>         repeatable ids, keys and random choices (SANDBOX_SEED)
  --page <uid:token>    one more page beside demo-page; may be repeated (SANDBOX_PAGES, comma list)
  --allow-http          take http addresses beyond this machine for webhooks (SANDBOX_ALLOW_HTTP=1)
  --help                this text

All but the first:

  --sandbox <url>       the sandbox that runs (http://127.0.0.1:9400)
  --page <uid>          its page (demo-page)
  --data <json>         trigger: the payload, in place of a sample
  --fault <kind>        trigger: what is wrong with these deliveries, and says what was answered, for example
                        ${ADVERSARIES.join(", ")}
  --key <key>           check: the receiver's signature key; without it that of the subscriber with this address
  --json                check: the report as JSON
`

export class UsageError extends Error {}

/** What the command says before it ends with 1. */
export function explain(error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE") {
    return `The port is taken: ${error.message}. Choose another with --port.\n`
  }
  if (error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS")) {
    return `${error.message}\n\n${USAGE}`
  }
  // A sandbox that runs elsewhere refused what `trigger` or `check` asked for.
  if (error instanceof ControlError) return `${error.detail}\n`
  return `The sandbox could not start: ${error.message}\n`
}

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
      "public-url": { type: "string" },
      file: { type: "string" },
      seed: { type: "string" },
      page: { type: "string", multiple: true },
      "allow-http": { type: "boolean" },
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
    publicUrl: address("--public-url", values["public-url"] ?? env.SANDBOX_PUBLIC_URL),
    file: values.file ?? (env.SANDBOX_FILE || undefined),
    seed: values.seed ?? (env.SANDBOX_SEED || undefined),
    pages: pages.map(readPage),
    allowHttp: values["allow-http"] ?? env.SANDBOX_ALLOW_HTTP === "1",
  }
}

export type CommandOptions = {
  /** The topic, or the receiver's address. */
  subject: string | undefined
  /** All that stands beside the flags. */
  words: string[]
  sandboxUrl: string
  pageUid: string
  data?: unknown
  /** What is wrong with the deliveries that are triggered. */
  fault: FaultKind | undefined
  key: string | undefined
  json: boolean
}

/**
 * What `trigger` and `check` are told.
 *
 * @throws UsageError, or an error of `parseArgs`
 */
export function readCommand(args: string[]): CommandOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sandbox: { type: "string" },
      page: { type: "string" },
      data: { type: "string" },
      fault: { type: "string" },
      key: { type: "string" },
      json: { type: "boolean" },
    },
  })
  return {
    subject: positionals[0],
    words: positionals,
    sandboxUrl: address("--sandbox", values.sandbox) ?? "http://127.0.0.1:9400",
    pageUid: values.page ?? "demo-page",
    ...(values.data !== undefined && { data: json(values.data) }),
    fault: faultKind(values.fault),
    key: values.key,
    json: values.json ?? false,
  }
}

function faultKind(text: string | undefined): FaultKind | undefined {
  const kinds = FAULT_KINDS.filter((kind) => kind !== "throttle")
  const found = kinds.find((kind) => kind === text)
  if (text !== undefined && !found) {
    throw new UsageError(`--fault: "${text}" is none of ${kinds.join(", ")}.`)
  }
  return found
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--data is not JSON: ${text}`)
  }
}

function address(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined
  if (!/^https?:/.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${name}: "${text}" is no http or https address.`)
  }
  return text
}

function readPage(text: string): { uid: string; api_token?: string } {
  const [, uid, token] = /^([^:]+)(?::(.+))?$/.exec(text) ?? []
  if (!uid) throw new UsageError(`"${text}" is no page: uid:token.`)
  return token ? { uid, api_token: token } : { uid }
}
