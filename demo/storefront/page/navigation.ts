/** Addresses of this page's own views, without a reload. */
import { createState } from "./state"

export const address = createState(new URL(location.href))

/** Goes to `target`, an address of this shop. */
export function navigate(target: string): void {
  const url = new URL(target, location.href)
  if (url.href !== location.href) history.pushState(null, "", url)
  scrollTo(0, 0)
  address.set(url)
}

/** Follows links of this shop in place; new tabs, downloads and other sites stay the browser's. */
export function startNavigation(): void {
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
