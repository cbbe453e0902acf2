/** One place on the page that says what happened, for eyes and for screen readers. */

const STYLE: Partial<CSSStyleDeclaration> = {
  position: "fixed",
  insetInline: "0",
  bottom: "16px",
  margin: "0 auto",
  width: "fit-content",
  maxWidth: "min(92vw, 480px)",
  boxSizing: "border-box",
  display: "flex",
  columnGap: "12px",
  alignItems: "baseline",
  padding: "12px 16px",
  zIndex: "2147483000",
  borderRadius: "8px",
  background: "#1d1b1a",
  color: "#ffffff",
  border: "1px solid rgb(255 255 255 / .2)",
  boxShadow: "0 8px 32px rgb(0 0 0 / .35)",
  font: "16px/1.4 system-ui, sans-serif",
}

let region: HTMLElement | undefined

/** Screen readers read what changes in a region, and only in one that was there before. */
function liveRegion(): HTMLElement {
  if (!region?.isConnected) {
    region = document.createElement("div")
    region.setAttribute("role", "status")
    region.setAttribute("aria-live", "polite")
    // A script in the head may have something to say before there is a body.
    const place = document.body ?? document.documentElement
    place.append(region)
  }
  return region
}

const READER_NEEDS_MS = 50

/** Shows a line each at the foot of the page until the shopper closes it; a second notice takes the place of the first. */
export function showNotice(text: string | readonly string[]): void {
  const place = liveRegion()
  const box = document.createElement("div")
  Object.assign(box.style, STYLE)
  const words = document.createElement("div")
  for (const line of [text].flat()) {
    const paragraph = document.createElement("div")
    paragraph.textContent = line
    words.append(paragraph)
  }
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "×"
  button.setAttribute("aria-label", "Close")
  Object.assign(button.style, {
    all: "unset",
    cursor: "pointer",
    padding: "4px 8px",
    outlineOffset: "2px",
  })
  button.addEventListener("focus", () => Object.assign(button.style, { outline: "2px solid" }))
  button.addEventListener("blur", () => Object.assign(button.style, { outline: "none" }))
  box.append(words, button)
  setTimeout(() => place.replaceChildren(box), READER_NEEDS_MS)
  button.addEventListener("click", () => box.remove())
}
