/** Webhook subscribers: who is told, how that goes, and what the merchant could do about it. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get, post, webhooks } from "../api.js"
import { duration, plural } from "../format.js"
import {
  ago,
  button,
  card,
  confirmed,
  copyable,
  empty,
  field,
  formDialog,
  head,
  stateBadge,
} from "../parts.js"
import { href } from "../router.js"

/** Every topic of interface §6.2 that can be subscribed to. */
const TOPICS = [
  "live_event",
  "shoppable_event",
  "live_event_product",
  "shoppable_event_product",
].flatMap((family) => ["created", "updated", "deleted"].map((verb) => `${family}.${verb}`))

/** interface §2.4 */
const MOST = 5

export const subscribers = {
  async load({ page }) {
    const [{ subscribers }, { notifications }] = await Promise.all([
      get("/subscribers", { page_uid: page.uid }),
      get("/notifications"),
    ])
    return {
      subscribers,
      notifications: notifications.filter(({ page_uid }) => page_uid === page.uid),
    }
  },

  view(ctx, data) {
    return [
      head("Webhooks", `${data.subscribers.length} of ${MOST} subscribers`, add(ctx, data)),
      ctx.local.key && keyShownOnce(ctx),
      data.subscribers.length === 0
        ? empty({
            sign: "webhook",
            title: "Nobody listens yet",
            text: "The store registers its own webhook from its connection. You can also add a subscriber by hand.",
            action: add(ctx, data),
          })
        : h(
            "ul.subscribers",
            null,
            data.subscribers.map((one) => subscriber(ctx, one)),
          ),
      data.notifications.length > 0 && notices(ctx, data.notifications),
      addDialog(ctx),
    ]
  },
}

const add = (ctx, { subscribers: all }) =>
  button(ctx, {
    label: "Add subscriber",
    sign: "plus",
    tone: all.length === 0 ? "primary" : "plain",
    testid: "add-subscriber",
    disabled: all.length >= MOST,
    title: all.length >= MOST ? `A page has at most ${MOST} subscribers` : undefined,
    run: () => ctx.set({ dialog: "subscriber" }),
  })

function keyShownOnce(ctx) {
  return h(
    "div.key-note",
    { role: "status", "data-testid": "signature-key" },
    icon("key"),
    h(
      "div",
      null,
      h("strong", null, `Signature key of ${ctx.local.key.name}`),
      h("p", null, "Shown this once. Give it to the receiver now."),
      copyable(ctx, ctx.local.key.value, "Copy the key"),
    ),
    h(
      "button.icon-button",
      { type: "button", "aria-label": "I have it", onclick: () => ctx.set({ key: null }) },
      icon("close"),
    ),
  )
}

/** How far a streak of failures has come (interface §3.2). */
function streak(ctx, one) {
  if (!one.failing_since) {
    return null
  }
  const failing = ctx.now() - one.failing_since
  const next =
    one.state === "active"
      ? `warning after 30 min`
      : one.state === "warning"
        ? `disabled after 60 min`
        : "nothing is sent any more"
  return h(
    "p.streak",
    null,
    icon("alert"),
    `${plural(one.consecutive_failures, "failure")} in a row, for ${duration(failing)}: ${next}`,
  )
}

function subscriber(ctx, one) {
  const path = `/subscribers/${encodeURIComponent(one.uid)}`
  return h(
    "li.card.subscriber",
    { key: one.uid, "data-testid": "subscriber", "data-state": one.state },
    h("header.card-head", null, h("h2", null, one.name), stateBadge(one.state)),
    h("code.url", null, one.url),
    streak(ctx, one),
    one.state === "disabled" &&
      h(
        "p.soft",
        null,
        "What happens while it is disabled is never sent. Fix the receiver, then activate.",
      ),
    h(
      "dl.facts",
      null,
      h("dt", null, "Topics"),
      h(
        "dd",
        { title: one.topics.join("\n") },
        one.topics.length >= TOPICS.length ? "all" : one.topics.join(", "),
      ),
      one.custom_headers.length > 0 && [
        h("dt", null, "Own headers"),
        h("dd", null, one.custom_headers.map(({ name }) => name).join(", ")),
      ],
      h("dt", null, "Last delivery"),
      h(
        "dd",
        null,
        ago(ctx, one.last_delivery_at),
        ", last success ",
        ago(ctx, one.last_success_at),
      ),
    ),
    h(
      "div.row",
      null,
      one.state === "disabled" &&
        button(ctx, {
          label: "Activate",
          key: `activate ${one.uid}`,
          tone: "primary",
          testid: "activate",
          run: () => post(`${path}/activate`),
          done: `${one.name} is active`,
        }),
      button(ctx, {
        label: "Send a test",
        key: `test ${one.uid}`,
        sign: "send",
        testid: "test-delivery",
        disabled: one.state === "disabled",
        run: async () => {
          const { delivery } = await post(`${path}/test`)
          const last = delivery.attempts.at(-1)
          const answer = last?.status ?? last?.error ?? "no answer"
          ctx.tell(`Test delivery: ${answer}`, last?.outcome === "success" ? "good" : "bad")
        },
      }),
      h("a.button.plain", { href: href(["deliveries"], { subscriber: one.uid }) }, "Deliveries"),
      button(ctx, {
        label: "New key",
        key: `rotate ${one.uid}`,
        tone: "quiet",
        testid: "rotate",
        run: confirmed("Issue a new key? The old one stops verifying at once.", async () => {
          const { signatureKey, signature_key, webhook } = await webhooks.rotate(ctx.page, one.uid)
          const value = signatureKey ?? signature_key ?? webhook?.signatureKey
          ctx.set({ key: { name: one.name, value } })
        }),
      }),
      button(ctx, {
        label: "Delete",
        key: `delete ${one.uid}`,
        tone: "quiet",
        testid: "delete-subscriber",
        run: confirmed(`Delete the subscriber ${one.name}?`, () =>
          webhooks.remove(ctx.page, one.uid),
        ),
        done: `${one.name} is deleted`,
      }),
    ),
  )
}

function notices(ctx, list) {
  return card(
    "What the merchant was told",
    h(
      "ul.rows",
      null,
      list
        .slice()
        .reverse()
        .map(({ id, kind, message, at }) =>
          h(
            "li",
            { key: id },
            h("span", null, stateBadge(kind)),
            h("span", null, message),
            h("span.soft", null, ago(ctx, at)),
          ),
        ),
    ),
  )
}

function addDialog(ctx) {
  if (ctx.local.dialog !== "subscriber") {
    return null
  }
  return formDialog(
    ctx,
    {
      title: "Add subscriber",
      key: "subscriber-form",
      submitLabel: "Add",
      submit: async (values, form) => {
        const topics = new FormData(form).getAll("topics")
        const customHeaders = values.headers
          .split("\n")
          .map((line) => line.split(/:(.*)/s))
          .filter(([name]) => name.trim())
          .map(([name, value = ""]) => ({ name: name.trim(), value: value.trim() }))
        const answer = await webhooks.create(ctx.page, {
          name: values.name,
          url: values.url,
          topics,
          ...(customHeaders.length > 0 && { customHeaders }),
        })
        const made = answer.webhook ?? answer
        ctx.set({ key: { name: values.name, value: made.signatureKey ?? made.signature_key } })
      },
    },
    field(
      "Name",
      h("input", { name: "name", required: true, placeholder: "My receiver", autofocus: true }),
    ),
    field(
      "URL",
      h("input", {
        name: "url",
        type: "url",
        required: true,
        placeholder: "https://shop.example/hooks",
      }),
      "HTTPS; plain HTTP for addresses of this machine",
    ),
    h(
      "fieldset",
      null,
      h("legend", null, "Topics"),
      h(
        "div.topic-choices",
        null,
        TOPICS.map((topic) =>
          h(
            "label.check",
            null,
            h("input", { type: "checkbox", name: "topics", value: topic, checked: true }),
            topic,
          ),
        ),
      ),
    ),
    field(
      "Own headers",
      h("textarea", { name: "headers", rows: 2, placeholder: "X-Shop: north" }),
      "One a line, at most five",
    ),
  )
}
