/**
 * The shopping feed of a connection (interface §1, 1.1): RSS 2.0 with Google's `g:` names, one item for each variant that
 * is for sale, of what the service may sell. Pure.
 */
import { PRODUCT_STATUS, type PushedProduct, type PushedVariant } from "../../../contract"

export type FeedChannel = {
  title: string
  link: string
  currencyCode: string
  /** Decimal places of the currency. */
  digits: number
}

export const feedHead = ({ title, link }: FeedChannel): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element("title", title)}${element("link", link)}${element("description", title)}`

export const FEED_END = "</channel>\n</rss>\n"

/** Of a product that is not for sale, nothing. */
export function feedItems(product: PushedProduct, channel: FeedChannel): string {
  if (product.status !== PRODUCT_STATUS.enabled) return ""
  if (product.type === "simple") return item(product, null, channel)
  return product.variants
    .filter((variant) => variant.status === PRODUCT_STATUS.enabled)
    .map((variant) => item(product, variant, channel))
    .join("")
}

/** More than these a shopping feed does not take. */
const MOST_IMAGES = 10
/** Options that the feed has a name for. */
const NAMED_OPTIONS: Record<string, string> = {
  size: "g:size",
  color: "g:color",
  colour: "g:color",
  material: "g:material",
  pattern: "g:pattern",
}

function item(product: PushedProduct, variant: PushedVariant | null, channel: FeedChannel): string {
  const { price, sku, inventory, manageStock } = variant ?? product
  const isThere = manageStock === false || (inventory ?? 0) > 0
  const values = variant ? Object.values(variant.options).join(" / ") : ""
  const images = [...new Set([variant?.image, product.image, ...(product.images ?? [])])].filter(
    (url) => url !== undefined,
  )
  const [image, ...more] = images
  return [
    "<item>\n",
    element("g:id", variant?.id ?? product.id),
    variant ? element("g:item_group_id", product.id) : "",
    element("title", values ? `${product.name} ${values}` : product.name),
    element("description", product.description ?? product.name),
    element("link", product.url),
    image ? element("g:image_link", image) : "",
    ...more.slice(0, MOST_IMAGES).map((url) => element("g:additional_image_link", url)),
    element("g:price", `${price.toFixed(channel.digits)} ${channel.currencyCode.toUpperCase()}`),
    element("g:availability", isThere ? "in_stock" : "out_of_stock"),
    element("g:condition", "new"),
    product.brand ? element("g:brand", product.brand) : "",
    element("g:mpn", sku),
    ...(product.productCategories ?? []).map((name) => element("g:product_type", name)),
    ...Object.entries(variant?.options ?? {}).flatMap(([name, value]) => {
      const known = NAMED_OPTIONS[name.toLowerCase()]
      return known ? element(known, value) : []
    }),
    "</item>\n",
  ].join("")
}

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>\n`

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Characters that XML 1.0 has no way to write are left out: one of them makes the whole feed unreadable. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "")
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
