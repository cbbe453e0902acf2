import { listProducts, type Product } from "../api"
import { inShow, showPrice, shows, showsKnown } from "../live"
import { money } from "../money"
import { useValue } from "../state"
import { useTitle } from "../title"
import { DidNotLoad, useLoaded } from "./loading"
import { Picture } from "./picture"
import { Price, priceOf, SaleBadge, soldOut } from "./price"

/** The shop's front: everything it sells, or what one show sells (`?show=`). */
export function ListPage({ url }: { url: URL }) {
  const show = url.searchParams.get("show")
  useTitle()
  const all = useValue(shows)
  const { loaded, again } = useLoaded(async () => {
    if (show) await showsKnown
    return listProducts()
  })
  if (loaded && "error" in loaded) return <DidNotLoad error={loaded.error} again={again} />
  const shown = all.find(({ id }) => id === show)
  const products = loaded?.value.filter(
    ({ id }) => !show || shown?.products.some(({ external_id }) => external_id === id),
  )
  return (
    <>
      {!show && <Hero products={products ?? []} />}
      <div class="page">
        <div class="list-head row gap-16">
          <h1 class="title">{show ? (shown?.name ?? "This show is over") : "Everything"}</h1>
          <p class="soft grow" role="status">
            {products && `${products.length} products`}
          </p>
          {show && <a href="/">See everything</a>}
        </div>
        <ul class="grid" aria-label="Products" aria-busy={!products}>
          {products?.map((product, at) => (
            <Card key={product.id} product={product} eager={at < 4} />
          ))}
        </ul>
      </div>
    </>
  )
}

/** Three pictures that show how wide the shop is. */
function Hero({ products }: { products: Product[] }) {
  return (
    <section class="hero wide">
      <div class="stack gap-16">
        <p class="display">Quiet things for the home, made to be kept.</p>
        <p class="soft">
          Ceramics, wool, oak and linen from small workshops around the Nordic seas.
        </p>
      </div>
      <div class="collage" aria-hidden="true">
        {[5, 9, 11].map((at) => (
          <Picture key={at} url={products[at]?.thumbnail} eager />
        ))}
      </div>
    </section>
  )
}

function Card({ product, eager }: { product: Product; eager: boolean }) {
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
