/**
 * Draws a page from its state: `h` builds elements, `render` makes what is on the page equal to
 * them and leaves alone what is equal already, so that focus, typed text and running animations
 * survive. The player and the dashboard both draw with it.
 *
 * Nothing here writes markup from strings or inline styles from attributes: text from a shop can
 * never become an element, and a strict Content-Security-Policy of a shop's page is kept.
 */

const KEY = Symbol("key")
const KEEP = Symbol("keep")
const VALUE = Symbol("value")
const LISTENERS = Symbol("listeners")

const SVG = "http://www.w3.org/2000/svg"
const SVG_TAGS = new Set(["svg", "g", "path", "circle", "rect", "line", "polyline", "polygon"])

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * An element: `h("button.primary", { onclick: add }, "Add")`.
 *
 * Props are attributes, with these exceptions: a function under `on<type>` listens, `style` is an
 * object of properties, `key` names the element among its siblings, `keep` leaves its children to
 * someone else, `value` and `checked` set the property.
 *
 * @param {string} tag a tag name, with classes after dots
 * @param {Record<string, unknown> | null} [props]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".")
  const element = /** @type {HTMLElement} */ (
    SVG_TAGS.has(name) ? document.createElementNS(SVG, name) : document.createElement(name)
  )
  element.append(...nodesOf(children))
  for (const [prop, value] of Object.entries(props ?? {})) {
    setProp(element, prop, value)
  }
  if (classes.length > 0) {
    element.setAttribute("class", [...classes, element.getAttribute("class")].join(" ").trim())
  }
  return element
}

/**
 * Makes the children of `root` equal to `children`.
 * @param {Node} root
 * @param {...Child} children
 */
export function render(root, ...children) {
  patchChildren(root, nodesOf(children))
}

/** @param {Child} children @returns {Node[]} */
function nodesOf(children) {
  if (Array.isArray(children)) {
    return children.flatMap(nodesOf)
  }
  if (children === null || children === undefined || children === false || children === "") {
    return []
  }
  return [children instanceof Node ? children : document.createTextNode(String(children))]
}

function setProp(element, prop, value) {
  if (value === undefined || value === null) {
    return
  }
  if (prop === "key") {
    element[KEY] = value
  } else if (prop === "keep") {
    element[KEEP] = value
  } else if (prop === "style") {
    for (const [name, text] of Object.entries(value)) {
      element.style.setProperty(name, String(text))
    }
  } else if (prop.startsWith("on")) {
    listen(element, prop.slice(2), value)
  } else if (prop === "value" || prop === "checked") {
    element[VALUE] = value
    element[prop] = value
  } else if (value !== false) {
    element.setAttribute(prop, value === true ? "" : String(value))
  }
}

/** One real listener a type; which function it calls is exchanged when the page is drawn again. */
function listen(element, type, listener) {
  element[LISTENERS] ??= {}
  if (!(type in element[LISTENERS])) {
    element.addEventListener(type, (event) => element[LISTENERS][type]?.call(element, event))
  }
  element[LISTENERS][type] = listener
}

function patchChildren(parent, wanted) {
  const keyed = new Map()
  for (const child of parent.childNodes) {
    if (child[KEY] !== undefined) {
      keyed.set(child[KEY], child)
    }
  }
  let at = parent.firstChild
  for (const node of wanted) {
    const found = node[KEY] === undefined ? unkeyed(at, node) : keyed.get(node[KEY])
    if (!found || !sameKind(found, node)) {
      parent.insertBefore(node, at)
      continue
    }
    if (found === at) {
      at = at.nextSibling
    } else {
      parent.insertBefore(found, at)
    }
    patch(found, node)
  }
  while (at) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
}

const unkeyed = (at, node) => (at && at[KEY] === undefined && sameKind(at, node) ? at : null)

const sameKind = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName

function patch(old, wanted) {
  if (old === wanted) {
    return
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== wanted.data) {
      old.data = wanted.data
    }
    return
  }
  patchAttributes(old, wanted)
  for (const type of Object.keys(old[LISTENERS] ?? {})) {
    old[LISTENERS][type] = undefined
  }
  for (const [type, listener] of Object.entries(wanted[LISTENERS] ?? {})) {
    listen(old, type, listener)
  }
  if (!old[KEEP]) {
    patchChildren(old, [...wanted.childNodes])
  }
  patchValue(old, wanted)
}

function patchAttributes(old, wanted) {
  for (const { name } of [...old.attributes]) {
    // `open` is the browser's on a dialog, and the reader's on a disclosure.
    if (!wanted.hasAttribute(name) && name !== "style" && name !== "open") {
      old.removeAttribute(name)
    }
  }
  for (const { name, value } of wanted.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) {
      old.setAttribute(name, value)
    }
  }
  if (old.style.cssText !== wanted.style.cssText) {
    old.style.cssText = wanted.style.cssText
  }
}

/** A value the page sets wins when it changed; what a person typed meanwhile stays. */
function patchValue(old, wanted) {
  const value = wanted[VALUE]
  if (value === undefined) {
    return
  }
  if (typeof value === "boolean") {
    old.checked = value
  } else if (old[VALUE] !== value || old.nodeName === "SELECT") {
    old.value = value
  }
  old[VALUE] = value
}
