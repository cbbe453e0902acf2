/**
 * `<svc-live-now>`: a strip with the show that runs or the next one, a countdown and its prices.
 *
 * ```html
 * <script type="module" src="/svc/live-now.js"></script>
 * <svc-live-now base-url="https://store.example.com" publishable-key="pk_..." product-href="/products/{id}"></svc-live-now>
 * ```
 *
 * | attribute | |
 * |---|---|
 * | `base-url`, `publishable-key` | the Medusa server and the key of the shop's sales channel |
 * | `page-uid` | the player's page: the shows of this one alone, where several markets share the sales channel |
 * | `product-href` | where a product is: `{id}`, `{handle}` and `{sku}` are replaced. Without it products are no links |
 * | `max-products` | how many products are shown, 4 by default |
 * | `replay` | shows the last show to be watched again while none runs or comes |
 * | `lang` | how amounts and times are written; that of the page by default |
 *
 * A click on a product fires `svc-select` (cancelable) with the product and its show. Themed by
 * `--svc-live-background`, `-color`, `-accent`, `-font`, `-radius`, `-padding` and by the parts `strip`, `cover`,
 * `badge`, `name`, `countdown`, `video`, `products`, `product`, `image`, `price` and `before`. Nothing is shown where there is no show.
 */
import { type LiveEvent, type LiveEventProduct, liveEvents } from "./index.ts"

export interface LiveNowLabels {
  /** Of the whole strip, for screen readers. */
  strip: string
  live: string
  upcoming: string
  replay: string
  /** Before the time that is left. */
  ends: string
  starts: string
}

export interface LiveNowSelect {
  product: LiveEventProduct
  show: LiveEvent
}

declare global {
  interface HTMLElementTagNameMap {
    "svc-live-now": SvcLiveNow
  }
}

const LABELS: LiveNowLabels = {
  strip: "Live shows",
  live: "Live now",
  upcoming: "Coming up",
  replay: "Watch again",
  ends: "Prices end in",
  starts: "Starts in",
}

/** While a show runs or is about to, and while nothing does. */
const ASK_EVERY_MS = 10_000
const ASK_SELDOM_MS = 60_000
/** How long a show is waited for: none begins to the second. */
const LATE_MS = 3_600_000
/** What the strip can show: one show that runs, or the next. */
const SHOWN = { kind: "live", status: ["live", "planned"], limit: 10 } as const
const LAST = { kind: "live", status: ["vod"], order: "-live_started_at", limit: 1 } as const

const STYLE = `
:host { display: block; font: var(--svc-live-font, inherit); color: var(--svc-live-color, inherit) }
:host(:not([state])) { display: none }
[part=strip] { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center;
  padding: var(--svc-live-padding, 8px 16px); border-radius: var(--svc-live-radius, 0);
  background: var(--svc-live-background, transparent) }
[part=badge] { color: var(--svc-live-accent, #b3261e); font-weight: 600 }
@supports (color: light-dark(red, red)) {
  [part=badge] { color: var(--svc-live-accent, light-dark(#b3261e, #ff8a80)) }
}
[part=name] { font-weight: 600 }
[part=countdown] { font-variant-numeric: tabular-nums }
[part=cover], [part=image] { object-fit: cover; vertical-align: middle; border-radius: 4px }
[part=cover] { width: 64px; height: 40px }
[part=image] { width: 40px; height: 40px; margin-inline-end: 8px }
[part=video] { display: block; width: 100%; max-width: 480px; max-height: 60vh }
[part=products] { display: flex; gap: 24px; margin: 0; padding: 0; list-style: none; white-space: nowrap;
  max-width: 100%; overflow-x: auto }
[part=products]:empty { display: none }
[part=product] { color: inherit; text-decoration: none }
[part=product]:hover { text-decoration: underline }
[part=price] { font-weight: 600 }
[part=before] { opacity: .7 }
`

const endsAt = ({ deadline }: LiveEvent) => (deadline ? Date.parse(deadline) : undefined)
const startsAt = ({ starts_at }: LiveEvent) => (starts_at ? Date.parse(starts_at) : undefined)

/** The show that runs and still sells: after the deadline its prices are gone, whatever it shows. */
function running(shows: LiveEvent[], now: number): LiveEvent | undefined {
  return shows.find((show) => {
    const end = endsAt(show)
    return show.kind === "live" && show.status === "live" && (!end || end > now)
  })
}

/** The one that is over and can be watched again; its prices may still hold. */
function last(shows: LiveEvent[], now: number): LiveEvent | undefined {
  return shows.find((show) => {
    return show.status === "vod" && show.video_url && (endsAt(show) ?? now + 1) > now
  })
}

function next(shows: LiveEvent[], now: number): LiveEvent | undefined {
  const planned = shows.filter((show) => {
    return (
      show.kind === "live" && show.status === "planned" && (startsAt(show) ?? 0) > now - LATE_MS
    )
  })
  return planned.sort((one, other) => (startsAt(one) ?? 0) - (startsAt(other) ?? 0))[0]
}

/** `2 d 3 h`, `3 h 12 min`, `12:05`. */
function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [minutes, hours, days] = [60, 3_600, 86_400].map((unit) => Math.floor(seconds / unit))
  if (days) return `${days} d ${(hours ?? 0) % 24} h`
  if (hours) return `${hours} h ${(minutes ?? 0) % 60} min`
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`
}

// On a server there are no elements; the module may be imported there all the same.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export class SvcLiveNow extends Base {
  static readonly observedAttributes = [
    "base-url",
    "publishable-key",
    "page-uid",
    "product-href",
    "max-products",
    "replay",
    "lang",
  ]

  #shows: LiveEvent[] = []
  #labels = LABELS
  #drawing: ReturnType<typeof setInterval> | undefined
  #asking: ReturnType<typeof setTimeout> | undefined
  #asked: AbortController | undefined
  /** It is about to ask. */
  #isAsking = false
  #drawn = ""
  /** The id of the show that was drawn. */
  #drawnShow = ""

  /** The strip's own words, in the shop's language. */
  set labels(labels: Partial<LiveNowLabels>) {
    this.#labels = { ...LABELS, ...labels }
    this.#draw()
  }

  get labels(): LiveNowLabels {
    return this.#labels
  }

  connectedCallback(): void {
    // Said before this script came, they are a property of the element's own, in front of ours.
    if (Object.hasOwn(this, "labels")) {
      const { labels } = this
      Reflect.deleteProperty(this, "labels")
      this.labels = labels
    }
    if (!this.shadowRoot) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet]
    }
    document.addEventListener("visibilitychange", this.refresh)
    this.#drawing = setInterval(() => this.#draw(), 1_000)
    this.#askOnce()
  }

  disconnectedCallback(): void {
    document.removeEventListener("visibilitychange", this.refresh)
    clearInterval(this.#drawing)
    clearTimeout(this.#asking)
    this.#asked?.abort()
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return
    if (["base-url", "publishable-key", "page-uid", "replay"].includes(name)) {
      this.#shows = []
      this.#asked?.abort()
      this.#askOnce()
    }
    this.#draw()
  }

  /** Where a tag comes to the page, or a framework writes it, its attributes change one after the other. */
  #askOnce(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    queueMicrotask(() => {
      if (this.#isAsking && this.isConnected) void this.refresh()
      this.#isAsking = false
    })
  }

  /** Asks the store again; by itself every ten seconds while the page is looked at, each minute where no show is near. */
  readonly refresh = async (): Promise<void> => {
    this.#isAsking = false
    clearTimeout(this.#asking)
    const baseUrl = this.getAttribute("base-url")
    const publishableKey = this.getAttribute("publishable-key")
    if (!baseUrl || !publishableKey || document.hidden) return
    this.#asked?.abort()
    const asked = new AbortController()
    this.#asked = asked
    try {
      const store = { baseUrl, publishableKey }
      const page_uid = this.getAttribute("page-uid")
      const shows = await liveEvents(store, asked.signal, { ...SHOWN, page_uid })
      const now = Date.now()
      const isQuiet = !running(shows, now) && !next(shows, now)
      this.#shows =
        isQuiet && this.hasAttribute("replay")
          ? await liveEvents(store, asked.signal, { ...LAST, page_uid })
          : shows
    } catch {
      // A request that failed says nothing about the show: what is on the page stays.
    }
    if (this.#asked !== asked || !this.isConnected) return
    this.#draw()
    const now = Date.now()
    const coming = next(this.#shows, now)
    const isSoon = coming && (startsAt(coming) ?? 0) - now < ASK_SELDOM_MS
    const every = isSoon || running(this.#shows, now) ? ASK_EVERY_MS : ASK_SELDOM_MS
    // Not all pages at once.
    this.#asking = setTimeout(this.refresh, every * (0.9 + Math.random() * 0.2))
  }

  #draw(): void {
    const now = Date.now()
    const live = running(this.#shows, now)
    const show = live ?? next(this.#shows, now) ?? last(this.#shows, now)
    if (!show) {
      this.removeAttribute("state")
      // A film that is only hidden plays on, and nobody could stop it.
      this.shadowRoot?.replaceChildren()
      this.#drawn = ""
      return
    }
    const same = JSON.stringify([show, this.#labels, this.#attributes()])
    // A film that is being watched stays: addresses of pictures may be signed anew in each answer.
    const isWatched = this.shadowRoot?.querySelector("video")?.paused === false
    if (same !== this.#drawn && !isWatched) {
      this.#drawn = same
      this.#drawnShow = show.id
      this.shadowRoot?.replaceChildren(this.#strip(show))
    }
    // Beside the film of another show nothing is said of this one.
    const isDrawn = show.id === this.#drawnShow
    const isComing = show.status === "planned"
    if (isDrawn) this.setAttribute("state", live ? "live" : isComing ? "upcoming" : "replay")
    const left = (isComing ? startsAt(show) : endsAt(show)) ?? 0
    const { ends, starts } = this.#labels
    const words = isDrawn && left > now ? `${isComing ? starts : ends} ${timeLeft(left - now)}` : ""
    const countdown = this.shadowRoot?.querySelector("[part=countdown]")
    if (countdown && countdown.textContent !== words) countdown.textContent = words
  }

  #attributes(): (string | null)[] {
    return SvcLiveNow.observedAttributes.map((name) => this.getAttribute(name))
  }

  #strip(show: LiveEvent): HTMLElement {
    const isComing = show.status === "planned"
    const isOver = show.status === "vod"
    const strip = part("section", "strip")
    strip.setAttribute("aria-label", this.#labels.strip)
    const countdown = part("span", "countdown")
    countdown.setAttribute("role", "timer")
    const products = part("ul", "products")
    // Products without a price would say nothing here; those of a coming show are no offer yet.
    const offered = show.products.filter(({ available, price }) => available && price !== null)
    const most = Number(this.getAttribute("max-products") ?? 4)
    for (const product of isComing ? [] : offered.slice(0, most)) {
      const item = document.createElement("li")
      item.append(this.#product(product, show))
      products.append(item)
    }
    const { live, upcoming, replay } = this.#labels
    strip.append(
      ...picture("cover", show.cover_urls?.landscape ?? show.cover_url),
      part("span", "badge", isComing ? upcoming : isOver ? replay : live),
      part("span", "name", show.name),
      countdown,
      ...(isOver ? [film(show)] : []),
      products,
    )
    return strip
  }

  #product(product: LiveEventProduct, show: LiveEvent): HTMLElement {
    const href = addressOf(product, this.getAttribute("product-href"))
    const card = part(href ? "a" : "span", "product")
    if (href) card.setAttribute("href", href)
    card.addEventListener("click", (click) => {
      // For a tab or a window of its own: the browser's, where the card leads anywhere.
      if (href && (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey)) return
      const select = new CustomEvent<LiveNowSelect>("svc-select", {
        detail: { product, show },
        bubbles: true,
        composed: true,
        cancelable: true,
      })
      if (!this.dispatchEvent(select)) click.preventDefault()
    })
    const before = product.suggested_retail_price ?? 0
    card.append(...picture("image", product.image))
    card.append(product.name, " ", part("span", "price", this.#money(product.price, show)))
    if (before > (product.price ?? 0)) {
      card.append(" ", part("s", "before", this.#money(before, show)))
    }
    return card
  }

  #money(amount: number | null, { currency_code }: LiveEvent): string {
    const lang = this.closest("[lang]")?.getAttribute("lang")?.replaceAll("_", "-")
    const style = currency_code ? { style: "currency" as const, currency: currency_code } : {}
    const format = (locale?: string) => new Intl.NumberFormat(locale, style).format(amount ?? 0)
    try {
      return format(lang || undefined)
    } catch {
      // What a page calls its language may be none, and the show runs all the same.
      return format()
    }
  }
}

/** Null where the shop gives no template, or where the product lacks what it names: a link that leads nowhere is none. */
function addressOf(product: LiveEventProduct, template: string | null): string | null {
  const { external_id: id, handle, sku } = product
  const values: Record<string, string | null> = { id, handle, sku }
  let isWhole = Boolean(template)
  const filled = template?.replace(/\{(id|handle|sku)\}/g, (_, name: string) => {
    isWhole &&= Boolean(values[name])
    return encodeURIComponent(values[name] ?? "")
  })
  return filled && isWhole ? filled : null
}

/** None where there is no address. The name stands beside it, so that it says nothing of its own. */
function picture(name: string, src: string | null | undefined): HTMLElement[] {
  if (!src) return []
  const image = part("img", name) as HTMLImageElement
  Object.assign(image, { src, alt: "", loading: "lazy" })
  return [image]
}

/** Nothing of it is loaded before the shopper presses play. */
function film(show: LiveEvent): HTMLElement {
  const video = part("video", "video") as HTMLVideoElement
  Object.assign(video, { src: show.video_url, controls: true, preload: "none", playsInline: true })
  video.setAttribute("aria-label", show.name)
  const poster = show.cover_urls.landscape ?? show.cover_url
  if (poster) video.poster = poster
  return video
}

function part(tag: string, name: string, text = ""): HTMLElement {
  const element = document.createElement(tag)
  element.setAttribute("part", name)
  element.textContent = text
  return element
}

if (globalThis.customElements && !customElements.get("svc-live-now")) {
  customElements.define("svc-live-now", SvcLiveNow)
}
