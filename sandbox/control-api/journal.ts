/** `/_sandbox/journal`: looks up, waits for and asserts what was called. */

import { z } from "zod"
import { errorAnswer, SandboxError } from "../contract/errors"
import { parse, slice, window } from "../contract/input"
import type { Context } from "../store/context"
import { type JournalEntry, journalEntry } from "../store/journal"
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

const assertion = z.strictObject({
  q: z.string(),
  count: z.int().min(0).optional(),
  at_least: z.int().min(0).optional(),
  at_most: z.int().min(0).optional(),
})
export type JournalAssertion = Omit<z.input<typeof assertion>, "q">

/** How many entries a failed assertion shows. */
const SHOWN_ENTRIES = 50

class AssertionFailed extends SandboxError {
  constructor(
    message: string,
    private readonly entries: JournalEntry[],
  ) {
    super(409, "assertion_failed", message)
  }

  override body() {
    const { entries } = this
    return { ...super.body(), count: entries.length, entries: entries.slice(-SHOWN_ENTRIES) }
  }
}

export function journal(route: Route, { journal }: Context): void {
  const answer = { entries: z.array(journalEntry), count: z.int() }
  route("GET", "/journal", { summary: "What was called", query: search, answer }, ({ query }) => {
    const found = journal.find(parseQuery(query.q))
    if (query.order === "desc") found.reverse()
    return { entries: slice(found, query, 1000, 20_000), count: found.length }
  })
  route(
    "POST",
    "/journal/wait",
    { summary: "Answers as soon as so many entries match", body: waiting, answer },
    async ({ body }) => {
      const { q, count, timeout_ms } = parse(waiting, body)
      const entries = await journal.wait(parseQuery(q), count, timeout_ms)
      if (entries.length >= count) return { entries, count: entries.length }
      throw new SandboxError(
        408,
        "not_found_in_time",
        `${entries.length} of ${count} entries matched "${q}" within ${timeout_ms} ms.`,
      )
    },
  )
  route(
    "POST",
    "/journal/assert",
    {
      summary: "Fails unless so many entries match",
      body: assertion,
      answer: { ok: z.literal(true), count: z.int() },
      failures: { 409: errorAnswer.extend(answer) },
    },
    ({ body }) => {
      const { q, count, at_least, at_most } = parse(assertion, body)
      const entries = journal.find(parseQuery(q))
      const n = entries.length
      const least = count ?? at_least ?? (at_most === undefined ? 1 : 0)
      const most = count ?? at_most ?? Number.POSITIVE_INFINITY
      if (n >= least && n <= most) return { ok: true as const, count: n }
      const wanted = least === most ? `${least}` : `${least} to ${most}`
      throw new AssertionFailed(`${n} entries match "${q}", not ${wanted}.`, entries)
    },
  )
  route(
    "DELETE",
    "/journal",
    { summary: "Empty the journal", answer: { deleted: z.literal(true) } },
    () => {
      journal.clear()
      return { deleted: true as const }
    },
  )
}
