/** Puts the player on a page: one element, everything else in its shadow root. */
import { createApp } from "./app.js"
import { render } from "./view.js"
import { bubble } from "./views/bubble.js"
import { checkoutDialog } from "./views/checkout.js"
import { panelDialog } from "./views/panel.js"

/**
 * @param {object} options
 * @param {string} options.base the service's address
 * @param {string} [options.pageUid]
 * @param {string} [options.campaignUid]
 * @param {"overlay" | "page"} [options.layout] `page`: the player is the page, always open
 */
export async function start({ base, pageUid, campaignUid, layout = "overlay" }) {
  const [sheet] = await Promise.all([styles(base), bodyIsThere()])
  const root = attach(layout, sheet)
  let due = false
  const app = createApp({
    base,
    pageUid,
    campaignUid,
    startOpen: layout === "page",
    onChange: () => {
      if (!due) {
        due = true
        queueMicrotask(draw)
      }
    },
  })

  function draw() {
    due = false
    render(
      root,
      layout === "overlay" && bubble(app, base),
      panelDialog(app, { base, layout }),
      checkoutDialog(app),
    )
    showDialog(root.querySelector("dialog.panel"), app.state.open, layout)
    showDialog(root.querySelector("dialog.checkout"), app.state.checkout !== null)
  }

  draw()
  await app.start()
}

/** A script in the head may run before there is a body. */
function bodyIsThere() {
  return document.body
    ? null
    : new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }))
}

async function styles(base) {
  const response = await fetch(new URL("player/player.css", base), { credentials: "omit" })
  if (!response.ok) {
    throw new Error(`player.css answered ${response.status}`)
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(await response.text())
  return sheet
}

/** The shop's own rules for `div` must not move or hide the host, hence "important". */
function attach(layout, sheet) {
  const host = document.createElement("div")
  host.dataset.testid = "svc-player"
  host.dataset.layout = layout
  const rules = {
    all: "initial",
    display: "block",
    position: "fixed",
    inset: "0",
    "z-index": "2147483000",
    "pointer-events": "none",
  }
  for (const [name, value] of Object.entries(rules)) {
    host.style.setProperty(name, value, "important")
  }
  const root = host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [sheet]
  document.body.append(host)
  return root
}

/** A modal dialog traps focus, makes the shop's page inert and lies above all of it. */
function showDialog(dialog, open, layout) {
  if (dialog && open !== dialog.open) {
    open ? (layout === "page" ? dialog.show() : dialog.showModal()) : dialog.close()
  }
}
