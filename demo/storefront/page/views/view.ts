import { type Child, h, redraw } from "../dom"

/** A page of the shop. */
export interface View {
  element: HTMLElement
  /** For the window's title; the shop's name alone where there is none. */
  title?: string
  /** Called when the visitor leaves. */
  leave?(): void
}

/**
 * Draws `waiting` until `load` is done, then what it answers, or what went wrong with a way to try
 * again. Nothing is drawn once the visitor has left.
 */
export function loading(
  waiting: Child,
  load: () => Promise<Child>,
): { element: HTMLElement; leave(): void } {
  const element = h("div", { "aria-busy": "true" })
  let here = true
  const run = async () => {
    redraw(element, waiting)
    element.setAttribute("aria-busy", "true")
    const drawn = await load().catch((error: unknown) => trouble(error, run))
    if (here) {
      redraw(element, drawn)
      element.removeAttribute("aria-busy")
    }
  }
  void run()
  return {
    element,
    leave() {
      here = false
    },
  }
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : "Something went wrong. Please try again."

function trouble(error: unknown, again: () => void): Child {
  return h(
    "div",
    { class: "page message", role: "alert" },
    h("h1", { class: "title" }, "That did not load"),
    h("p", { class: "muted" }, messageOf(error)),
    h("button", { class: "button", type: "button", onclick: again }, "Try again"),
  )
}
