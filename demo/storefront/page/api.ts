/** Medusa's Store API, as much of it as this shop uses. */
import { config, market } from "./market"

interface Price {
  calculated_amount: number
  original_amount: number
  currency_code: string
  is_calculated_price_tax_inclusive: boolean
}

export interface Variant {
  id: string
  title: string
  sku: string | null
  /** Where the merchant put it among the product's variants, from 0. */
  variant_rank?: number | null
  /** The picture of this very look, where it has one. */
  thumbnail?: string | null
  manage_inventory: boolean
  allow_backorder: boolean
  inventory_quantity?: number
  calculated_price?: Price | null
  options?: { option_id: string; value: string }[]
}

export interface Product {
  id: string
  title: string
  subtitle: string | null
  description: string | null
  handle: string
  material?: string | null
  origin_country?: string | null
  thumbnail: string | null
  images?: { url: string }[]
  options?: { id: string; title: string; values?: { value: string }[] }[]
  variants: Variant[]
}

export interface LineItem {
  id: string
  title: string
  product_id: string
  product_title: string
  product_handle: string | null
  variant_id: string
  variant_title: string | null
  thumbnail: string | null
  quantity: number
  unit_price: number
  compare_at_unit_price: number | null
  is_tax_inclusive: boolean
  created_at: string
  metadata: Record<string, unknown> | null
}

export interface Address {
  first_name: string
  last_name: string
  address_1: string
  postal_code: string
  city: string
  country_code: string
  phone?: string
}

export interface Cart {
  id: string
  currency_code: string
  email: string | null
  items: LineItem[]
  item_total: number
  item_subtotal: number
  shipping_total: number
  shipping_subtotal: number
  discount_total: number
  tax_total: number
  total: number
  completed_at: string | null
  region?: { countries?: { iso_2: string; display_name: string }[] }
  shipping_address?: Partial<Address> | null
  shipping_methods?: { shipping_option_id: string; amount: number }[]
  payment_collection?: { id: string } | null
}

export interface ShippingOption {
  id: string
  name: string
  amount: number
  insufficient_inventory?: boolean
}

export interface Order extends Cart {
  display_id: number
}

/** The store said no. `message` is Medusa's. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

async function call<T>(path: string, method: string, body?: unknown): Promise<T> {
  const response = await fetch(config.storeUrl + path, {
    method,
    credentials: "include",
    headers: {
      "x-publishable-api-key": market.get().publishableKey,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new ApiError(0, "The shop could not be reached. Check your connection and try again.")
  })
  const answer = (await response.json().catch(() => null)) as (T & { message?: string }) | null
  if (!response.ok || !answer) {
    throw new ApiError(
      response.status,
      answer?.message ?? "Something went wrong. Please try again.",
    )
  }
  return answer
}

const get = <T>(path: string, query: Record<string, string | number> = {}) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  // Not `search.size`: older browsers have none.
  return call<T>(String(search) ? `${path}?${search}` : path, "GET")
}
const post = <T>(path: string, body: unknown = {}) => call<T>(path, "POST", body)

const PRODUCT_FIELDS = [
  "id,title,subtitle,description,handle,thumbnail,material,origin_country",
  "*images,*options,*options.values,*variants,*variants.options,*variants.calculated_price",
  "+variants.inventory_quantity,+variants.thumbnail",
].join(",")

const CART_FIELDS = "+items.variant_title"

const products = async (query: Record<string, string | number>) =>
  (
    await get<{ products: Product[] }>("/store/products", {
      ...query,
      region_id: market.get().regionId,
      fields: PRODUCT_FIELDS,
    })
  ).products

/** In the order in which the merchant made them. */
export const listProducts = () => products({ order: "created_at", limit: 100 })

export async function findProduct(handle: string): Promise<Product | null> {
  const [found] = await products({ handle, limit: 1 })
  return found ?? null
}

const carts = (id: string) => `/store/carts/${encodeURIComponent(id)}`
const withFields = (path: string) => `${path}?fields=${encodeURIComponent(CART_FIELDS)}`

export const retrieveCart = async (id: string) =>
  (await get<{ cart: Cart }>(withFields(carts(id)))).cart

export const addLine = async (id: string, variant_id: string, quantity: number) =>
  (await post<{ cart: Cart }>(withFields(`${carts(id)}/line-items`), { variant_id, quantity })).cart

export const setLineQuantity = async (id: string, line: string, quantity: number) =>
  (await post<{ cart: Cart }>(withFields(`${carts(id)}/line-items/${line}`), { quantity })).cart

export async function removeLine(id: string, line: string): Promise<Cart> {
  await call(`${carts(id)}/line-items/${line}`, "DELETE")
  return retrieveCart(id)
}

export const updateCart = async (
  id: string,
  values: { email: string; shipping_address: Address; billing_address: Address },
) => (await post<{ cart: Cart }>(withFields(carts(id)), values)).cart

export const setCountry = async (id: string, country_code: string) =>
  (await post<{ cart: Cart }>(withFields(carts(id)), { shipping_address: { country_code } })).cart

export async function listShippingOptions(cart_id: string): Promise<ShippingOption[]> {
  const { shipping_options } = await get<{ shipping_options: ShippingOption[] }>(
    "/store/shipping-options",
    { cart_id },
  )
  return shipping_options
}

export const chooseShipping = async (id: string, option_id: string) =>
  (await post<{ cart: Cart }>(withFields(`${carts(id)}/shipping-methods`), { option_id })).cart

export const retrieveOrder = async (id: string) =>
  (await get<{ order: Order }>(`/store/orders/${encodeURIComponent(id)}`)).order
