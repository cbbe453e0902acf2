import type { Command } from "../command"
import { CommandError, EXIT } from "../exit"

const FILTERS = ["connection", "topic", "outcome", "from", "to"] as const

/** Judges deliveries of the inbox again: after an update that knows their topic, or when the database is well again. */
export const replay: Command = {
  usage: [
    "replay [--connection <id>] [--topic <t>] [--outcome <o>] [--from <time>] [--to <time>]",
    "apply deliveries again that match; at least one filter",
  ],
  options: {
    connection: { type: "string" },
    topic: { type: "string" },
    outcome: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
  },
  async run({ store, values, say }) {
    const filters = Object.fromEntries(
      FILTERS.flatMap((name) =>
        values[name] === undefined
          ? []
          : [[name === "connection" ? "connection_id" : name, values[name]]],
      ),
    )
    if (Object.keys(filters).length === 0) {
      throw new CommandError(
        "filter_missing",
        "Without a filter every delivery would be applied again.",
        "Name what to replay, for example: replay --outcome failed",
        EXIT.usage,
      )
    }
    const { count } = await store.post<{ count: number }>("/admin/svc/deliveries/replay", {
      filters,
    })
    say(`${count} deliveries are due again; they are applied in the background.`)
    return { result: { count }, exit: EXIT.ok }
  },
}
