/**
 * Reads a pushed product for a show. The inner shape of variants and the name of the field for more
 * images are not shown (interface §2.1), so any of the usual spellings will do.
 */

import type { EventVariant } from "../contract/payloads"

export type PushedProduct = {
  name: string
  sku: string
  price: number
  url: string
  brand: string
  image: string | null
  images: string[]
  description: string
  status: string
  /** Null where the shop does not say. */
  inventory: number | null
  manageStock: boolean | null
  variants: PushedVariant[]
}
export type PushedVariant = Omit<EventVariant, "uid"> & {
  status: string
  inventory: number | null
  manageStock: boolean | null
}

export type Fields = Record<string, unknown>

export function readPushed(product: Fields): PushedProduct {
  return {
    name: text(product.name),
    sku: text(product.sku),
    price: typeof product.price === "number" ? product.price : 0,
    url: text(product.url),
    brand: text(product.brand),
    image: text(product.image) || null,
    images: texts(product.images ?? product.alternativeImages),
    description: text(product.description),
    ...stock(product),
    variants: list(product.variants).map(readVariant),
  }
}

function stock({ status, inventory, manageStock }: Fields) {
  return {
    status: text(status),
    inventory: typeof inventory === "number" ? inventory : null,
    manageStock: typeof manageStock === "boolean" ? manageStock : null,
  }
}

export function variantIdOf(variant: Fields): string {
  return text(variant.id ?? variant.externalId ?? variant.sku)
}

function readVariant(variant: Fields): PushedVariant {
  const externalId = variantIdOf(variant)
  return {
    ...stock(variant),
    sku: text(variant.sku) || externalId,
    externalId,
    variantNames: variantNames(variant),
    ...(typeof variant.price === "number" && { price: variant.price }),
  }
}

function variantNames(variant: Fields): string[] {
  const { options } = variant
  if (typeof options === "object" && options !== null) {
    const values = Array.isArray(options)
      ? options.map((option: unknown) => (isFields(option) ? option.value : option))
      : Object.values(options)
    const names = values.filter((value): value is string => typeof value === "string")
    if (names.length > 0) return names
  }
  return text(variant.name) ? [text(variant.name)] : []
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.map((item) => (isFields(item) ? text(item.url) : text(item))).filter(Boolean)
}

function text(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
