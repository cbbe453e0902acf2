/** Reads a product as the store pushed it: of any shape beyond what the interface asks for. */

import type { ProductView } from "../../../control-api/views"
import { plural } from "./format"

/** A product as far as every shop has to tell it (interface §2.1). */
export function readProduct({ product }: ProductView) {
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  return {
    id: text(product.id),
    sku: text(product.sku),
    name: text(product.name),
    url: text(product.url),
    status: text(product.status),
    image: text(product.image),
    price: typeof product.price === "number" ? product.price : 0,
  }
}

type Stocked = { manageStock?: unknown; inventory?: unknown; variants?: unknown }

/** What a pushed product says of its stock, or its variants together where it is they who say it. */
export function stock(product: Stocked): string {
  if (product.manageStock === false) return "not counted"
  const parts = typeof product.inventory === "number" ? [product] : recordsOf(product.variants)
  const counts = parts
    .filter(({ manageStock }) => manageStock !== false)
    .map(({ inventory }) => inventory)
    .filter((count) => typeof count === "number")
  if (counts.length === 0) return ""
  return `${counts.reduce((sum, count) => sum + count, 0).toLocaleString()} in stock`
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.filter((item) => typeof item === "object" && item !== null)
    : []
}

export const variantCount = (product: { variants?: unknown }) => {
  const count = recordsOf(product.variants).length
  return count > 0 && plural(count, "variant")
}
