/** The catalog as the store pushed it. */

import type { ProductView } from "../../../../control-api/views"
import { money } from "../../shared/money"
import { Picture } from "../../shared/picture"
import { section, useDashboard } from "../dashboard"
import { plural } from "../format"
import { Ago, Empty, Head, More, Search, State } from "../parts"
import { readProduct, stock, variantCount } from "../pushed-product"
import { href, replaceQuery } from "../router"
import { svc } from "../service"

const STEP = 60

export const products = section(
  ({ page, query: { q, show } }) =>
    svc.products.list({ page_uid: page.uid, q, limit: Number(show ?? STEP) }),

  function Products({ data }) {
    const { page, query } = useDashboard()
    const { q } = query
    const { products: list, count } = data
    return (
      <>
        <Head
          title="Products"
          text={count > 0 && `${plural(count, "product")} ${q ? "found" : "received"}`}
        />
        {(count > 0 || q) && (
          <Search
            value={q}
            label="Search products"
            placeholder="Name, SKU or id"
            testid="product-search"
            search={(text) => replaceQuery({ q: text })}
          />
        )}
        {list.length > 0 && (
          <ul class="panel divided">
            {list.map((record) => (
              <ProductRow key={readProduct(record).id} record={record} />
            ))}
          </ul>
        )}
        {count === 0 &&
          (q ? (
            <Empty
              sign="search"
              title={`Nothing matches “${q}”`}
              text="The search looks at names, SKUs and ids."
            />
          ) : (
            <Empty
              sign="box"
              title="No product has arrived yet"
              text={`Connect a store to ${location.origin} as page ${page.uid} and start its import. Every product shows up here the moment it is pushed.`}
            >
              <a class="button primary" href={href([])}>
                How to connect a store
              </a>
            </Empty>
          ))}
        <More path="products" query={query} shown={list.length} count={count} step={STEP} />
      </>
    )
  },
)

/** What a push changed, in few words. */
function lastPush({ pushes, diff }: ProductView): string {
  if (pushes === 1) return "first push"
  const fields = [...new Set(diff.map(({ path }) => path.split(/[.[]/)[0]))]
  return fields.length === 0 ? "nothing changed" : `changed: ${fields.slice(0, 3).join(", ")}`
}

function ProductRow({ record }: { record: ProductView }) {
  const { page } = useDashboard()
  const { id, sku, name, image, status, price } = readProduct(record)
  return (
    <li data-testid="received-product" data-external-id={id}>
      <a class="part product-row" href={href(["products", id])}>
        <Picture url={image} sign="box" />
        <span class="stack gap-0">
          <strong class="truncate">{name}</strong>
          <span class="soft truncate">
            {[sku, variantCount(record.product)].filter(Boolean).join(" · ")}
          </span>
        </span>
        <span class="soft wide-only">{lastPush(record)}</span>
        <span class="wide-only">{status !== "enabled" && <State state={status} />}</span>
        <span class="soft numeric wide-only">{stock(record.product)}</span>
        <strong class="text-16 numeric">{money(price, page.currency)}</strong>
        <span class="soft numeric">
          <Ago ms={record.received_at} />
        </span>
      </a>
    </li>
  )
}
