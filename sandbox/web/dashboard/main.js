/** Puts the dashboard together: address, data, shell, and word of changes. */
import { icon } from "/player/icons.js"
import { h, render } from "/player/view.js"
import { follow, get } from "./api.js"
import { clockWidget } from "./clock.js"
import { createContext } from "./context.js"
import { href, route } from "./router.js"
import { controls } from "./sections/controls.js"
import { deliveries } from "./sections/deliveries.js"
import { delivery } from "./sections/delivery.js"
import { journal } from "./sections/journal.js"
import { orders } from "./sections/orders.js"
import { overview } from "./sections/overview.js"
import { product } from "./sections/product.js"
import { products } from "./sections/products.js"
import { show } from "./sections/show.js"
import { shows } from "./sections/shows.js"
import { subscribers } from "./sections/subscribers.js"

/** Each section: the data it needs, and how it looks with them. */
const SECTIONS = {
  "": { list: overview },
  shows: { list: shows, one: show },
  products: { list: products, one: product },
  orders: { list: orders },
  subscribers: { list: subscribers },
  deliveries: { list: deliveries, one: delivery },
  journal: { list: journal },
  controls: { list: controls },
}

const NAVIGATION = [
  ["", "Overview", "home"],
  ["shows", "Shows", "broadcast"],
  ["products", "Products", "box"],
  ["orders", "Orders", "receipt"],
  ["subscribers", "Webhooks", "webhook"],
  ["deliveries", "Deliveries", "send"],
  ["journal", "Journal", "list"],
  ["controls", "Controls", "sliders"],
]

const PAGE_KEY = "svc-sandbox:page"

const app = document.getElementById("app")
const ctx = createContext({ onChange: draw, reload })
let at = route()
/** What is on screen belongs to this address. */
let shownFor = null
let data = null
let failure = null
let asked = 0
/** The answer to the latest question. @type {Promise<void> | null} */
let latest = null
let due = false
/** Another section or record was gone to, and is not on screen yet. */
let arriving = false

function section() {
  const [name = "", id] = at.path
  const found = SECTIONS[name] ?? SECTIONS[""]
  return id !== undefined && found.one ? found.one : found.list
}

/**
 * Fetches what the address needs, and shows it. Whoever asked before a later question waits for that one's answer: their
 * own is dropped, and "done" must not be said over an old picture.
 */
function reload() {
  latest = load()
  return latest
}

async function load() {
  const question = ++asked
  const address = at
  try {
    const [{ pages }, clock] = await Promise.all([get("/pages"), get("/clock")])
    const wanted = address.query.page ?? localStorage.getItem(PAGE_KEY)
    const page = pages.find(({ uid }) => uid === wanted) ?? pages[0]
    const loaded = page
      ? await section().load({ page, pages, id: address.path[1], query: address.query })
      : null
    if (question !== asked) {
      return latest
    }
    Object.assign(ctx, { pages, page, clock, clockSeenAt: Date.now() })
    data = loaded
    failure = null
    shownFor = address
  } catch (error) {
    if (question !== asked) {
      return latest
    }
    console.error(error)
    failure = error
    shownFor = address
  }
  draw()
}

function draw() {
  if (due) {
    return
  }
  due = true
  queueMicrotask(() => {
    due = false
    render(app, shell())
    document.title = [app.querySelector("h1")?.textContent, "svc sandbox"]
      .filter(Boolean)
      .join(" · ")
    if (arriving && shownFor === at) {
      arriving = false
      // The link that led here is gone, and with it the place of whoever goes by keyboard or by ear.
      if (document.activeElement === document.body) {
        app.querySelector("h1")?.focus({ preventScroll: true })
      }
    }
    for (const dialog of app.querySelectorAll("dialog[data-modal]:not([open])")) {
      dialog.showModal()
    }
  })
}

function shell() {
  return h(
    "div.shell",
    null,
    h(
      "aside",
      null,
      h(
        "a.mark",
        { href: href([]) },
        h("img", { src: "/_sandbox/ui/mark.svg", alt: "", width: 32, height: 32 }),
        h("span", null, h("b", null, "svc"), " sandbox"),
      ),
      ctx.pages.length > 1 && pagePicker(),
      h("nav", { "aria-label": "Sections" }, NAVIGATION.map(navigationItem)),
      ctx.clock && clockWidget(ctx, "Clock"),
    ),
    h("main", { id: "main", "aria-busy": String(shownFor !== at) }, content()),
    h(
      "div.toasts",
      { role: "status", "aria-live": "polite" },
      !ctx.connected &&
        h(
          "p.toast",
          { key: "lost", "data-tone": "bad" },
          icon("alert"),
          "The sandbox is not reachable. Reconnecting…",
        ),
      ctx.toasts.map(({ id, text, tone }) =>
        h(
          "p.toast",
          { key: id, "data-tone": tone },
          icon(tone === "good" ? "check" : "alert"),
          text,
        ),
      ),
    ),
  )
}

function navigationItem([name, word, sign]) {
  return h(
    "a",
    { href: href(name ? [name] : []), "aria-current": (at.path[0] ?? "") === name ? "page" : null },
    icon(sign),
    h("span", null, word),
  )
}

function pagePicker() {
  return h(
    "label.page-picker",
    null,
    h("span", null, "Page"),
    h(
      "select",
      {
        value: ctx.page.uid,
        onchange: (event) => {
          localStorage.setItem(PAGE_KEY, event.currentTarget.value)
          reload()
        },
      },
      ctx.pages.map(({ uid, name }) => h("option", { value: uid }, name)),
    ),
  )
}

function content() {
  if (shownFor !== at) {
    return h("div.waiting", { key: "waiting" }, h("span.spinner"), "One moment")
  }
  if (failure) {
    return h(
      "div.failure",
      { key: "failure", role: "alert" },
      icon("alert"),
      h(
        "h1",
        { tabindex: -1 },
        failure.status === 404 ? "This is no longer here" : "This could not be loaded",
      ),
      h("p", null, failure.message),
      h(
        "div.failure-actions",
        null,
        h("button.button.primary", { type: "button", onclick: reload }, "Try again"),
        at.path.length > 1 &&
          h("a.button.plain", { href: href(at.path.slice(0, 1)) }, "Back to the list"),
      ),
    )
  }
  return h("div.section", { key: at.path.join("/") || "overview" }, section().view(ctx, data, at))
}

addEventListener("hashchange", () => {
  const next = route()
  if (next.path.join("/") !== at.path.join("/")) {
    ctx.local = {}
    ctx.clearErrors()
    arriving = true
    scrollTo(0, 0)
  }
  // The list stays on screen while another search of it loads.
  const sameSection = shownFor === at && next.path.join("/") === at.path.join("/")
  at = next
  shownFor = sameSection ? at : null
  draw()
  reload()
  // On a phone the navigation is a strip that scrolls.
  queueMicrotask(() =>
    app
      .querySelector("nav a[aria-current]")
      ?.scrollIntoView({ inline: "center", block: "nearest" }),
  )
})

let refreshing = null
follow(
  () => {
    clearTimeout(refreshing)
    refreshing = setTimeout(reload, 120)
  },
  (connected) => {
    ctx.connected = connected
    draw()
  },
)
// Words like "3 min ago" grow old, and the clock ticks.
setInterval(() => document.hidden || draw(), 1000)
reload()
