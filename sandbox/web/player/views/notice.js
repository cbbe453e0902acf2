/** What went otherwise than the shopper asked, and what a developer has yet to do. */
import { icon } from "../icons.js"
import { h } from "../view.js"

export function notice(app) {
  const { notice: shown } = app.state
  if (!shown) {
    return null
  }
  return h(
    "div.notice",
    { role: "alert", "data-testid": "svc-notice", "data-tone": shown.tone },
    icon("alert"),
    h(
      "div",
      null,
      h("strong", null, shown.title),
      shown.text && h("p", null, shown.text),
      failedList(shown.items ?? []),
    ),
    h(
      "button.round",
      { type: "button", "aria-label": "Dismiss", onclick: app.dismissNotice },
      icon("close"),
    ),
  )
}

/** @param {{ name: string, text: string }[]} items */
export function failedList(items) {
  return (
    items.length > 0 &&
    h(
      "ul.failed",
      { "data-testid": "svc-failed-products" },
      items.map(({ name, text }) => h("li", null, h("b", null, name), " ", text)),
    )
  )
}

export function developerNote(app) {
  const { missing } = app.state
  if (!missing) {
    return null
  }
  return h(
    "div.notice.developer",
    { role: "note", "data-testid": "svc-developer-note" },
    icon("code"),
    h(
      "div",
      null,
      h("strong", null, `For developers: no handler for ${missing}`),
      h("p", null, "This page has not registered the action, so nothing reaches the shop. Add:"),
      h(
        "pre",
        { tabindex: "0" },
        "window.onSvcReady = window.onSvcReady || []\n" +
          "window.onSvcReady.push((sdk) =>\n" +
          `  sdk.registerAction(sdk.actions.${missing}, handler)\n)`,
      ),
    ),
  )
}
