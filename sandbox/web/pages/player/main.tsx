/**
 * The script a storefront includes:
 *
 *   <script src="http://127.0.0.1:9400/player.js" data-page-uid="demo-page" async></script>
 *
 * `data-campaign-uid` picks a show; without it the page's running show is taken. The player is one
 * element, with everything else in its shadow root. Whatever fails in here is told in the console
 * and leaves the shop's page as it was.
 */

import { render } from "preact"
import base from "../../base.css"
import { createPlayer } from "./player"
import sheet from "./player.css"
import { Views } from "./views"

declare global {
  interface Window {
    /** A second tag on one page must not start a second player. */
    svcPlayerStarted?: boolean
  }
}

async function start(script: HTMLScriptElement): Promise<void> {
  // A script in the head may run before there is a body.
  if (!document.body) {
    await new Promise((there) => addEventListener("DOMContentLoaded", there, { once: true }))
  }
  const { pageUid, campaignUid, layout } = script.dataset
  const root = attach()
  const origin = new URL(".", script.src).href
  let due = false
  const player = createPlayer(
    { base: origin, pageUid, campaignUid, isPage: layout === "page" },
    () => {
      if (due) return
      due = true
      queueMicrotask(draw)
    },
  )
  function draw(): void {
    due = false
    render(<Views player={player} />, root)
  }
  draw()
  await player.start()
}

/** The shop's own rules for `div` must not move or hide the host, hence "important". */
function attach(): ShadowRoot {
  const host = document.createElement("div")
  host.dataset.testid = "svc-player"
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
  // Sheets of their own, not `<style>`: a shop's Content-Security-Policy may forbid those.
  root.adoptedStyleSheets = [base, sheet].map((text) => {
    const made = new CSSStyleSheet()
    made.replaceSync(text)
    return made
  })
  document.body.append(host)
  return root
}

const script = document.currentScript
if (script instanceof HTMLScriptElement && !window.svcPlayerStarted) {
  window.svcPlayerStarted = true
  start(script).catch((error: unknown) => {
    window.svcPlayerStarted = false
    console.error("svc player: could not start.", error)
  })
}
