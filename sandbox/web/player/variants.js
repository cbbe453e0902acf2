/** Which variants of a product there are to choose from, as one choice per option. */

/** @typedef {import("./service.js").Product} Product */
/** @typedef {import("./service.js").Variant} Variant */

/** @param {Product} product */
export const hasVariants = (product) => (product.variants?.length ?? 0) > 0

/**
 * The values of each option, in the order of the variants. Options that do not vary are left out
 * by the view, not here: positions must agree with `names`.
 *
 * @param {Product} product
 * @returns {string[][]}
 */
export function optionValues(product) {
  const variants = product.variants ?? []
  const width = Math.max(0, ...variants.map(({ names }) => names?.length ?? 0))
  return Array.from({ length: width }, (_, position) => [
    ...new Set(variants.map(({ names }) => names?.[position]).filter(Boolean)),
  ])
}

/**
 * The variant after choosing `value` at `position`: the one that has it and agrees most with what
 * was chosen before, so that every choice ends at a variant that exists.
 *
 * @param {Product} product
 * @param {Variant} current
 */
export function chooseValue(product, current, position, value) {
  const agreement = (variant) =>
    variant.names.filter((name, i) => i !== position && name === current.names[i]).length
  const having = (product.variants ?? []).filter((variant) => variant.names?.[position] === value)
  return having.reduce((best, next) => (agreement(next) > agreement(best) ? next : best), having[0])
}

/** @param {Product} product @param {Variant} [variant] */
export const priceOf = (product, variant) => variant?.price ?? product.price

/** The quantity one press of "Add" means, within what the show allows. */
export function quantityToAdd(product) {
  const wanted = product.default_quantity_to_add || 1
  const least = Math.max(wanted, product.min_purchase_qty || 1)
  return product.max_qty_per_customer ? Math.min(least, product.max_qty_per_customer) : least
}
