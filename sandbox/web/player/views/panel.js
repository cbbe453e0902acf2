/** The open player: the stage, the products of the show, the basket. */
import { icon } from "../icons.js"
import { h } from "../view.js"
import { basketSection } from "./basket.js"
import { developerNote, notice } from "./notice.js"
import { shelf } from "./shelf.js"
import { stage } from "./stage.js"

export function panelDialog(app, { base, layout }) {
  const { state } = app
  return h(
    "dialog.panel",
    {
      key: "panel",
      "aria-label": state.show ? `Live shopping: ${state.show.event.name}` : "Live shopping",
      "data-layout": layout,
      // Else the chat's field had the focus, and a phone would show its keyboard.
      autofocus: true,
      oncancel: (event) => {
        event.preventDefault()
        layout === "overlay" && app.close()
      },
      // The event comes late: by then the panel may be open again.
      onclose: ({ currentTarget }) =>
        !currentTarget.open && state.open && layout === "overlay" && app.close(),
      onclick: (event) => {
        // A click on the backdrop is a click on the dialog itself.
        layout === "overlay" && event.target === event.currentTarget && app.close()
      },
    },
    h("p.unseen", { role: "status", "aria-live": "polite" }, state.said),
    state.phase === "ready" ? show(app, base, layout) : emptyHouse(app, layout),
  )
}

function show(app, base, layout) {
  return h(
    "div.show",
    { "data-basket": app.state.basketOpen ? "open" : "closed" },
    stage(app, base),
    h(
      "div.counter",
      null,
      h(
        "header.counter-head",
        null,
        h("h1", null, app.state.show.event.name),
        layout === "overlay" && closeButton(app),
      ),
      developerNote(app),
      notice(app),
      shelf(app),
      basketSection(app),
    ),
  )
}

export function closeButton(app) {
  return h(
    "button.round.close",
    { type: "button", "aria-label": "Minimise the show", onclick: app.close },
    icon("close"),
  )
}

const EMPTY = {
  loading: ["One moment", "The show is loading."],
  none: ["No show right now", "This page comes alive by itself when the next show starts."],
  offline: ["The show cannot be reached", "We try again every few seconds."],
}

function emptyHouse(app, layout) {
  const [title, text] = EMPTY[app.state.phase]
  return h(
    "div.empty-house",
    { "aria-busy": app.state.phase === "loading" ? "true" : "false" },
    icon("broadcast"),
    h("h1", null, title),
    h("p", null, text),
    layout === "overlay" && closeButton(app),
  )
}
