/** How a show's status (interface §3.1) reads to a shopper. */
import { icon } from "../icons.js"
import { h } from "../view.js"

const WORDS = {
  live: "Live",
  planned: "Soon",
  processing: "Just ended",
  vod: "Replay",
  clip: "Shop the clip",
  cancelled: "Cancelled",
}

/** @param {string} status */
export function statusBadge(status) {
  return h(
    "span.badge",
    { "data-status": status },
    status === "live" ? h("span.badge-dot") : status === "planned" ? icon("clock") : icon("play"),
    WORDS[status] ?? status,
  )
}

/** A show sells while it runs and after; before it, and when it was called off, it does not. */
export const isSelling = (status) => status !== "planned" && status !== "cancelled"
