import type { Health } from "../../api/admin/svc/health/view"
import { type Command, connectionsOf } from "../command"
import { EXIT } from "../exit"

/** What is shown of a problem of the store, and of a finding. */
type Problem = Pick<Health["problems"][number], "code" | "message" | "fix"> & { severity: string }

/** What is wrong, and what to do: the health document, and why deliveries do not arrive. */
export const doctor: Command = {
  usage: ["doctor [--connection <id>]", "what is wrong, why, and what to do"],
  options: { connection: { type: "string" } },
  async run(task) {
    const { store, say } = task
    const chosen = await connectionsOf(task)
    // A critical state is answered with 503, and is what we came for.
    const { health } = await store.get<{ health: Health }>("/admin/svc/health", [503])
    const mine = (id: string | null) => id === null || chosen.some((one) => one.id === id)
    const problems: (Problem & { connection: string | null })[] = health.problems
      .filter(({ connection_id }) => mine(connection_id))
      .map(({ connection_id, ...problem }) => ({ ...problem, connection: connection_id }))
    for (const { id } of chosen) {
      const { findings } = await store.get<{ findings: Problem[] }>(
        `/admin/svc/connections/${id}/webhook/doctor`,
      )
      const known = new Set(
        problems.flatMap(({ connection, message }) => (connection === id ? [message] : [])),
      )
      for (const { severity, code, message, fix } of findings) {
        if (severity === "info" || known.has(message)) continue
        problems.push({ severity, code, message, fix, connection: id })
      }
    }
    const worst = ["critical", "warning"].find((level) =>
      problems.some(({ severity }) => severity === level),
    )
    const names = new Map(chosen.map(({ id, name }) => [id, name]))
    for (const { severity, code, message, fix, connection } of problems) {
      const where = connection ? ` [${names.get(connection) ?? connection}]` : ""
      say(`${severity.toUpperCase()}${where} ${code}\n  ${message}\n  → ${fix}`)
    }
    if (!worst) say("All is well.")
    return {
      result: { status: worst ?? "ok", problems },
      exit: worst === "critical" ? EXIT.problem : EXIT.ok,
    }
  },
}
