import data from "./products.json"

/** What Hede & Havn sells. Prices in major units: DKK with 25 % VAT, EUR without tax. */
export const CATEGORIES = [
  "Ceramics",
  "Kitchen",
  "Lighting",
  "Candles & bath",
  "Knitwear",
  "Living",
  "Stationery",
] as const

type Category = (typeof CATEGORIES)[number]

/** What is on the shelf; `plenty` where nothing is said. */
export type Stock = "plenty" | "low" | "none" | "backorder" | "unmanaged"

export type CatalogProduct = {
  handle: string
  title: string
  subtitle: string
  description: string
  category: Category
  material: string
  /** The option that changes how it looks: each of its values has a drawing of its own in `pictures/`. */
  pictureBy?: string
  /** In the order in which they are offered; none makes a simple product. */
  options?: Record<string, string[]>
  dkk: number
  eur: number
  /** Added for an option's value: a larger size costs more. */
  surcharge?: Record<string, { dkk: number; eur: number }>
  stock?: Stock
  /** A state of its own for one variant, by its option values: `{"Moss / L": "none"}`. */
  stockOf?: Record<string, Stock>
  draft?: true
  withoutSku?: true
  /** Sold in Denmark only. */
  denmarkOnly?: true
}

type Sale = {
  title: string
  description: string
  /** Days from today. */
  fromDay: number
  toDay: number
  /** Off the catalog price. */
  percent: number
  handles: string[]
}

/** Checked by the test of the catalog: JSON widens a literal to a text. */
const catalog = data as {
  products: CatalogProduct[]
  sales: Sale[]
}

export const PRODUCTS = catalog.products

export const SALES = catalog.sales
