/** Which variants of a product there are to choose from, as one choice per option. */

import type { Product, Variant } from "./service"

export const hasVariants = ({ variants }: Product) => variants.length > 0

const SIZES = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "2XL", "XXXL", "3XL", "4XL"]

/** Sizes from small to large, numbers from low to high; what has no order of its own stays as it is. */
function inOrder(values: string[]): string[] {
  const sizes = values.map((value) => SIZES.indexOf(value.toUpperCase()))
  const rank = sizes.includes(-1) ? values.map((value) => Number.parseFloat(value)) : sizes
  if (rank.some(Number.isNaN)) return values
  const order = values.map((_, i) => i).sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0))
  return order.map((i) => values[i] ?? "")
}

/**
 * The values of each option. Positions agree with a variant's `names`, so options that do not vary are
 * among them.
 */
export function optionValues({ variants }: Product): string[][] {
  const width = Math.max(0, ...variants.map(({ names }) => names.length))
  return Array.from({ length: width }, (_, position) =>
    inOrder([...new Set(variants.flatMap(({ names }) => names[position] || []))]),
  )
}

/**
 * The variant after choosing `value` at `position`: the one that has it and agrees most with what
 * was chosen before, so that every choice ends at a variant that exists.
 */
export function chooseValue(
  product: Product,
  current: Variant | undefined,
  position: number,
  value: string,
): Variant | undefined {
  const agreement = ({ names }: Variant) =>
    names.filter((name, i) => i !== position && name === current?.names[i]).length
  const having = product.variants.filter(({ names }) => names[position] === value)
  return having.sort((a, b) => agreement(b) - agreement(a))[0]
}

export const priceOf = (product: Product, variant: Variant | undefined) =>
  variant?.price ?? product.price

/** The quantity one press of "Add" means, within what the show allows. */
export function quantityToAdd(product: Product): number {
  const least = Math.max(product.default_quantity_to_add ?? 1, product.min_purchase_qty ?? 1)
  return Math.min(least, product.max_qty_per_customer ?? least)
}
