import { parseArgs } from "node:util"
import type { Command } from "./command"
import { doctor } from "./commands/doctor"
import { exportFile } from "./commands/export"
import { rotateKeys } from "./commands/rotate-keys"
import { sync } from "./commands/sync"
import { uninstall } from "./commands/uninstall"
import { CommandError, EXIT, type ExitCode, messageOf } from "./exit"
import { createStoreClient } from "./store-client"

/** Commands that speak to a running store. */
export const COMMANDS: Record<string, Command> = {
  doctor,
  sync,
  "rotate-keys": rotateKeys,
  export: exportFile,
  uninstall,
}

export const STORE_OPTIONS = `Options of every command that asks a store:

  --url <address>   the store (MEDUSA_BACKEND_URL, else http://localhost:9000)
  --json            print one JSON document: {ok, ...result} or {ok: false, error: {code, message, fix}}
  SVC_ADMIN_API_KEY a secret API key of the admin; an environment variable, so that no list of processes shows it

Exit codes: 0 well or done, 1 something critical or refused, 2 a wrong command line, 3 the store does not answer
`

const COMMON = {
  url: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const

/** Runs one command and says how the process ends. Prints; never throws. */
export async function runCommand(name: string, args: string[]): Promise<ExitCode> {
  const command = COMMANDS[name] as Command
  const json = args.includes("--json")
  try {
    const { values, words } = read(command, args)
    if (values.help) {
      process.stdout.write(
        `Usage: medusa-plugin-svc ${command.usage[0]}\n\n  ${command.usage[1]}\n\n${STORE_OPTIONS}`,
      )
      return EXIT.ok
    }
    const apiKey = process.env.SVC_ADMIN_API_KEY
    if (!apiKey) {
      throw new CommandError(
        "api_key_missing",
        "SVC_ADMIN_API_KEY is not set.",
        "Make a secret API key in the admin (Settings → Secret API keys) and set SVC_ADMIN_API_KEY to it.",
        EXIT.usage,
      )
    }
    const url = values.url || process.env.MEDUSA_BACKEND_URL || "http://localhost:9000"
    const { result, exit, problem } = await command.run({
      store: createStoreClient(String(url), apiKey),
      values,
      words,
      say: (line) => {
        if (!json) process.stdout.write(`${line}\n`)
      },
    })
    if (json) {
      print({ ok: exit === EXIT.ok, ...(result as object), ...(problem && errorOf(problem)) })
    } else if (problem) complain(problem)
    return exit
  } catch (error) {
    const failure = asCommandError(error)
    if (json) print({ ok: false, ...errorOf(failure) })
    else complain(failure)
    return failure.exit
  }
}

const errorOf = ({ code, message, fix }: CommandError) => ({ error: { code, message, fix } })

const complain = ({ message, fix }: CommandError): void => {
  process.stderr.write(`${message}\n→ ${fix}\n`)
}

function read(command: Command, args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...COMMON, ...command.options },
      allowPositionals: true,
    })
    // A connection without its option's name, or an empty variable, would be passed over, and all connections meant.
    const [unread] = positionals.slice(command.words ?? 0)
    if (unread !== undefined) throw new Error(`"${unread}" is no part of this command.`)
    const empty = Object.entries(values).find(([, value]) => value === "")
    if (empty) throw new Error(`--${empty[0]} has no value.`)
    return { values: values as Record<string, string | boolean | undefined>, words: positionals }
  } catch (error) {
    throw new CommandError(
      "wrong_usage",
      messageOf(error),
      `Usage: medusa-plugin-svc ${command.usage[0]}`,
      EXIT.usage,
    )
  }
}

const print = (document: object): void => {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

const asCommandError = (error: unknown): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(
        "unexpected",
        messageOf(error),
        "Report it, with the command that you ran.",
        EXIT.problem,
      )
