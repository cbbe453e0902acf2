/** `/_sandbox/journal`: looks up and waits for what was called. */

import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { parse, slice, window } from "../contract/input"
import type { Context } from "../store/context"
import { parseQuery } from "../store/journal-query"
import type { Route } from "./route"

const search = {
  q: z.string().default(""),
  order: z.enum(["asc", "desc"]).default("asc"),
  ...window,
}
export type JournalSearch = Partial<z.input<z.ZodObject<typeof search>>>

const waiting = z.strictObject({
  q: z.string().default(""),
  count: z.int().min(1).default(1),
  timeout_ms: z.int().min(0).max(60_000).default(5000),
})

export function journal(route: Route, { journal }: Context): void {
  route(
    "GET",
    "/journal",
    ({ query }) => {
      const found = journal.find(parseQuery(query.q))
      if (query.order === "desc") found.reverse()
      return { entries: slice(found, query, 1000, 20_000), count: found.length }
    },
    search,
  )
  route("POST", "/journal/wait", async ({ body }) => {
    const { q, count, timeout_ms } = parse(waiting, body)
    const entries = await journal.wait(parseQuery(q), count, timeout_ms)
    if (entries.length >= count) return { entries, count: entries.length }
    throw new SandboxError(
      408,
      "not_found_in_time",
      `${entries.length} of ${count} entries matched "${q}" within ${timeout_ms} ms.`,
    )
  })
  route("DELETE", "/journal", () => {
    journal.clear()
    return { deleted: true }
  })
}
