import { findProduct, listProducts, type Product, type Variant } from "../api"
import { add, openBasket } from "../basket"
import { announce, type Child, h, icons, redraw } from "../dom"
import { inShow, showPrice, shows } from "../live"
import { notFoundPage } from "./not-found"
import { picture } from "./picture"
import { priceOf, priceTag, saleBadge, stockOf } from "./price"
import { stepper } from "./stepper"
import { loading, messageOf, type View } from "./view"

export function productPage(handle: string): View {
  const stops: (() => void)[] = []
  const { element, leave } = loading(skeleton(), async () => {
    const product = await findProduct(handle)
    if (!product) {
      return notFoundPage().element
    }
    document.title = `${product.title} – Hede & Havn`
    return [detail(product, stops), related(product)]
  })
  return {
    element,
    leave() {
      leave()
      for (const stop of stops) {
        stop()
      }
    },
  }
}

function detail(product: Product, stops: (() => void)[]): Child {
  // A default variant has one option with one value: nothing to choose.
  const options = (product.options ?? []).filter(({ values }) => (values?.length ?? 0) > 1)
  const chosen = new Map<string, string>()
  const start = product.variants.find((variant) => stockOf(variant).buyable) ?? product.variants[0]
  for (const { option_id, value } of start?.options ?? []) {
    chosen.set(option_id, value)
  }
  let quantity = 1

  const pictures = gallery(product)
  const priceBox = h("div", { class: "price-box" })
  const stock = h("p", { class: "stock", role: "status" })
  const trouble = h("div", { role: "alert" })
  const pickers = h("div", { class: "pickers" })
  const amount = h("div", null)
  const button = h(
    "button",
    { class: "button wide-button", type: "button", "data-testid": "add-to-cart", onclick: put },
    "Add to basket",
  )

  const variantFor = (wanted: Map<string, string>): Variant | undefined =>
    options.length === 0
      ? product.variants[0]
      : product.variants.find((variant) =>
          options.every(({ id }) =>
            variant.options?.some(
              ({ option_id, value }) => option_id === id && value === wanted.get(id),
            ),
          ),
        )

  async function put() {
    const variant = variantFor(chosen)
    if (!variant) {
      return
    }
    redraw(trouble)
    button.disabled = true
    button.textContent = "Adding…"
    try {
      await add(variant.id, quantity)
      announce(`${product.title} is in your basket`)
      openBasket()
    } catch (error) {
      redraw(trouble, h("p", { class: "notice bad" }, icons.alert(), messageOf(error)))
    }
    draw()
  }

  const live = h("div", null)
  function drawLive() {
    const found = inShow(shows.get(), product)
    const price = found && showPrice(found, variantFor(chosen)?.id)
    redraw(
      live,
      found &&
        h(
          "p",
          { class: "notice show" },
          h("span", { class: "dot" }),
          h(
            "span",
            null,
            h("strong", null, found.show.name),
            price ? [" is on air: ", h("strong", null, price), " in the show."] : " is on air.",
          ),
        ),
    )
  }

  function draw() {
    drawLive()
    const variant = variantFor(chosen)
    const price = priceOf(variant ? [variant] : product.variants)
    redraw(
      priceBox,
      price && priceTag(price, true),
      price &&
        h(
          "p",
          { class: "muted small" },
          price.taxIncluded ? "VAT included" : "VAT is added at checkout",
        ),
    )
    const state = variant
      ? stockOf(variant)
      : { buyable: false, tone: "none", words: "Not made in this combination" }
    stock.className = `stock ${state.tone}`
    redraw(stock, h("span", { class: "dot" }), state.words)
    button.disabled = !state.buyable
    button.textContent = state.buyable ? "Add to basket" : state.words
    redraw(
      amount,
      stepper({
        name: "Quantity",
        key: "amount",
        value: quantity,
        lowest: 1,
        onchange(value) {
          quantity = value
          draw()
        },
      }),
    )
    redraw(
      pickers,
      options.map((option) =>
        h(
          "fieldset",
          { class: "picker" },
          h("legend", null, option.title, h("span", { class: "muted" }, chosen.get(option.id))),
          h(
            "div",
            { class: "choices" },
            (option.values ?? []).map(({ value }) => {
              const other = variantFor(new Map(chosen).set(option.id, value))
              const available = other !== undefined && stockOf(other).buyable
              return h(
                "label",
                { class: available ? "choice" : "choice gone" },
                h("input", {
                  type: "radio",
                  name: option.id,
                  value,
                  checked: chosen.get(option.id) === value,
                  "data-key": `${option.id}:${value}`,
                  onchange: () => {
                    chosen.set(option.id, value)
                    pictures.show(variantFor(chosen)?.thumbnail)
                    draw()
                  },
                }),
                h("span", null, value),
                !available && h("span", { class: "unseen" }, other ? " (sold out)" : " (not made)"),
              )
            }),
          ),
        ),
      ),
    )
  }
  draw()
  pictures.show(start?.thumbnail)

  stops.push(shows.watch(drawLive))

  const category = product.categories?.[0]
  return h(
    "article",
    { class: "page product" },
    pictures.element,
    h(
      "div",
      { class: "product-words" },
      h(
        "nav",
        { class: "crumbs small", "aria-label": "Breadcrumb" },
        h("a", { href: "/" }, "Everything"),
        category && h("a", { href: `/?category=${category.id}` }, category.name),
      ),
      h("h1", { class: "title" }, product.title),
      product.subtitle && h("p", { class: "muted" }, product.subtitle),
      h("div", { class: "price-row" }, priceBox, saleBadge(priceOf(product.variants))),
      live,
      pickers,
      stock,
      h("div", { class: "buy" }, amount, button),
      trouble,
      product.description && h("p", { class: "description" }, product.description),
      facts(product),
    ),
  )
}

function facts({ material, origin_country, variants }: Product): Child {
  const rows = [
    ["Material", material],
    ["Made in", origin_country && countryName(origin_country)],
    ["Item no.", variants.length === 1 && variants[0]?.sku],
    ["Delivery", "Sent within two days, thirty days to return"],
  ].filter((row): row is [string, string] => Boolean(row[1]))
  return h(
    "dl",
    { class: "facts" },
    rows.map(([name, value]) => [h("dt", null, name), h("dd", null, value)]),
  )
}

function countryName(code: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "region" }).of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/** The product's pictures. `show` brings the one of a variant to the front, where there is one. */
function gallery(product: Product): { element: HTMLElement; show(url?: string | null): void } {
  const urls = [
    ...new Set([product.thumbnail, ...(product.images ?? []).map(({ url }) => url)]),
  ].filter((url) => url !== null)
  const stage = h("div", { class: "stage" })
  const thumbs = h("div", { class: "thumbs" })
  let shown: string | undefined
  const show = (url?: string | null) => {
    if (!url || url === shown) {
      return
    }
    shown = url
    redraw(stage, picture(url, { alt: product.title, eager: true }))
    redraw(
      thumbs,
      urls.length > 1 &&
        urls.map((other, at) =>
          h(
            "button",
            {
              type: "button",
              "aria-label": `Picture ${at + 1}`,
              "aria-pressed": String(other === url),
              "data-key": `picture-${at}`,
              onclick: () => show(other),
            },
            picture(other),
          ),
        ),
    )
  }
  show(urls[0])
  return { element: h("div", { class: "gallery" }, stage, thumbs), show }
}

function related(product: Product): Child {
  const row = h("ul", { class: "grid" })
  const section = h(
    "section",
    { class: "page related", hidden: true },
    h("h2", { class: "heading" }, "Goes well with"),
    row,
  )
  listProducts({ category: product.categories?.[0]?.id, offset: 0, limit: 5 }).then(
    ({ products }) => {
      const others = products.filter(({ id }) => id !== product.id).slice(0, 4)
      section.hidden = others.length === 0
      redraw(
        row,
        others.map((other) => {
          const price = priceOf(other.variants)
          return h(
            "li",
            null,
            h(
              "a",
              { class: "card", href: `/products/${encodeURIComponent(other.handle)}` },
              picture(other.thumbnail),
              h("span", { class: "card-words" }, h("span", { class: "name" }, other.title)),
              price && priceTag(price),
            ),
          )
        }),
      )
    },
    () => undefined,
  )
  return section
}

const skeleton = (): Child =>
  h(
    "div",
    { class: "page product waiting", "aria-hidden": "true" },
    h("div", { class: "gallery" }, h("div", { class: "stage" }, h("span", { class: "picture" }))),
    h(
      "div",
      { class: "product-words" },
      h("span", { class: "line short" }),
      h("span", { class: "line tall" }),
      h("span", { class: "line short" }),
    ),
  )
