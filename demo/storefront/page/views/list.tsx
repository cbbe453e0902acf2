import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { announce } from "../announce"
import { type Category, listCategories, listProducts, type Product } from "../api"
import { inShow, showPrice, shows, showsKnown } from "../live"
import { money } from "../money"
import { navigate, noteShown, place } from "../navigation"
import { useValue } from "../state"
import { useTitle } from "../title"
import { messageOf, Problem } from "./notices"
import { Picture } from "./picture"
import { Price, priceOf, SaleBadge, soldOut } from "./price"

const PAGE_SIZE = 24

const ORDERS = [
  ["created_at", "Featured"],
  ["-created_at", "Newest"],
  ["title", "Name"],
] as const

/** What the address asks for. */
function queryOf({ searchParams }: URL) {
  const of = (name: string) => searchParams.get(name) ?? ""
  return {
    q: of("q"),
    category: of("category"),
    order: of("order") || ORDERS[0][0],
    show: of("show"),
  }
}
type Query = ReturnType<typeof queryOf>

function addressOf({ q, category, order }: Query, changes: Partial<Query>): string {
  const query = new URLSearchParams({ q, category, order, ...changes })
  for (const [name, value] of [...query]) {
    if (!value || (name === "order" && value === ORDERS[0][0])) query.delete(name)
  }
  return query.size ? `/?${query}` : "/"
}

async function find({ show, ...query }: Query, offset: number, limit: number) {
  if (!show) return listProducts({ ...query, offset, limit })
  await showsKnown
  const found = shows.get().find(({ id }) => id === show)
  const ids = (found?.products ?? []).flatMap(({ external_id }) => external_id ?? [])
  return ids.length > 0
    ? listProducts({ ...query, ids, offset, limit })
    : { products: [], count: 0 }
}

/** The shop's front: all products, searched, by category, in an order. The address holds all three. */
export function ListPage({ url }: { url: URL }) {
  const query = queryOf(url)
  const { q, category, order, show } = query
  useTitle(q)
  const all = useValue(shows)
  const [categories, setCategories] = useState<Category[]>([])
  const list = useProducts(query)
  const { products, count, trouble } = list

  useEffect(() => {
    listCategories().then(setCategories, () => undefined)
  }, [])

  const chosen = categories.find(({ id }) => id === category)?.name
  const shown = all.find(({ id }) => id === show)?.name
  const over = count === undefined ? "" : "This show is over"
  const front = !q && !category && !show
  return (
    <>
      {front && <Hero products={products} />}
      <div class="page">
        <nav class="chips row nowrap" aria-label="Categories">
          {[{ id: "", name: "All" }, ...categories].map(({ id, name }) => (
            <a
              key={id}
              class="chip small"
              href={addressOf(query, { category: id })}
              aria-current={id === category && !show ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <div class="list-head row gap-16">
          <h1 class="title">{q ? `“${q}”` : show ? (shown ?? over) : (chosen ?? "Everything")}</h1>
          <p class="soft grow" role="status">
            {count !== undefined && `${count} ${count === 1 ? "product" : "products"}`}
          </p>
          <select
            class="quiet small"
            aria-label="Order"
            value={order}
            onChange={({ currentTarget }) =>
              navigate(addressOf(query, { order: currentTarget.value }))
            }
          >
            {ORDERS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <ul class="grid" aria-label="Products" ref={list.grid}>
          {products.map((product, at) => (
            <Card key={product.id} product={product} eager={at < 4} />
          ))}
          {list.loading && count === undefined && WAITING}
        </ul>
        <div class="message stack center gap-16">
          {trouble && <Problem text={trouble} />}
          {trouble && (
            <button type="button" class="button plain" onClick={list.more}>
              Try again
            </button>
          )}
          {count === 0 && (
            <>
              <p>{q ? `Nothing here is called “${q}”.` : "Nothing here yet."}</p>
              <a class="button plain" href="/">
                See everything
              </a>
            </>
          )}
          {!trouble && list.left > 0 && (
            <button type="button" class="button plain" onClick={list.more} disabled={list.loading}>
              Show {Math.min(list.left, PAGE_SIZE)} more
            </button>
          )}
        </div>
      </div>
    </>
  )
}

/** The products so far, and more of them when asked. */
function useProducts(query: Query) {
  const [products, setProducts] = useState<Product[]>([])
  const [count, setCount] = useState<number>()
  const [trouble, setTrouble] = useState("")
  const [loading, setLoading] = useState(true)
  const grid = useRef<HTMLUListElement>(null)
  const here = useRef(true)
  // Back from a product: as much as was shown before, and as far down.
  const [before] = useState(place)

  const more = async () => {
    setLoading(true)
    setTrouble("")
    const offset = products.length
    const limit = offset === 0 ? Math.max(PAGE_SIZE, before?.shown ?? 0) : PAGE_SIZE
    try {
      const page = await find(query, offset, limit)
      if (!here.current) return
      const now = [...products, ...page.products]
      noteShown(now.length)
      setProducts(now)
      setCount(page.count)
      if (offset > 0) announce(`${now.length} of ${page.count} products shown`)
    } catch (error) {
      if (here.current) setTrouble(messageOf(error))
    }
    if (here.current) setLoading(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is another page
  useEffect(() => {
    void more()
    return () => {
      here.current = false
    }
  }, [])

  const drawn = useRef(0)
  useLayoutEffect(() => {
    const first = drawn.current
    drawn.current = products.length
    if (products.length === 0) return
    if (first > 0) grid.current?.children[first]?.querySelector("a")?.focus()
    else if (before) scrollTo(0, before.scroll)
  }, [products, before])

  return { products, count, trouble, loading, left: (count ?? 0) - products.length, more, grid }
}

function Hero({ products }: { products: Product[] }) {
  // Three products that show how wide the shop is: spread over what is listed first.
  const step = Math.max(1, Math.floor(Math.min(products.length, PAGE_SIZE) / 3))
  const pictures = [0, 1, 2].map((at) => products[at * step + Math.floor(step / 2)]?.thumbnail)
  return (
    <section class="hero wide">
      <div class="stack gap-16">
        <p class="display">Quiet things for the home, made to be kept.</p>
        <p class="soft">
          Ceramics, wool, oak and linen from small workshops around the Nordic seas.
        </p>
      </div>
      <div class="collage" aria-hidden="true">
        {pictures.map((url, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three places, whatever hangs there
          <Picture key={at} url={url} eager />
        ))}
      </div>
    </section>
  )
}

export function Card({ product, eager }: { product: Product; eager?: boolean }) {
  const price = priceOf(product.variants)
  const live = inShow(useValue(shows), product)
  const offer = live && showPrice(live)
  const gone = soldOut(product)
  return (
    <li>
      <a
        class={gone ? "card gone" : "card"}
        href={`/products/${encodeURIComponent(product.handle)}`}
        data-testid="product-card"
        data-handle={product.handle}
      >
        <span class="badges row gap-4">
          {live && <span class="badge live">In the show</span>}
          {gone ? <span class="badge">Sold out</span> : <SaleBadge price={price} />}
        </span>
        <Picture url={product.thumbnail} eager={eager} />
        <span class="card-words">
          <span class="name strong">{product.title}</span>
          {product.variants.length > 1 && (
            <span class="soft small">{product.variants.length} choices</span>
          )}
        </span>
        {price && <Price price={price} />}
        {offer && <p class="reduced small">{money(offer.amount, offer.currency)} in the show</p>}
      </a>
    </li>
  )
}

const WAITING = Array.from({ length: 8 }, (_, at) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: eight alike
  <li key={at} class="card waiting" aria-hidden="true">
    <span class="frame" />
    <span class="bone" />
    <span class="bone short" />
  </li>
))
