/** Addresses of this page's own views, without a reload. */
import { createState } from "./state"

export const address = createState(new URL(location.href))

/** Where a visitor was on a page: how far down, and how much of it was shown. */
export interface Place {
  scroll: number
  shown: number
}

let shown = 0

/** Notes how many things the page shows, for the way back to it. */
export function noteShown(count: number): void {
  shown = count
}

/** The place to go back to on the page that is being drawn; null for a page that is new. */
export const place = (): Place | null => history.state as Place | null

/** Goes to `target`, an address of this shop. */
export function navigate(target: string): void {
  const url = new URL(target, location.href)
  if (url.href !== location.href) {
    history.replaceState({ scroll: scrollY, shown } satisfies Place, "")
    history.pushState(null, "", url)
  }
  shown = 0
  address.set(url)
}

/** Follows links of this shop in place; new tabs, downloads and other sites stay the browser's. */
export function startNavigation(): void {
  // The page is not there yet when the browser would scroll: it is drawn from the store's answer.
  history.scrollRestoration = "manual"
  addEventListener("popstate", () => address.set(new URL(location.href)))
  addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a")
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey ||
      link.target ||
      link.origin !== location.origin ||
      link.getAttribute("href")?.startsWith("#")
    ) {
      return
    }
    event.preventDefault()
    navigate(link.href)
  })
}
