/** The request log: every webhook delivery. */
import { h } from "/player/view.js"
import { get } from "../api.js"
import { plural } from "../format.js"
import { ago, empty, head, segments, stateBadge, table } from "../parts.js"
import { go, href } from "../router.js"

const PAGE_SIZE = 50

const STATES = [
  ["", "All"],
  ["delivered", "Delivered"],
  ["pending", "Pending"],
  ["failed", "Failed"],
  ["dropped", "Dropped"],
]

export const deliveries = {
  async load({ page, query }) {
    const [log, { subscribers }] = await Promise.all([
      get("/deliveries", {
        page_uid: page.uid,
        state: query.state,
        subscriber_uid: query.subscriber,
        topic: query.topic,
        limit: Number(query.show ?? PAGE_SIZE),
      }),
      get("/subscribers", { page_uid: page.uid }),
    ])
    return { ...log, subscribers }
  },

  view(ctx, { deliveries: log, count, subscribers }, { query }) {
    const filter = (change) => go(["deliveries"], { ...query, show: undefined, ...change })
    const nameOf = (uid) => subscribers.find((one) => one.uid === uid)?.name ?? uid
    const filtered = query.state || query.topic || query.subscriber
    return [
      head("Deliveries", count > 0 && plural(count, "delivery", "deliveries")),
      h(
        "div.filters",
        null,
        segments(STATES, query.state ?? "", (state) => filter({ state }), "State"),
        subscribers.length > 1 &&
          h(
            "select",
            {
              "aria-label": "Subscriber",
              value: query.subscriber ?? "",
              onchange: ({ currentTarget }) => filter({ subscriber: currentTarget.value }),
            },
            h("option", { value: "" }, "All subscribers"),
            subscribers.map(({ uid, name }) => h("option", { value: uid }, name)),
          ),
      ),
      count === 0
        ? nothing(filtered, subscribers.length)
        : table(
            [
              { name: "Topic" },
              { name: "State" },
              { name: "Answer" },
              { name: "Attempts", align: "right" },
              { name: "Subscriber" },
              { name: "When" },
            ],
            log.map((delivery) => row(ctx, delivery, nameOf)),
          ),
      log.length < count &&
        h(
          "a.button.plain.more",
          { href: href(["deliveries"], { ...query, show: String(log.length + PAGE_SIZE) }) },
          `Show more of ${count.toLocaleString()}`,
        ),
    ]
  },
}

function nothing(filtered, subscribers) {
  if (filtered) {
    return empty({
      sign: "send",
      title: "No such delivery",
      text: "Nothing in the log is like that.",
      action: h("a.button.plain", { href: href(["deliveries"]) }, "Show all"),
    })
  }
  return subscribers === 0
    ? empty({
        sign: "webhook",
        title: "Nobody to deliver to",
        text: "Register a webhook first. From then on every change of a show is delivered and shown here.",
        action: h("a.button.primary", { href: href(["subscribers"]) }, "To the webhooks"),
      })
    : empty({
        sign: "send",
        title: "Nothing was sent yet",
        text: "Plan or change a show, or send a test from the subscriber.",
        action: h("a.button.primary", { href: href(["shows"]) }, "To the shows"),
      })
}

/** What the receiver said last. */
function answer({ attempts, next_attempt_at, state }, ctx) {
  const last = attempts.at(-1)
  if (!last) {
    return h("span.soft", null, "on its way")
  }
  return [
    h("code", null, last.status ?? last.error),
    state === "pending" &&
      next_attempt_at &&
      h("span.soft", null, " again ", ago(ctx, next_attempt_at)),
  ]
}

function row(ctx, delivery, nameOf) {
  return h(
    "tr",
    { key: delivery.id, "data-testid": "delivery", "data-topic": delivery.topic },
    h(
      "td",
      null,
      h("a.row-link", { href: href(["deliveries", delivery.id]) }, h("code", null, delivery.topic)),
    ),
    h("td", null, stateBadge(delivery.state)),
    h("td", null, answer(delivery, ctx)),
    h("td", { "data-align": "right" }, delivery.attempts.length),
    h("td", null, nameOf(delivery.subscriber_uid)),
    h("td", null, ago(ctx, delivery.created_at)),
  )
}
