import { startBasket } from "./basket"
import { announce, h, redraw } from "./dom"
import { startLive } from "./live"
import { market } from "./market"
import { address, place, startNavigation } from "./navigation"
import { basketPage } from "./views/basket-page"
import { checkoutPage } from "./views/checkout"
import { drawer } from "./views/drawer"
import { listPage } from "./views/list"
import { liveStrip } from "./views/live-strip"
import { notFoundPage } from "./views/not-found"
import { productPage } from "./views/product"
import { footer, header } from "./views/shell"
import { thanksPage } from "./views/thanks"
import type { View } from "./views/view"

const NAME = "Hede & Havn"

function viewFor(url: URL): View {
  const [, first, second] = url.pathname.split("/")
  if (!first) {
    return listPage(url)
  }
  if (first === "products" && second) {
    return productPage(decodeURIComponent(second))
  }
  if (first === "thanks" && second) {
    return thanksPage(decodeURIComponent(second))
  }
  return first === "cart" ? basketPage() : first === "checkout" ? checkoutPage() : notFoundPage()
}

const main = h("main", { id: "main", tabindex: "-1" })
document.getElementById("app")?.append(header(), liveStrip(), main, footer(), drawer())

let shown: View | undefined
let path: string | undefined

function show(): void {
  const url = address.get()
  const arrived = path !== undefined && path !== url.pathname
  path = url.pathname
  shown?.leave?.()
  shown = viewFor(url)
  document.body.dataset.page = url.pathname.split("/")[1] || "list"
  redraw(main, shown.element)
  if (!place()) {
    scrollTo(0, 0)
  }
  document.title = shown.title ? `${shown.title} – ${NAME}` : NAME
  if (arrived) {
    // A reader hears where it is; the ring would only disturb the others.
    main.focus({ preventScroll: true })
    announce(shown.title ?? NAME)
  }
}

startNavigation()
startBasket()
startLive()
address.watch(show)
// Prices, stock and basket are another market's: everything is drawn anew.
let first = true
market.watch(() => {
  if (!first) {
    show()
  }
  first = false
})
