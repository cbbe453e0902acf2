import { setTimeout as sleep } from "node:timers/promises"
import type { Sync } from "../../api/admin/svc/connections/[id]/sync/view"
import { type Command, connectionsOf, type Outcome, type Task } from "../command"
import { CommandError, EXIT } from "../exit"
import type { StoreClient } from "../store-client"

const LOOK_MS = 1_000

/** For how long nothing may move: a worker that has taken an import moves it every few seconds. */
const STUCK_MS = 300_000

const FAILED = new Set(["failed", "cancelled"])

/** Sends the catalog: compares every product with what the service has. */
export const sync: Command = {
  usage: [
    "sync [--connection <id>] [--force] [--preview] [--wait]",
    "send the catalog: what differs, or with --force everything; --preview sends nothing",
  ],
  options: {
    connection: { type: "string" },
    force: { type: "boolean" },
    preview: { type: "boolean" },
    wait: { type: "boolean" },
  },
  async run(task) {
    const { store, values, say } = task
    const connections = await connectionsOf(task)
    if (!values.preview)
      return sendCatalog(task, connections, values.wait ? Number.POSITIVE_INFINITY : 0)
    const results: unknown[] = []
    for (const { id, name } of connections) {
      const path = `${pathOf(id)}/preview`
      const preview = await store.post<Record<string, unknown>>(path, bodyOf(task))
      say(`${name}: ${JSON.stringify(preview)}`)
      results.push({ connection_id: id, ...preview })
    }
    return { result: { connections: results }, exit: EXIT.ok }
  },
}

const pathOf = (connectionId: string) => `/admin/svc/connections/${connectionId}/sync`
const bodyOf = ({ values }: Task) => ({ force: values.force === true })

/**
 * Sends the catalog to every market at once.
 *
 * @param connections the markets
 * @param patienceMs for how long a market is waited for that says why it stands still (for five minutes where it does not
 *   say); 0: nobody waits for any
 */
export async function sendCatalog(
  task: Task,
  connections: { id: string; name: string }[],
  patienceMs: number,
): Promise<Outcome> {
  const { store, say } = task
  const begun: { id: string; name: string; sync: Sync }[] = []
  const results: unknown[] = []
  let problem: CommandError | undefined
  for (const { id, name } of connections) {
    try {
      begun.push({ id, name, ...(await begin(task, pathOf(id))) })
    } catch (error) {
      if (!isRunning(error)) throw error
      const { code, message } = error
      say(`${name}: ${message}`)
      results.push({ connection_id: id, error: { code, message } })
      problem ??= error
    }
  }
  let failed = problem !== undefined
  for (const { id, name, sync: first } of begun) {
    const tell = (line: string) => say(`${name}: ${line}`)
    const seen = patienceMs > 0 ? await finished(store, pathOf(id), patienceMs, tell) : first
    tell(`${seen.status}, ${seen.done} of ${seen.total}, ${seen.failed} failed`)
    if (seen.reason) say(`  ${seen.reason.message}\n  → ${seen.reason.fix}`)
    // Whoever waits wants to hear that all was sent: not while it is paused.
    const isUndone = patienceMs > 0 ? seen.status !== "completed" : FAILED.has(seen.status)
    if (isUndone || seen.failed > 0) failed = true
    results.push({ connection_id: id, sync: seen })
  }
  const exit = failed ? EXIT.problem : EXIT.ok
  return { result: { connections: results }, exit, ...(problem && { problem }) }
}

const isRunning = (error: unknown): error is CommandError =>
  error instanceof CommandError && error.code === "sync_running"

/** Whoever waits for an import waits for one that runs already, too, unless everything is to be sent again. */
async function begin(task: Task, path: string): Promise<{ sync: Sync }> {
  const { store, values } = task
  try {
    return await store.post<{ sync: Sync }>(path, bodyOf(task))
  } catch (error) {
    if (!isRunning(error) || values.wait !== true || values.force === true) throw error
    return store.get<{ sync: Sync }>(path)
  }
}

async function finished(
  store: StoreClient,
  path: string,
  patienceMs: number,
  tell: (line: string) => void,
): Promise<Sync> {
  let movedAt = Date.now()
  for (let last = ""; ; await sleep(LOOK_MS)) {
    const { sync: seen } = await store.get<{ sync: Sync }>(path)
    if (seen.status !== "running") return seen
    const waits = seen.reason ? `: ${seen.reason.message}` : ""
    const line = `${seen.done + seen.failed} of ${seen.total}${waits}`
    if (line !== last) {
      tell(line)
      movedAt = Date.now()
    }
    if (Date.now() - movedAt >= (seen.reason ? patienceMs : Math.max(patienceMs, STUCK_MS))) {
      if (!seen.reason) tell("nothing moves; GET /admin/svc/health says whether a worker runs")
      return seen
    }
    last = line
  }
}
