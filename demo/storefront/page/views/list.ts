import { type Category, listCategories, listProducts, type Product } from "../api"
import { announce, type Child, h, icons, redraw } from "../dom"
import { inShow, showPrice, shows, showsKnown } from "../live"
import { navigate, noteShown, place } from "../navigation"
import { picture } from "./picture"
import { priceOf, priceTag, saleBadge, soldOut } from "./price"
import { messageOf, type View } from "./view"

const PAGE_SIZE = 24

const ORDERS = [
  ["created_at", "Featured"],
  ["-created_at", "Newest"],
  ["title", "Name"],
] as const

/** The shop's front: all products, searched, by category, in an order. The address holds all three. */
export function listPage(url: URL): View {
  const q = url.searchParams.get("q") ?? ""
  const category = url.searchParams.get("category") ?? ""
  const order = url.searchParams.get("order") ?? ORDERS[0][0]
  const show = url.searchParams.get("show")

  const grid = h("ul", { class: "grid", "aria-label": "Products" })
  const more = h("div", { class: "more" })
  const count = h("p", { class: "muted", role: "status" })
  const heading = h("h1", { class: "title" }, q ? `“${q}”` : show ? "" : "Everything")
  const chips = h("nav", { class: "chips", "aria-label": "Categories" })
  const front = !q && !category && !show
  const collage = h(
    "div",
    { class: "collage", "aria-hidden": "true" },
    [0, 1, 2].map(() => picture(null)),
  )
  let products: Product[] = []
  let here = true
  let stopLive: (() => void) | undefined

  const address = (changes: Record<string, string>) => {
    const query = new URLSearchParams({ q, category, order, ...changes })
    for (const [name, value] of [...query]) {
      if (!value || (name === "order" && value === ORDERS[0][0])) {
        query.delete(name)
      }
    }
    return query.size ? `/?${query}` : "/"
  }

  const drawChips = (categories: Category[]) => {
    const chip = (id: string, name: string) =>
      h(
        "a",
        {
          class: "chip",
          href: address({ category: id }),
          "aria-current": id === category && !show && "page",
        },
        name,
      )
    redraw(
      chips,
      chip("", "All"),
      categories.map(({ id, name }) => chip(id, name)),
    )
    const chosen = categories.find(({ id }) => id === category)
    if (chosen && !q) {
      heading.textContent = chosen.name
    }
  }

  // Back from a product: as much as was shown before, and as far down.
  const before = place()

  const find = async (offset: number) => {
    const limit = offset === 0 ? Math.max(PAGE_SIZE, before?.shown ?? 0) : PAGE_SIZE
    const query = { q, category, order, offset, limit }
    if (!show) {
      return listProducts(query)
    }
    await showsKnown
    const found = shows.get().find(({ id }) => id === show)
    heading.textContent = found?.name ?? "This show is over"
    const ids = (found?.products ?? []).flatMap(({ external_id }) => external_id ?? [])
    return ids.length > 0 ? listProducts({ ...query, ids }) : { products: [], count: 0 }
  }

  const load = async () => {
    redraw(more)
    if (products.length === 0) {
      redraw(grid, Array.from({ length: 8 }, skeleton))
    }
    try {
      const offset = products.length
      const page = await find(offset)
      if (!here) {
        return
      }
      products = [...products, ...page.products]
      noteShown(products.length)
      if (front && offset === 0) {
        redraw(
          collage,
          ofDifferentKinds(products).map(({ thumbnail }) => picture(thumbnail, { eager: true })),
        )
      }
      count.textContent = `${page.count} ${page.count === 1 ? "product" : "products"}`
      const next = page.count - products.length
      redraw(
        more,
        next > 0 &&
          h(
            "button",
            { class: "button quiet", type: "button", onclick: load },
            `Show ${Math.min(next, PAGE_SIZE)} more`,
          ),
      )
      stopLive?.()
      stopLive = shows.watch((all) =>
        redraw(
          grid,
          products.map((product, at) => card(product, all, at < 4)),
        ),
      )
      if (products.length === 0) {
        redraw(more, nothing(q))
      }
      if (offset === 0 && before) {
        scrollTo(0, before.scroll)
      }
      if (offset > 0) {
        announce(`${products.length} of ${page.count} products shown`)
        grid.children[offset]?.querySelector("a")?.focus()
      }
    } catch (error) {
      if (here) {
        if (products.length === 0) {
          redraw(grid)
        }
        redraw(
          more,
          h("p", { class: "notice bad", role: "alert" }, icons.alert(), messageOf(error)),
          h("button", { class: "button quiet", type: "button", onclick: load }, "Try again"),
        )
      }
    }
  }

  drawChips([])
  listCategories().then(
    (categories) => here && drawChips(categories),
    () => undefined,
  )
  void load()

  const sort = h(
    "select",
    { "aria-label": "Order", onchange: () => navigate(address({ order: sort.value })) },
    ORDERS.map(([value, label]) => h("option", { value, selected: value === order }, label)),
  )
  return {
    element: h(
      "div",
      null,
      front && hero(collage),
      h(
        "div",
        { class: "page" },
        chips,
        h("div", { class: "list-head" }, heading, count, h("div", { class: "sort" }, sort)),
        grid,
        more,
      ),
    ),
    title: q || undefined,
    leave() {
      here = false
      stopLive?.()
    },
  }
}

function hero(collage: Child): Child {
  return h(
    "section",
    { class: "hero wide" },
    h(
      "div",
      null,
      h("p", { class: "display" }, "Quiet things for the home, made to be kept."),
      h(
        "p",
        { class: "muted" },
        "Ceramics, wool, oak and linen from small workshops around the Nordic seas.",
      ),
    ),
    collage,
  )
}

/** Three products that show how wide the shop is: spread over what is listed. */
function ofDifferentKinds(products: Product[]): Product[] {
  const step = Math.max(1, Math.floor(products.length / 3))
  return products.filter((_, at) => at % step === Math.floor(step / 2)).slice(0, 3)
}

function card(product: Product, all: ReturnType<typeof shows.get>, eager: boolean): Child {
  const price = priceOf(product.variants)
  const live = inShow(all, product)
  const liveAt = live && showPrice(live)
  const gone = soldOut(product)
  const choices = product.variants.length
  return h(
    "li",
    null,
    h(
      "a",
      {
        class: gone ? "card gone" : "card",
        href: `/products/${encodeURIComponent(product.handle)}`,
        "data-testid": "product-card",
        "data-key": product.id,
        "data-handle": product.handle,
      },
      h(
        "span",
        { class: "badges" },
        live && h("span", { class: "badge live" }, h("span", { class: "dot" }), "In the show"),
        gone ? h("span", { class: "badge" }, "Sold out") : saleBadge(price),
      ),
      picture(product.thumbnail, { eager }),
      h(
        "span",
        { class: "card-words" },
        h("span", { class: "name" }, product.title),
        choices > 1 && h("span", { class: "muted small" }, `${choices} choices`),
      ),
      price && priceTag(price),
      liveAt && h("p", { class: "live-price" }, `${liveAt} in the show`),
    ),
  )
}

const skeleton = (): Child =>
  h(
    "li",
    { "aria-hidden": "true" },
    h(
      "span",
      { class: "card waiting" },
      h("span", { class: "picture" }),
      h("span", { class: "line" }),
      h("span", { class: "line short" }),
    ),
  )

function nothing(q: string): Child {
  return h(
    "div",
    { class: "message" },
    h("p", null, q ? `Nothing here is called “${q}”.` : "Nothing here yet."),
    h("a", { class: "button quiet", href: "/" }, "See everything"),
  )
}
