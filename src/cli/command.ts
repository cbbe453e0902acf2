import type { CommandError, ExitCode } from "./exit"
import type { StoreClient } from "./store-client"

export type Values = Record<string, string | boolean | undefined>

/** What a command is given. */
export type Task = {
  store: StoreClient
  values: Values
  /** What comes behind the command's name, besides options. */
  words: string[]
  /** A line for a person; with `--json` nothing but the result is printed. */
  say: (line: string) => void
}

/** What a command found or did: printed as JSON with `--json`. */
export type Outcome = {
  result: unknown
  exit: ExitCode
  /** What is left to be done, where something was done. */
  problem?: CommandError
}

export type Command = {
  /** One line of the list of commands: arguments and what it does. */
  usage: [string, string]
  /** How many words may come behind its name; none by default. */
  words?: number
  /** Options beside those that every command takes. */
  options: Record<string, { type: "string" | "boolean" }>
  run: (task: Task) => Promise<Outcome>
}

type Connection = { id: string; name: string }

/** The connections that a command is for: the one of `--connection`, or all. */
export async function connectionsOf({ store, values }: Task): Promise<Connection[]> {
  const chosen = values.connection
  if (typeof chosen === "string") {
    const { connection } = await store.get<{ connection: Connection }>(
      `/admin/svc/connections/${encodeURIComponent(chosen)}`,
    )
    return [connection]
  }
  return (await store.get<{ connections: Connection[] }>("/admin/svc/connections?limit=1000"))
    .connections
}
