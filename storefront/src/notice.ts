/**
 * One place on the page that says what happened, for eyes and for screen readers: a shop that has no
 * notices of its own, or a cart that changed while the shopper was elsewhere on the page.
 */

export interface Notice {
  /** Takes it away; what was focused before it was shown keeps the focus. */
  close(): void
}

/** Plain properties, so that it needs no style sheet and a content security policy allows it. */
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
  zIndex: "var(--svc-notice-layer, 2147483000)",
  borderRadius: "var(--svc-notice-radius, 8px)",
  background: "var(--svc-notice-background, #1d1b1a)",
  color: "var(--svc-notice-color, #ffffff)",
  border: "1px solid rgb(255 255 255 / .2)",
  boxShadow: "0 8px 32px rgb(0 0 0 / .35)",
  font: "var(--svc-notice-font, 16px/1.4 system-ui, sans-serif)",
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

/**
 * Shows one or several sentences at the foot of the page until the shopper or the caller closes it;
 * a second notice takes the place of the first. Themed by `--svc-notice-background`, `-color`,
 * `-font`, `-radius` and `-layer`.
 *
 * ```ts
 * addEventListener("svc:price_changed", ({ detail }) => showNotice(detail.lines.map(sentence)))
 * ```
 *
 * @param text plain text; an array becomes a line each
 */
export function showNotice(
  text: string | readonly string[],
  { closeLabel = "Close" }: { closeLabel?: string } = {},
): Notice {
  if (typeof document === "undefined") return { close() {} }
  const place = liveRegion()
  const box = document.createElement("div")
  box.className = "svc-notice"
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
  button.setAttribute("aria-label", closeLabel)
  Object.assign(button.style, {
    all: "unset",
    cursor: "pointer",
    padding: "4px 8px",
    outlineOffset: "2px",
  })
  button.addEventListener("focus", () => Object.assign(button.style, { outline: "2px solid" }))
  button.addEventListener("blur", () => Object.assign(button.style, { outline: "none" }))
  box.append(words, button)
  const shown = setTimeout(() => place.replaceChildren(box), READER_NEEDS_MS)
  const close = () => {
    clearTimeout(shown)
    box.remove()
  }
  button.addEventListener("click", close)
  return { close }
}
