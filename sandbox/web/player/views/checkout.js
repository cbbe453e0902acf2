/** The overlay while a social checkout link fills the basket, and how that ended. */
import { icon } from "../icons.js"
import { picture } from "../picture.js"
import { h } from "../view.js"
import { failedList } from "./notice.js"

export function checkoutDialog(app) {
  const { checkout } = app.state
  if (!checkout) {
    return null
  }
  return h(
    "dialog.checkout",
    {
      key: "checkout",
      "data-testid": "svc-checkout",
      "data-status": checkout.answer?.status ?? "WORKING",
      "aria-label": "Your basket from the show",
      oncancel: (event) => {
        event.preventDefault()
        checkout.stage === "done" && app.closeCheckout()
      },
    },
    checkout.stage === "working" ? working(app, checkout) : ended(app, checkout),
  )
}

function working(app, { items }) {
  const percent = app.progress.percent()
  return [
    pictures(items),
    h("h1", null, "Filling your basket"),
    h(
      "p",
      null,
      items.length === 1 ? items[0].name : `${items.length} products, at the show's prices`,
    ),
    h(
      "div.bar",
      {
        role: "progressbar",
        "aria-label": "Filling your basket",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": percent,
      },
      h("span", { style: { width: `${percent}%` } }),
    ),
  ]
}

const ENDS = {
  SUCCESS: ["check", "Your basket is ready", "Everything is in it, at the show's prices."],
  PARTIAL: ["alert", "Almost everything is in", "These did not make it:"],
  FAILURE: ["alert", "Your basket could not be filled", ""],
  UNREGISTERED: [
    "code",
    "This shop cannot take the link yet",
    "For developers: no handler is registered for SOME_CHECKOUT. See the console.",
  ],
}

function ended(app, { answer, items }) {
  const [sign, title, text] = ENDS[answer.status]
  const filled = answer.status === "SUCCESS" || answer.status === "PARTIAL"
  return [
    h("span.sign", { "data-tone": answer.status.toLowerCase() }, icon(sign)),
    h("h1", { role: "alert" }, title),
    (answer.message || text) && h("p", null, answer.message || text),
    failedList(app.failedItems(answer)),
    h(
      "div.actions",
      null,
      filled
        ? h(
            "button.go",
            { type: "button", "data-testid": "svc-checkout-go", onclick: app.openCart },
            "Go to basket",
            icon("right"),
          )
        : answer.status === "FAILURE" &&
            items.length > 0 &&
            h("button.go", { type: "button", onclick: app.retryCheckout }, "Try again"),
      app.state.show && h("button.quiet", { type: "button", onclick: app.open }, "Watch the show"),
      h("button.text-button", { type: "button", onclick: app.closeCheckout }, "Close"),
    ),
  ]
}

function pictures(items) {
  return h(
    "div.pictures",
    null,
    items.slice(0, 3).map(({ image, name }) => picture(image, { sign: "tag", alt: name })),
  )
}
