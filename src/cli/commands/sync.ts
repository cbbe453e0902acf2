import { setTimeout as sleep } from "node:timers/promises"
import type { Sync } from "../../api/admin/svc/connections/[id]/sync/view"
import { type Command, connectionsOf } from "../command"
import { EXIT } from "../exit"
import type { StoreClient } from "../store-client"

const LOOK_MS = 1_000

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
    const results: unknown[] = []
    let failed = false
    for (const { id, name } of await connectionsOf(task)) {
      const path = `/admin/svc/connections/${id}/sync`
      const body = { force: values.force === true }
      if (values.preview) {
        const preview = await store.post<Record<string, unknown>>(`${path}/preview`, body)
        say(`${name}: ${JSON.stringify(preview)}`)
        results.push({ connection_id: id, ...preview })
        continue
      }
      const { sync: begun } = await store.post<{ sync: Sync }>(path, body)
      const seen = values.wait
        ? await finished(store, path, (line) => say(`${name}: ${line}`))
        : begun
      say(`${name}: ${seen.status}, ${seen.done} of ${seen.total}, ${seen.failed} failed`)
      if (seen.reason) say(`  ${seen.reason.message}\n  → ${seen.reason.fix}`)
      // Whoever waits wants to hear that all was sent: not while it is paused.
      const isUndone = values.wait ? seen.status !== "completed" : FAILED.has(seen.status)
      if (isUndone || seen.failed > 0) failed = true
      results.push({ connection_id: id, sync: seen })
    }
    return { result: { connections: results }, exit: failed ? EXIT.problem : EXIT.ok }
  },
}

async function finished(
  store: StoreClient,
  path: string,
  tell: (line: string) => void,
): Promise<Sync> {
  for (let last = ""; ; await sleep(LOOK_MS)) {
    const { sync: seen } = await store.get<{ sync: Sync }>(path)
    if (seen.status !== "running") return seen
    const waits = seen.reason ? `: ${seen.reason.message}` : ""
    const line = `${seen.done + seen.failed} of ${seen.total}${waits}`
    if (line !== last) tell(line)
    last = line
  }
}
