import type { LiveEvent } from "svc-storefront"
import { h, icons, redraw } from "../dom"
import { onAir, shows, upcoming } from "../live"

/** The show on air, or the next one, above every page. Nothing where there is neither. */
export function liveStrip(): HTMLElement {
  const strip = h("aside", { class: "strip", "aria-label": "Live shows", hidden: true })
  let shown = ""
  shows.watch((all) => {
    const show = onAir(all) ?? upcoming(all)
    const now = JSON.stringify(show ?? null)
    if (now === shown) {
      return
    }
    shown = now
    strip.hidden = !show
    redraw(strip, show && (show.status === "live" ? running(show) : coming(show)))
  })
  return strip
}

function running(show: LiveEvent) {
  const pieces = show.products.filter(({ available }) => available).length
  return h(
    "div",
    { class: "wide", "data-testid": "live-now", "data-campaign": show.campaign_uid },
    h("span", { class: "badge live" }, h("span", { class: "dot" }), "Live now"),
    h("span", { class: "strip-name" }, show.name),
    pieces > 0 &&
      h(
        "a",
        { class: "strip-link", href: `/?show=${encodeURIComponent(show.id)}` },
        `${pieces} ${pieces === 1 ? "product" : "products"} at the show's price`,
        icons.arrow(),
      ),
  )
}

function coming(show: LiveEvent) {
  const at = new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(show.starts_at ?? 0))
  return h(
    "div",
    { class: "wide", "data-testid": "live-next" },
    h("span", { class: "badge" }, icons.play(), "Coming up"),
    h("span", { class: "strip-name" }, show.name),
    h("span", { class: "muted" }, at),
  )
}
