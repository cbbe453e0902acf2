/** The player when it is minimised: a round window into the show, bottom right. */
import { h } from "../view.js"
import { statusBadge } from "./status.js"

export function bubble(app, base) {
  const { state } = app
  if (state.phase !== "ready" || state.show.event.status === "cancelled") {
    return null
  }
  const { name, status } = state.show.event
  return h(
    "button.bubble",
    {
      key: "bubble",
      type: "button",
      "data-testid": "svc-player-open",
      "data-status": status,
      // Hidden, not gone, while the player is open: the focus comes back to it.
      "data-away": state.open,
      "aria-label": `Open the show: ${name}`,
      onclick: app.open,
    },
    h("span.bubble-name", null, name),
    h(
      "span.bubble-window",
      null,
      h("img", { src: new URL("player/stage.svg", base).href, alt: "" }),
    ),
    statusBadge(status),
  )
}
