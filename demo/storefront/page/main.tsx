import { render } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { announce } from "./announce"
import { startBasket } from "./basket"
import { startLive } from "./live"
import { market } from "./market"
import { address, startNavigation } from "./navigation"
import { useValue } from "./state"
import { BasketPage } from "./views/basket-page"
import { CheckoutPage } from "./views/checkout"
import { Drawer } from "./views/drawer"
import { ListPage } from "./views/list"
import { LiveStrip } from "./views/live-strip"
import { NotFoundPage } from "./views/not-found"
import { ProductPage } from "./views/product"
import { Footer, Header } from "./views/shell"
import { ThanksPage } from "./views/thanks"

function Page({ url }: { url: URL }) {
  const [, first, second] = url.pathname.split("/")
  if (!first) return <ListPage url={url} />
  if (first === "products" && second) return <ProductPage handle={decodeURIComponent(second)} />
  if (first === "thanks" && second) return <ThanksPage id={decodeURIComponent(second)} />
  if (first === "cart") return <BasketPage />
  return first === "checkout" ? <CheckoutPage /> : <NotFoundPage />
}

function Shop() {
  const url = useValue(address)
  const { id: marketId } = useValue(market)
  const main = useRef<HTMLElement>(null)
  const arrived = useRef(false)

  useLayoutEffect(() => {
    document.body.dataset.page = url.pathname.split("/")[1] || "list"
  }, [url])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what it tells of
  useEffect(() => {
    // A reader hears where it is; the ring would only disturb the others.
    if (arrived.current) {
      main.current?.focus({ preventScroll: true })
      announce(document.title)
    }
    arrived.current = true
  }, [url.pathname])

  return (
    <>
      <Header />
      <LiveStrip />
      <main id="main" tabIndex={-1} ref={main}>
        {/* Prices, stock and basket are another market's: everything is drawn anew. */}
        <Page key={`${marketId} ${url.pathname}${url.search}`} url={url} />
      </main>
      <Footer />
      <Drawer />
    </>
  )
}

startNavigation()
startBasket()
startLive()
const app = document.getElementById("app")
if (app) render(<Shop />, app)
