/** One product: how it looks, what the last push changed, and the payload to the letter. */

import type { ProductView } from "../../../../control-api/views"
import { money } from "../../shared/money"
import { Picture } from "../../shared/picture"
import { section, useDashboard } from "../dashboard"
import { inline, plural, pretty } from "../format"
import { Ago, Card, Code, Copyable, Fact, Facts, Head, Numeric, State, Table } from "../parts"
import { readProduct, recordsOf, stock, variantCount } from "../pushed-product"
import { svc } from "../service"

export const product = section(
  ({ page, id }) => svc.products.get(id, { page_uid: page.uid }),

  function Product({ data: record }) {
    const { page } = useDashboard()
    const { id, sku, name, url, status, price } = readProduct(record)
    return (
      <>
        <Head title={name} text={sku} back={["products", "Products"]} />
        <div class="columns gap-24">
          <div class="gallery">
            {galleryOf(record).map((image) => (
              <Picture key={image} url={image} alt={name} sign="box" />
            ))}
          </div>
          <Facts>
            <Fact name="Catalog price">
              <strong class="text-20">{money(price, page.currency)}</strong>
            </Fact>
            <Fact name="Status">
              <State state={status} />
            </Fact>
            <Fact name="Stock">{stock(record.product) || "not told"}</Fact>
            <Fact name="Id">
              <Copyable text={id} />
            </Fact>
            <Fact name="Shop page">
              <a href={url} target="_blank" rel="noreferrer">
                {url}
              </a>
            </Fact>
            <Fact name="Pushed">
              {plural(record.pushes, "time")}, last <Ago ms={record.received_at} />, first{" "}
              <Ago ms={record.first_received_at} />
            </Fact>
          </Facts>
        </div>
        <LastPush record={record} />
        <Variants record={record} />
        <Card title="Payload, as received">
          <Code text={pretty(record.product)} label="Payload" />
        </Card>
      </>
    )
  },
)

/** The main picture, or its place, and up to three more. */
function galleryOf({ product: { image, images } }: ProductView): string[] {
  const main = typeof image === "string" ? image : ""
  const more = (Array.isArray(images) ? images : []).filter((url) => typeof url === "string")
  return [...new Set([main, ...more.filter(Boolean)])].slice(0, 4)
}

function LastPush({ record: { pushes, diff } }: { record: ProductView }) {
  return (
    <Card title="What the last push changed">
      {pushes === 1 && (
        <p class="soft">
          This was the first push. Change the product in the store to see a difference here.
        </p>
      )}
      {pushes > 1 && diff.length === 0 && (
        <p class="soft">Nothing: the store sent the same product again.</p>
      )}
      {diff.length > 0 && (
        <Table columns={["Field", "Before", "Now"]}>
          {diff.map(({ path, before, after }) => (
            <tr key={path} data-testid="diff-row">
              <td>
                <code>{path}</code>
              </td>
              <td>
                <del>{inline(before)}</del>
              </td>
              <td>
                <ins>{inline(after)}</ins>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

function Variants({ record: { product } }: { record: ProductView }) {
  const { page } = useDashboard()
  const title = variantCount(product)
  if (!title) return null
  return (
    <Card title={title}>
      <Table columns={["Variant", "SKU", "Stock", "Price"]} numeric={["Stock", "Price"]}>
        {recordsOf(product.variants).map(
          ({ id, sku, name, options, manageStock, inventory, price }) => {
            const values = typeof options === "object" && options ? Object.values(options) : []
            return (
              <tr key={String(id)}>
                <td>{values.join(" / ") || String(name ?? id)}</td>
                <td>
                  <code>{String(sku ?? "–")}</code>
                </td>
                <Numeric label="Stock">
                  {manageStock === false ? "not counted" : String(inventory ?? "–")}
                </Numeric>
                <Numeric label="Price">
                  {typeof price === "number" ? money(price, page.currency) : "–"}
                </Numeric>
              </tr>
            )
          },
        )}
      </Table>
    </Card>
  )
}
