/** One product: how it looks, what the last push changed, and the payload to the letter. */

import type { ProductView } from "../../../../control-api/views"
import { money } from "../../shared/money"
import { Picture } from "../../shared/picture"
import { section, useDashboard } from "../dashboard"
import { inline, plural, pretty } from "../format"
import {
  Ago,
  Card,
  Code,
  Copyable,
  Facts,
  Head,
  recordsOf,
  State,
  stock,
  Table,
  variantCount,
} from "../parts"
import { svc } from "../service"
import { readProduct } from "./products"

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
          <Facts
            facts={[
              [
                "Catalog price",
                <strong key="price" class="text-20">
                  {money(price, page.currency)}
                </strong>,
              ],
              ["Status", <State key="status" state={status} />],
              ["Stock", stock(record.product) || "not told"],
              ["Id", <Copyable key="id" text={id} />],
              [
                "Shop page",
                <a key="url" href={url} target="_blank" rel="noreferrer">
                  {url}
                </a>,
              ],
              [
                "Pushed",
                <span key="pushed">
                  {plural(record.pushes, "time")}, last <Ago ms={record.received_at} />, first{" "}
                  <Ago ms={record.first_received_at} />
                </span>,
              ],
            ]}
          />
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
        <Table
          columns={[{ name: "Field" }, { name: "Before" }, { name: "Now" }]}
          rows={diff.map(({ path, before, after }) => ({
            key: path,
            attributes: { "data-testid": "diff-row" },
            cells: [
              <code key="path">{path}</code>,
              <del key="before">{inline(before)}</del>,
              <ins key="after">{inline(after)}</ins>,
            ],
          }))}
        />
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
      <Table
        columns={[
          { name: "Variant" },
          { name: "SKU" },
          { name: "Stock", align: "right" },
          { name: "Price", align: "right" },
        ]}
        rows={recordsOf(product.variants).map((variant) => {
          const { id, sku, name, options, manageStock, inventory, price } = variant
          const values = typeof options === "object" && options ? Object.values(options) : []
          return {
            key: String(id),
            cells: [
              values.join(" / ") || String(name ?? id),
              <code key="sku">{String(sku ?? "–")}</code>,
              manageStock === false ? "not counted" : String(inventory ?? "–"),
              typeof price === "number" ? money(price, page.currency) : "–",
            ],
          }
        })}
      />
    </Card>
  )
}
