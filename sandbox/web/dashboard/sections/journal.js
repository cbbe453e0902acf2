/** Every call in and out, with a small language to look for them. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get, remove } from "../api.js"
import { clockTime, plural, pretty } from "../format.js"
import { button, code, confirmed, empty, head } from "../parts.js"
import { href, replaceQuery } from "../router.js"

const PAGE_SIZE = 80
const SEARCH_MS = 250
let typing = null

const EXAMPLES = [
  "endpoint:products",
  "endpoint:price",
  "status:>=400",
  "direction:out",
  "topic:live_event_product.*",
  "endpoint:process_orders",
]

export const journal = {
  load: ({ query }) =>
    get("/journal", { q: query.q, order: "desc", limit: Number(query.show ?? PAGE_SIZE) }),

  view(ctx, { entries, count }, { query }) {
    return [
      head(
        "Journal",
        count > 0 && plural(count, "call"),
        button(ctx, {
          label: "Empty it",
          tone: "quiet",
          run: confirmed("Empty the journal?", () => remove("/journal")),
        }),
      ),
      h(
        "label.search",
        null,
        icon("search"),
        h("input", {
          type: "search",
          value: query.q ?? "",
          placeholder: "endpoint:products status:>=400",
          "aria-label": "Search the journal",
          "data-testid": "journal-search",
          spellcheck: "false",
          oninput: ({ currentTarget }) => {
            clearTimeout(typing)
            typing = setTimeout(() => replaceQuery({ q: currentTarget.value }), SEARCH_MS)
          },
        }),
      ),
      h(
        "div.examples",
        null,
        EXAMPLES.map((q) => h("a.example", { href: href(["journal"], { q }) }, q)),
      ),
      entries.length === 0
        ? empty({
            sign: "list",
            title: query.q ? "No call is like that" : "No call yet",
            text: query.q
              ? "All terms must hold at once; take one away."
              : "Every call of the service and every delivery is written down here.",
          })
        : h("ul.entries", null, entries.map(entry)),
      entries.length < count &&
        h(
          "a.button.plain.more",
          { href: href(["journal"], { ...query, show: String(entries.length + PAGE_SIZE) }) },
          `Show more of ${count.toLocaleString()}`,
        ),
    ]
  },
}

const DIRECTIONS = { in: "to the service", out: "from the service" }

function entry(one) {
  const failed = one.status === null || one.status >= 400
  return h(
    "li",
    { key: one.seq },
    h(
      "details.entry",
      null,
      h(
        "summary",
        null,
        h(
          "span.direction",
          {
            "data-direction": one.direction,
            role: "img",
            "aria-label": DIRECTIONS[one.direction],
            title: DIRECTIONS[one.direction],
          },
          one.direction === "in" ? "→" : "←",
        ),
        h("time", null, clockTime(one.at)),
        h("code.method", null, one.method),
        h("code.path", null, one.topic ? `${one.topic}` : one.path),
        one.fault && h("span.state", { "data-tone": "violet" }, icon("bolt"), one.fault),
        h("code.status", { "data-failed": failed }, one.status ?? "no answer"),
        h("span.soft.ms", null, `${Math.round(one.ms)} ms`),
      ),
      h(
        "div.exchange",
        null,
        h("section", null, h("h2", null, "Request"), code(pretty(one.request), "Request")),
        h("section", null, h("h2", null, "Answer"), code(pretty(one.response), "Answer")),
      ),
    ),
  )
}
