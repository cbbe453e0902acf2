/** From a catalog entry to what Medusa stores: its variants, their numbers and their pictures. */
import type { CatalogProduct, Stock } from "./products"

export type CatalogVariant = {
  title: string
  options: Record<string, string>
  sku: string | undefined
  dkk: number
  eur: number
  stock: Stock
  quantity: number
  /** Its address, as seen from the shop's own. */
  picture: string
}

const LETTERS: Record<string, string> = { æ: "ae", ø: "oe", å: "aa", "×": "x", "–": "-" }

/** `Ø 30 cm` → `oe-30-cm`: for file names and stock keeping units. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[æøå×–]/g, (letter) => LETTERS[letter] ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
}

function combinations(options: Record<string, string[]>): Record<string, string>[] {
  return Object.entries(options).reduce<Record<string, string>[]>(
    (made, [name, values]) =>
      made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
}

const pictureOf = ({ handle }: CatalogProduct, look?: string) =>
  `/pictures/${[handle, ...(look ? [slug(look)] : [])].join("-")}.svg`

const QUANTITIES: Record<Stock, number> = {
  plenty: 60,
  low: 2,
  none: 0,
  backorder: 0,
  unmanaged: 0,
}

export function variantsOf(product: CatalogProduct): CatalogVariant[] {
  return combinations(product.options ?? {}).map((options) => {
    const values = Object.values(options)
    const key = values.join(" / ")
    const stock =
      product.stockOf?.[key] ??
      values.map((value) => product.stockOf?.[value]).find((found) => found !== undefined) ??
      product.stock ??
      "plenty"
    const surcharges = values.flatMap((value) => product.surcharge?.[value] ?? [])
    const sku = ["hh", product.handle, ...values.map(slug)].join("-").toUpperCase()
    return {
      title: key || "Default",
      options,
      sku: product.withoutSku ? undefined : sku,
      dkk: product.dkk + surcharges.reduce((sum, { dkk }) => sum + dkk, 0),
      eur: product.eur + surcharges.reduce((sum, { eur }) => sum + eur, 0),
      stock,
      quantity: QUANTITIES[stock],
      picture: pictureOf(product, product.pictureBy && options[product.pictureBy]),
    }
  })
}

/** One for each look; the first is the cover. */
export const picturesOf = (product: CatalogProduct): string[] => [
  ...new Set(variantsOf(product).map(({ picture }) => picture)),
]
