/** Draws elements without a framework: `h("button", { class: "quiet", onclick }, "Remove")`. */

export type Child = Node | string | number | null | undefined | false | Child[]

type Props = Record<string, unknown> | null

const SVG = "http://www.w3.org/2000/svg"

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(parent, child)
    } else if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof Node ? child : String(child))
    }
  }
}

function assign(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue
    }
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener)
    } else {
      element.setAttribute(name, value === true ? "" : String(value))
    }
  }
}

/** An element with attributes (`false` and `null` leave one out) and listeners (`onclick`). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  assign(element, props ?? null)
  append(element, children)
  return element
}

/** A line icon on a 24 px field; decoration only, the words stand beside it. */
function icon(...paths: string[]): SVGElement {
  const svg = document.createElementNS(SVG, "svg")
  assign(svg, { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" })
  for (const d of paths) {
    const path = document.createElementNS(SVG, "path")
    assign(path, { d })
    svg.append(path)
  }
  return svg
}

/**
 * Replaces what is in `parent` and puts the focus back on the element with the same `data-key`,
 * so that a stepper can be pressed again after the line it stands in was drawn anew.
 */
export function redraw(parent: Element, ...children: Child[]): void {
  const focused = parent.contains(document.activeElement)
    ? document.activeElement?.getAttribute("data-key")
    : null
  parent.replaceChildren()
  append(parent, children)
  if (focused) {
    parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus()
  }
}

/** Says something to a screen reader without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById("announcer")
  if (announcer) {
    announcer.textContent = ""
    // A reader hears a change, not a repetition: the text must come in a later frame.
    requestAnimationFrame(() => {
      announcer.textContent = text
    })
  }
}

export const icons = {
  basket: () => icon("M5 8h14l-1.2 11H6.200L5 8Z", "M9 10.500V7a3 3 0 0 1 6 0v3.5"),
  search: () => icon("M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z", "m20 20-4-4"),
  close: () => icon("M6 6l12 12", "M18 6 6 18"),
  minus: () => icon("M6 12h12"),
  plus: () => icon("M12 6v12", "M6 12h12"),
  check: () => icon("m5 12.5 4.5 4.500L19 7.5"),
  arrow: () => icon("M5 12h14", "m13 6 6 6-6 6"),
  back: () => icon("M19 12H5", "m11 6-6 6 6 6"),
  alert: () => icon("M12 8v5", "M12 16.500v.01", "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z"),
  play: () => icon("M9 6.500v11l9-5.5-9-5.500Z"),
}
