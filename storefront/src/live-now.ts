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
 * | `product-href` | where a product is: `{id}` and `{sku}` are replaced. Without it products are no links |
 * | `max-products` | how many products are shown, 4 by default |
 * | `lang` | how amounts and times are written; that of the page by default |
 *
 * A click on a product fires `svc-select` (cancelable) with the product and its show. Themed by
 * `--svc-live-background`, `-color`, `-accent`, `-font`, `-radius`, `-padding` and by the parts `strip`, `badge`,
 * `name`, `countdown`, `products`, `product`, `price` and `before`. Nothing is shown where there is no show.
 */
import { type LiveEvent, type LiveEventProduct, liveEvents } from "./index.ts"

export interface LiveNowLabels {
  /** Of the whole strip, for screen readers. */
  strip: string
  live: string
  upcoming: string
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
  ends: "Prices end in",
  starts: "Starts in",
}

/** While a show runs or is about to, and while nothing does. */
const ASK_EVERY_MS = 10_000
const ASK_SELDOM_MS = 60_000
/** What the strip can show: one show that runs, or the next. */
const SHOWN = { kind: "live", status: ["live", "planned"], limit: 10 } as const

const STYLE = `
:host { display: block; font: var(--svc-live-font, inherit); color: var(--svc-live-color, inherit) }
:host(:not([state])) { display: none }
[part=strip] { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline;
  padding: var(--svc-live-padding, 8px 16px); border-radius: var(--svc-live-radius, 0);
  background: var(--svc-live-background, transparent) }
[part=badge] { color: var(--svc-live-accent, #b3261e); font-weight: 600 }
@supports (color: light-dark(red, red)) {
  [part=badge] { color: var(--svc-live-accent, light-dark(#b3261e, #ff8a80)) }
}
[part=name] { font-weight: 600 }
[part=countdown] { font-variant-numeric: tabular-nums }
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

function next(shows: LiveEvent[], now: number): LiveEvent | undefined {
  const planned = shows.filter((show) => {
    return show.kind === "live" && show.status === "planned" && (startsAt(show) ?? 0) > now
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
    "product-href",
    "max-products",
    "lang",
  ]

  #shows: LiveEvent[] = []
  #labels = LABELS
  #drawing: ReturnType<typeof setInterval> | undefined
  #asking: ReturnType<typeof setTimeout> | undefined
  #asked: AbortController | undefined
  #drawn = ""

  /** The strip's own words, in the shop's language. */
  set labels(labels: Partial<LiveNowLabels>) {
    this.#labels = { ...LABELS, ...labels }
    this.#draw()
  }

  get labels(): LiveNowLabels {
    return this.#labels
  }

  connectedCallback(): void {
    if (!this.shadowRoot) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet]
    }
    document.addEventListener("visibilitychange", this.refresh)
    this.#drawing = setInterval(() => this.#draw(), 1_000)
    void this.refresh()
  }

  disconnectedCallback(): void {
    document.removeEventListener("visibilitychange", this.refresh)
    clearInterval(this.#drawing)
    clearTimeout(this.#asking)
    this.#asked?.abort()
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return
    if (name === "base-url" || name === "publishable-key") {
      this.#shows = []
      void this.refresh()
    }
    this.#draw()
  }

  /** Asks the store again; by itself every ten seconds while the page is looked at, each minute where no show is near. */
  readonly refresh = async (): Promise<void> => {
    clearTimeout(this.#asking)
    const baseUrl = this.getAttribute("base-url")
    const publishableKey = this.getAttribute("publishable-key")
    if (!baseUrl || !publishableKey || document.hidden) return
    this.#asked?.abort()
    const asked = new AbortController()
    this.#asked = asked
    try {
      this.#shows = await liveEvents({ baseUrl, publishableKey }, asked.signal, SHOWN)
    } catch {
      // A request that failed says nothing about the show: what is on the page stays.
    }
    if (this.#asked !== asked || !this.isConnected) return
    this.#draw()
    const now = Date.now()
    const soon = next(this.#shows, now + ASK_SELDOM_MS) !== next(this.#shows, now)
    const every = soon || running(this.#shows, now) ? ASK_EVERY_MS : ASK_SELDOM_MS
    // Not all pages at once.
    this.#asking = setTimeout(this.refresh, every * (0.9 + Math.random() * 0.2))
  }

  #draw(): void {
    const now = Date.now()
    const live = running(this.#shows, now)
    const show = live ?? next(this.#shows, now)
    this.toggleAttribute("state", Boolean(show))
    if (!show) return
    this.setAttribute("state", live ? "live" : "upcoming")
    const left = (live ? endsAt(show) : startsAt(show)) ?? 0
    const { ends, starts } = this.#labels
    const words = left ? `${live ? ends : starts} ${timeLeft(left - now)}` : ""
    const same = JSON.stringify([show, this.#labels, this.#attributes()])
    if (same !== this.#drawn) {
      this.#drawn = same
      this.shadowRoot?.replaceChildren(this.#strip(show, Boolean(live)))
    }
    const countdown = this.shadowRoot?.querySelector("[part=countdown]")
    if (countdown && countdown.textContent !== words) countdown.textContent = words
  }

  #attributes(): (string | null)[] {
    return SvcLiveNow.observedAttributes.map((name) => this.getAttribute(name))
  }

  #strip(show: LiveEvent, live: boolean): HTMLElement {
    const strip = part("section", "strip")
    strip.setAttribute("aria-label", this.#labels.strip)
    const countdown = part("span", "countdown")
    countdown.setAttribute("role", "timer")
    const products = part("ul", "products")
    // Products without a price would say nothing here; those of a coming show are no offer yet.
    const offered = show.products.filter(({ available, price }) => available && price !== null)
    const most = Number(this.getAttribute("max-products") ?? 4)
    for (const product of live ? offered.slice(0, most) : []) {
      const item = document.createElement("li")
      item.append(this.#product(product, show))
      products.append(item)
    }
    strip.append(
      part("span", "badge", live ? this.#labels.live : this.#labels.upcoming),
      part("span", "name", show.name),
      countdown,
      products,
    )
    return strip
  }

  #product(product: LiveEventProduct, show: LiveEvent): HTMLElement {
    const href = this.getAttribute("product-href")
    const card = part(href ? "a" : "span", "product")
    if (href) {
      const values: Record<string, string | null> = { id: product.external_id, sku: product.sku }
      const filled = href.replace(/\{(id|sku)\}/g, (_, name: string) => {
        return encodeURIComponent(values[name] ?? "")
      })
      card.setAttribute("href", filled)
    }
    card.addEventListener("click", (click) => {
      const select = new CustomEvent<LiveNowSelect>("svc-select", {
        detail: { product, show },
        bubbles: true,
        composed: true,
        cancelable: true,
      })
      if (!this.dispatchEvent(select)) click.preventDefault()
    })
    const before = product.suggested_retail_price ?? 0
    card.append(product.name, " ", part("span", "price", this.#money(product.price, show)))
    if (before > (product.price ?? 0)) {
      card.append(" ", part("s", "before", this.#money(before, show)))
    }
    return card
  }

  #money(amount: number | null, { currency_code }: LiveEvent): string {
    const lang = this.closest("[lang]")?.getAttribute("lang") || undefined
    const style = currency_code ? { style: "currency" as const, currency: currency_code } : {}
    return new Intl.NumberFormat(lang, style).format(amount ?? 0)
  }
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
