/** Every call in and out, with a small language to look for them. */

import type { JournalEntry } from "../../../../store/journal"
import { section, useDashboard } from "../dashboard"
import { clockTime, plural, pretty } from "../format"
import { Button, Code, confirmed, Empty, Exchange, Head, More, Search, State } from "../parts"
import { href, replaceQuery } from "../router"
import { svc } from "../service"

const STEP = 80

const EXAMPLES = [
  "endpoint:products",
  "endpoint:price",
  "status:>=400",
  "direction:out",
  "topic:live_event_product.*",
  "endpoint:process_orders",
]

const DIRECTIONS = { in: "to the service", out: "from the service" }

export const journal = section(
  ({ query }) => svc.journal.find({ q: query.q, order: "desc", limit: Number(query.show ?? STEP) }),

  function Journal({ data: { entries, count } }) {
    const { query } = useDashboard()
    return (
      <>
        <Head title="Journal" text={count > 0 && plural(count, "call")}>
          <Button
            label="Empty it"
            tone="quiet"
            run={confirmed("Empty the journal?", svc.journal.clear)}
          />
        </Head>
        <div class="stack gap-16">
          <Search
            value={query.q}
            label="Search the journal"
            placeholder="endpoint:products status:>=400"
            testid="journal-search"
            search={(q) => replaceQuery({ q })}
          />
          <div class="row">
            {EXAMPLES.map((q) => (
              <a key={q} class="part example state tone" href={href(["journal"], { q })}>
                {q}
              </a>
            ))}
          </div>
        </div>
        {entries.length === 0 ? (
          <Empty
            sign="list"
            title={query.q ? "No call is like that" : "No call yet"}
            text={
              query.q
                ? "All terms must hold at once; take one away."
                : "Every call of the service and every delivery is written down here."
            }
          />
        ) : (
          <ul class="entries panel divided">
            {entries.map((entry) => (
              <li key={entry.seq}>
                <Entry entry={entry} />
              </li>
            ))}
          </ul>
        )}
        <More path="journal" query={query} shown={entries.length} count={count} step={STEP} />
      </>
    )
  },
)

function Entry({ entry }: { entry: JournalEntry }) {
  const { direction, at, method, topic, path, fault, status, ms, request, response } = entry
  return (
    <details>
      <summary class="row nowrap gap-12">
        <span
          class="direction"
          data-direction={direction}
          role="img"
          aria-label={DIRECTIONS[direction]}
          title={DIRECTIONS[direction]}
        >
          {direction === "in" ? "→" : "←"}
        </span>
        <time class="soft wide-only">{clockTime(at)}</time>
        <code class="soft wide-only" style={{ width: 48 }}>
          {method}
        </code>
        <code class="path grow truncate">{topic ?? path}</code>
        {fault && <State state="fault" word={fault} />}
        <code class="status" data-failed={status === null || status >= 400 || undefined}>
          {status ?? "no answer"}
        </code>
        <span class="soft numeric wide-only" style={{ width: 72 }}>
          {Math.round(ms)} ms
        </span>
      </summary>
      <Exchange
        request={<Code text={pretty(request)} label="Request" />}
        answer={<Code text={pretty(response)} label="Answer" />}
      />
    </details>
  )
}
