/** From a catalog entry to what Medusa stores: its variants, their numbers and their pictures. */
import { isColour, PALETTE } from "./palette"
import { type CatalogProduct, LOOKS, type Stock } from "./products"

export type CatalogVariant = {
  title: string
  options: Record<string, string>
  sku: string | undefined
  dkk: number
  eur: number
  stock: Stock
  quantity: number
  /** File name without its ending, below `/pictures/`. */
  picture: string
}

/** One picture: a drawing in one or two colours. */
export type CatalogPicture = { name: string; drawing: string; colours: string[] }

const LETTERS: Record<string, string> = { æ: "ae", ø: "oe", å: "aa", "×": "x", "–": "-" }

/** `Ø 30 cm` → `oe-30-cm`: for file names and stock keeping units. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[æøå×–]/g, (letter) => LETTERS[letter] ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
}

function paint(value: string): string | undefined {
  const name = LOOKS[value] ?? value
  return isColour(name) ? PALETTE[name] : undefined
}

/** The options that change how the product looks, at most two: a frame and its cushion. */
function visibleOptions(product: CatalogProduct): string[] {
  return Object.entries(product.options ?? {})
    .filter(([, values]) => values.every((value) => paint(value) !== undefined))
    .map(([name]) => name)
    .slice(0, 2)
}

function combinations(options: Record<string, string[]>): Record<string, string>[] {
  return Object.entries(options).reduce<Record<string, string>[]>(
    (made, [name, values]) =>
      made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
}

function pictureName(product: CatalogProduct, options: Record<string, string>): string {
  const values = visibleOptions(product).map((name) => slug(options[name] ?? ""))
  return [product.handle, ...values].join("-")
}

/** A number that looks random and is the same at every seed. */
function steady(text: string, below: number): number {
  let hash = 2_166_136_261
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  }
  return hash % below
}

function quantityOf(stock: Stock, key: string): number {
  if (stock === "plenty") return 12 + steady(key, 48)
  return stock === "low" ? 2 : 0
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
      quantity: quantityOf(stock, sku),
      picture: pictureName(product, options),
    }
  })
}

/** Every picture of a product; the first one is also found under the product's handle. */
export function picturesOf(product: CatalogProduct): CatalogPicture[] {
  const visible = visibleOptions(product)
  const looks = combinations(
    Object.fromEntries(visible.map((name) => [name, product.options?.[name] ?? []])),
  )
  const pictures = looks.map((options) => ({
    name: pictureName(product, options),
    drawing: product.drawing,
    colours: visible.length
      ? visible.map((name) => paint(options[name] ?? "") ?? PALETTE.Oat)
      : [paint(product.look ?? "Oat") ?? PALETTE.Oat],
  }))
  const [first] = pictures
  return first && first.name !== product.handle
    ? [{ ...first, name: product.handle }, ...pictures]
    : pictures
}
