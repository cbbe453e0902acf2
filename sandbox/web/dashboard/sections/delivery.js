/** One delivery: each attempt with its request and the receiver's answer. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get, post } from "../api.js"
import { dayAndSecond, duration, pretty } from "../format.js"
import { ago, button, card, code, copyable, head, stateBadge } from "../parts.js"
import { href } from "../router.js"

const TRIGGERS = {
  event: "when it happened",
  retry: "tried again",
  resend: "sent again by hand",
  duplicate: "a duplicate",
  test: "a test",
}

export const delivery = {
  async load({ id }) {
    const [{ delivery: one }, { subscribers }] = await Promise.all([
      get(`/deliveries/${encodeURIComponent(id)}`),
      get("/subscribers"),
    ])
    return { one, subscriber: subscribers.find(({ uid }) => uid === one.subscriber_uid) }
  },

  view(ctx, { one, subscriber }) {
    return [
      h("a.back", { href: href(["deliveries"]) }, icon("right"), "Deliveries"),
      head(
        one.topic,
        null,
        button(ctx, {
          label: "Send again",
          sign: "refresh",
          tone: "primary",
          testid: "resend",
          run: () => post(`/deliveries/${encodeURIComponent(one.id)}/resend`),
          done: "Sent again",
        }),
      ),
      card(
        null,
        h(
          "dl.facts",
          null,
          h("dt", null, "State"),
          h("dd", null, stateBadge(one.state)),
          h("dt", null, "Happened"),
          h("dd", null, dayAndSecond(one.occurred_at)),
          one.next_attempt_at && [
            h("dt", null, "Next attempt"),
            h("dd", null, ago(ctx, one.next_attempt_at)),
          ],
          h("dt", null, "Event"),
          h("dd", null, copyable(ctx, one.event_uid)),
          h("dt", null, "Subscriber"),
          h(
            "dd",
            null,
            subscriber
              ? h("a", { href: href(["subscribers"]) }, subscriber.name)
              : h("span.soft", null, "deleted since"),
            " ",
            h("code", null, one.subscriber_uid),
          ),
        ),
      ),
      one.attempts.length === 0
        ? card(null, h("p.soft", null, "The first attempt has not been made yet."))
        : one.attempts
            .slice()
            .reverse()
            .map((attempt, i) => attemptCard(attempt, i === 0)),
    ]
  },
}

function attemptCard(attempt, latest) {
  const { number, trigger, at, duration_ms, outcome, status, error, fault, request, response } =
    attempt
  return h(
    "details.card.attempt",
    { key: attempt.delivery_uid, open: latest, "data-testid": "attempt" },
    h(
      "summary",
      null,
      h("h2", null, `Attempt ${number}`),
      stateBadge(outcome, status ? `${outcome} · ${status}` : outcome),
      h(
        "span.soft",
        null,
        [TRIGGERS[trigger], dayAndSecond(at), duration(duration_ms)].join(" · "),
      ),
      icon("down"),
    ),
    error && h("p.streak", null, icon("alert"), error),
    fault && h("p.soft", null, `A fault was injected: ${fault}`),
    h(
      "div.exchange",
      null,
      h(
        "section",
        null,
        h("h3", null, "Request"),
        code(`POST ${request.url}\n${headers(request.headers)}`, "Request headers"),
        code(pretty(request.body), "Request body"),
      ),
      h(
        "section",
        null,
        h("h3", null, "Answer"),
        response
          ? [
              code(`${status}\n${headers(Object.entries(response.headers))}`, "Answer headers"),
              response.body
                ? code(pretty(response.body), "Answer body")
                : h("p.soft", null, "Empty body"),
            ]
          : h("p.soft", null, "None came."),
      ),
    ),
  )
}

const headers = (list) => list.map(([name, value]) => `${name}: ${value}`).join("\n")
