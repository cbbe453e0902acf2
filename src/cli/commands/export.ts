import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Command, Values } from "../command"
import { CommandError, EXIT } from "../exit"

const KINDS = ["ledger", "results"]
const FILTERS = ["from", "to", "campaign_uid", "connection_id", "group_by", "timezone"] as const

/** Writes the ledger or the results of shows as CSV: to a file, or to the standard output. */
export const exportFile: Command = {
  usage: [
    "export ledger|results [--out <file>] [--from <time>] [--to <time>] [--connection <id>] [--campaign <uid>] [--group-by <what>] [--timezone <name>]",
    "as CSV; the standard output where no file is named",
  ],
  words: 1,
  options: {
    out: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    connection: { type: "string" },
    campaign: { type: "string" },
    "group-by": { type: "string" },
    timezone: { type: "string" },
  },
  async run({ store, values, words, say }) {
    const [kind = ""] = words
    if (!KINDS.includes(kind)) {
      throw new CommandError(
        "what_missing",
        "It is not said what to export.",
        "Name one: export ledger, or export results",
        EXIT.usage,
      )
    }
    const { out } = values
    if (values.json && typeof out !== "string") {
      throw new CommandError(
        "out_missing",
        "With --json the standard output is for the result, not for the file.",
        "Name a file: --out ledger.csv",
        EXIT.usage,
      )
    }
    const given: Values = {
      ...values,
      campaign_uid: values.campaign,
      connection_id: values.connection,
      group_by: values["group-by"],
    }
    const query = new URLSearchParams(
      FILTERS.flatMap((name) => {
        const value = given[name]
        return typeof value === "string" ? [[name, value]] : []
      }),
    )
    const file = Readable.from(await store.download(`/admin/svc/${kind}?${query}`))
    let bytes = 0
    file.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length
    })
    if (typeof out === "string") await pipeline(file, createWriteStream(out))
    else await pipeline(file, process.stdout, { end: false })
    if (typeof out === "string") say(`${out}: ${bytes} bytes`)
    return { result: { file: out ?? null, bytes }, exit: EXIT.ok }
  },
}
