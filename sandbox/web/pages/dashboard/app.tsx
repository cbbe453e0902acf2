/** Puts the dashboard together: address, data, shell, and word of changes. */

import { render, type VNode } from "preact"
import { useEffect, useLayoutEffect, useReducer } from "preact/hooks"
import type { ClockView } from "../../../control-api/views"
import type { Page } from "../../../store/tables"
import { Icon, type IconName } from "../shared/icon"
import { Clock } from "./clock"
import { type Dashboard, DashboardContext, type Section, sentenceOf, type Toast } from "./dashboard"
import { Spinner } from "./parts"
import { type Address, href, route } from "./router"
import { controls } from "./sections/controls"
import { deliveries } from "./sections/deliveries"
import { delivery } from "./sections/delivery"
import { journal } from "./sections/journal"
import { orders } from "./sections/orders"
import { overview } from "./sections/overview"
import { product } from "./sections/product"
import { products } from "./sections/products"
import { show } from "./sections/show"
import { shows } from "./sections/shows"
import { subscribers } from "./sections/subscribers"
import { followChanges, svc } from "./service"

type Part = { name: string; word: string; sign: IconName; list: Section; one?: Section }

const OVERVIEW: Part = { name: "", word: "Overview", sign: "home", list: overview }
const PARTS: Part[] = [
  OVERVIEW,
  { name: "shows", word: "Shows", sign: "broadcast", list: shows, one: show },
  { name: "products", word: "Products", sign: "box", list: products, one: product },
  { name: "orders", word: "Orders", sign: "receipt", list: orders },
  { name: "subscribers", word: "Webhooks", sign: "webhook", list: subscribers },
  { name: "deliveries", word: "Deliveries", sign: "send", list: deliveries, one: delivery },
  { name: "journal", word: "Journal", sign: "list", list: journal },
  { name: "controls", word: "Controls", sign: "sliders", list: controls },
]

const PAGE_KEY = "svc-sandbox:page"
/** How long a word at the bottom of the page stays. */
const TOAST_MS = { good: 2500, bad: 8000 }
/** Changes that come together are one refresh. */
const REFRESH_MS = 120

type Shown = {
  /** What is on screen belongs to this address. */
  at: Address
  view: (() => VNode) | null
  failure: unknown
}

/** Everything that the page is drawn from. */
class State {
  at = route()
  shown: Shown | null = null
  pages: Page[] = []
  page: Page | null = null
  clock: ClockView | null = null
  clockSeenAt = 0
  connected = true
  toasts: Toast[] = []
  draw: () => void = () => undefined

  private asked = 0
  private latest: Promise<void> = Promise.resolve()
  private nextToast = 0

  now = (): number => {
    if (!this.clock) return Date.now()
    return this.clock.now + (this.clock.running ? Date.now() - this.clockSeenAt : 0)
  }

  tell = (text: string, tone: Toast["tone"] = "good"): void => {
    const toast = { id: this.nextToast++, text, tone }
    this.toasts = [...this.toasts.slice(-2), toast]
    this.draw()
    setTimeout(() => {
      this.toasts = this.toasts.filter((one) => one !== toast)
      this.draw()
    }, TOAST_MS[tone])
  }

  /**
   * Fetches what the address needs, and shows it. Whoever asked before a later question waits for
   * that one's answer: their own is dropped, and "done" must not be said over an old picture.
   */
  reload = (): Promise<void> => {
    this.latest = this.load()
    return this.latest
  }

  private async load(): Promise<void> {
    const question = ++this.asked
    const { at } = this
    let shown: Shown
    try {
      const [{ pages }, clock] = await Promise.all([svc.pages.list(), svc.clock.get()])
      const wanted = at.query.page ?? localStorage.getItem(PAGE_KEY)
      const page = pages.find(({ uid }) => uid === wanted) ?? pages[0] ?? null
      const view = page && (await sectionOf(at)({ page, id: at.path[1] ?? "", query: at.query }))
      if (question !== this.asked) return this.latest
      Object.assign(this, { pages, page, clock, clockSeenAt: Date.now() })
      shown = { at, view, failure: null }
    } catch (failure) {
      if (question !== this.asked) return this.latest
      console.error(failure)
      shown = { at, view: null, failure }
    }
    this.shown = shown
    this.draw()
  }

  goTo(next: Address): void {
    const samePlace = next.path.join("/") === this.at.path.join("/")
    if (!samePlace) scrollTo(0, 0)
    // The list stays on screen while another search of it loads.
    const { shown } = this
    this.shown = shown?.at === this.at && samePlace ? { ...shown, at: next } : null
    this.at = next
    this.draw()
    void this.reload()
  }
}

function partOf({ path }: Address): Part {
  return PARTS.find(({ name }) => name === (path[0] ?? "")) ?? OVERVIEW
}

function sectionOf(at: Address): Section {
  const part = partOf(at)
  return (at.path[1] !== undefined && part.one) || part.list
}

function App({ state }: { state: State }) {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const { at, shown } = state
  const place = at.path.join("/")
  const arrived = shown !== null

  useEffect(() => {
    state.draw = () => draw(undefined)
    addEventListener("hashchange", () => state.goTo(route()))
    let refreshing: ReturnType<typeof setTimeout>
    followChanges(
      () => {
        clearTimeout(refreshing)
        refreshing = setTimeout(state.reload, REFRESH_MS)
      },
      (connected) => {
        state.connected = connected
        state.draw()
      },
    )
    // Words like "3 min ago" grow old, and the clock ticks.
    setInterval(() => document.hidden || state.draw(), 1000)
    void state.reload()
  }, [state])

  useLayoutEffect(() => {
    const title = document.querySelector("h1")?.textContent
    document.title = [title, "svc sandbox"].filter(Boolean).join(" · ")
  })
  // Once for each place that is arrived at.
  useLayoutEffect(() => {
    // The link that led here is gone, and with it the place of whoever goes by keyboard or by ear.
    if (arrived && visited && document.activeElement === document.body) {
      document.querySelector("h1")?.focus({ preventScroll: true })
    }
    visited ||= arrived
    // On a phone the navigation is a strip that scrolls.
    document
      .querySelector("nav a[aria-current]")
      ?.scrollIntoView({ inline: "center", block: "nearest" })
  }, [place, arrived])

  const { page, pages, clock, now, reload, tell } = state
  const dashboard: Dashboard | null = page &&
    clock && { page, pages, clock, now, query: at.query, reload, tell }
  return (
    <DashboardContext.Provider value={dashboard}>
      <div class="shell">
        <aside>
          <a class="part row gap-12 text-16" href={href([])}>
            <img src="/_sandbox/ui/mark.svg" alt="" width={32} height={32} />
            <span>
              <b>svc</b> sandbox
            </span>
          </a>
          {page && pages.length > 1 && <PagePicker pages={pages} page={page} reload={reload} />}
          <nav aria-label="Sections">
            {PARTS.map((part) => (
              <a
                key={part.name}
                class="part row nowrap gap-12"
                href={href(part.name ? [part.name] : [])}
                aria-current={part === partOf(at) ? "page" : undefined}
              >
                <Icon name={part.sign} />
                <span>{part.word}</span>
              </a>
            ))}
          </nav>
          {dashboard && <Clock label="Clock" />}
        </aside>
        <main id="main" aria-busy={!arrived}>
          <Content state={state} key={place} />
        </main>
        <Toasts state={state} />
      </div>
    </DashboardContext.Provider>
  )
}

/** Whether any place was arrived at: on the first one the reader's focus is left alone. */
let visited = false

function Content({ state: { shown, at, reload } }: { state: State }) {
  if (!shown) {
    return (
      <div class="waiting row gap-12 soft">
        <Spinner />
        One moment
      </div>
    )
  }
  const { failure, view } = shown
  if (!failure) return <div class="section">{view?.()}</div>
  const gone = typeof failure === "object" && "status" in failure && failure.status === 404
  return (
    <div class="stack" role="alert">
      <span class="sign tone" data-tone="red">
        <Icon name="alert" />
      </span>
      <h1 tabIndex={-1}>{gone ? "This is no longer here" : "This could not be loaded"}</h1>
      <p>{sentenceOf(failure)}</p>
      <div class="row">
        <button type="button" class="button primary" onClick={reload}>
          Try again
        </button>
        {at.path.length > 1 && (
          <a class="button plain" href={href(at.path.slice(0, 1))}>
            Back to the list
          </a>
        )}
      </div>
    </div>
  )
}

function PagePicker(props: { pages: Page[]; page: Page; reload: () => void }) {
  const { pages, page, reload } = props
  return (
    <label class="page-picker stack gap-4 soft">
      <small>Page</small>
      <select
        value={page.uid}
        onChange={({ currentTarget }) => {
          localStorage.setItem(PAGE_KEY, currentTarget.value)
          reload()
        }}
      >
        {pages.map(({ uid, name }) => (
          <option key={uid} value={uid}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

const LOST: Toast = {
  id: -1,
  text: "The sandbox is not reachable. Reconnecting…",
  tone: "bad",
}

function Toasts({ state: { connected, toasts } }: { state: State }) {
  return (
    <div class="toasts stack" role="status" aria-live="polite">
      {[...(connected ? [] : [LOST]), ...toasts].map(({ id, text, tone }) => (
        <p key={id} class="toast note" data-tone={tone}>
          <Icon name={tone === "good" ? "check" : "alert"} />
          <span>{text}</span>
        </p>
      ))}
    </div>
  )
}

const root = document.getElementById("app")
if (root) render(<App state={new State()} />, root)
