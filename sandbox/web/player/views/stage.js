/** The broadcast: the host's picture, badge, viewers, chat and hearts. */
import { icon } from "../icons.js"
import { money } from "../money.js"
import { h } from "../view.js"
import { statusBadge } from "./status.js"

/** Hearts in the air at a time. */
const HEARTS = 12

export function stage(app, base) {
  const { state } = app
  const { event } = state.show
  const live = event.status === "live"
  return h(
    "section.stage",
    { "aria-label": "Broadcast", "data-status": event.status },
    h("img.scene", { src: new URL("player/stage.svg", base).href, alt: "" }),
    h("div.shade", null),
    h(
      "div.stage-top",
      null,
      statusBadge(event.status),
      live &&
        h(
          "span.viewers",
          { "aria-label": `${state.viewers} people are watching` },
          icon("eye"),
          state.viewers.toLocaleString(),
        ),
      h("span.stage-name", { "aria-hidden": "true" }, event.name),
    ),
    !live && h("p.stage-line", null, lineFor(event.status)),
    live && onStage(app),
    live && chat(app),
    live && hearts(app),
  )
}

const lineFor = (status) =>
  ({
    planned: "The show has not started yet. Have a look around, prices open with the show.",
    processing: "That was the show. The replay is being prepared.",
    vod: "You are watching the replay. Show prices still hold.",
    clip: "Tap a product to get it at the show's price.",
    cancelled: "This show was cancelled.",
  })[status]

/** The product the host is showing: the latest that is to be had. */
function onStage(app) {
  const product = app.state.show.products.find(({ available }) => available !== false)
  if (!product) {
    return null
  }
  return h(
    "div.on-stage",
    { key: `on-stage-${product.uid}`, "aria-hidden": "true" },
    product.image && h("img", { src: product.image, alt: "" }),
    h(
      "span",
      null,
      h("b", null, product.name),
      money(app.priceNow(product), app.state.show.event.currency),
    ),
  )
}

function chat(app) {
  return h(
    "div.chat",
    null,
    h(
      "div.chat-log",
      { role: "log", "aria-live": "off", "aria-label": "Chat" },
      app.chat
        .messages()
        .slice(-8)
        .map(({ id, from, text, kind }) =>
          h("p", { key: id, "data-kind": kind }, h("b", null, from), " ", text),
        ),
    ),
    h(
      "form.chat-write",
      {
        onsubmit: (event) => {
          event.preventDefault()
          const input = event.currentTarget.elements.text
          app.say(input.value)
          input.value = ""
        },
      },
      h("input", {
        name: "text",
        placeholder: "Say something…",
        "aria-label": "Write in the chat",
        maxlength: 120,
        autocomplete: "off",
      }),
      h(
        "button.round.like",
        { type: "button", "aria-label": "Send a heart", onclick: app.like },
        icon("heart"),
      ),
    ),
  )
}

/** Each heart is keyed by its number: a new one starts its flight, the others fly on. */
function hearts(app) {
  const { hearts: count } = app.state
  const first = Math.max(0, count - HEARTS)
  return h(
    "div.hearts",
    { "aria-hidden": "true" },
    Array.from({ length: count - first }, (_, i) =>
      h("span.heart", {
        key: first + i,
        style: {
          "--drift": `${(((first + i) * 29) % 48) - 24}px`,
          "--hue": (((first + i) * 47) % 70) - 20,
        },
      }),
    ),
  )
}
