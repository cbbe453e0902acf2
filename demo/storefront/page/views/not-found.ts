import { h } from "../dom"
import type { View } from "./view"

export function notFoundPage(): View {
  return {
    title: "Not found",
    element: h(
      "div",
      { class: "page message" },
      h("h1", { class: "title" }, "There is nothing at this address"),
      h("p", { class: "muted" }, "It may have been sold out and taken away."),
      h("a", { class: "button", href: "/" }, "See everything"),
    ),
  }
}
