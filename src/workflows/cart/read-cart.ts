import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { type Connection, SVC_MODULE, SvcRefusal } from "../../modules/svc"
import type { LinePriceRow } from "../../modules/svc/cart/line-price-rows"
import type { CartLine } from "../../modules/svc/cart/plan"

export type CartItem = {
  id: string
  variant_id: string | null
  product_id: string | null
  title: string
  quantity: number
  unit_price: number
  is_custom_price: boolean
  metadata: Record<string, unknown> | null
}

export type Cart = {
  id: string
  region_id: string
  currency_code: string
  sales_channel_id: string
  customer_id: string | null
  metadata: Record<string, unknown> | null
  items: CartItem[]
}

type RawCartItem = Omit<CartItem, "quantity" | "unit_price"> & {
  quantity: BigNumberInput
  unit_price: BigNumberInput
}

const FIELDS = [
  "id",
  "region_id",
  "currency_code",
  "sales_channel_id",
  "customer_id",
  "completed_at",
  "metadata",
  "items.id",
  "items.variant_id",
  "items.product_id",
  "items.title",
  "items.quantity",
  "items.unit_price",
  "items.is_custom_price",
  "items.metadata",
]

/**
 * Reads an open cart.
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function readCart(container: MedusaContainer, id: string): Promise<Cart> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id } })
  const cart = data[0]
  if (!cart) throw new SvcRefusal("not_found", `There is no basket with the id "${id}".`)
  if (cart.completed_at) {
    throw new SvcRefusal(
      "cart_completed",
      "This basket's order was placed already. Start a new one.",
    )
  }
  return {
    id: cart.id,
    region_id: cart.region_id ?? "",
    currency_code: cart.currency_code,
    sales_channel_id: cart.sales_channel_id ?? "",
    customer_id: cart.customer_id ?? null,
    metadata: cart.metadata ?? null,
    items: (cart.items ?? [])
      .filter((item: RawCartItem | null): item is RawCartItem => item !== null)
      .map((item: RawCartItem) => ({
        id: item.id,
        variant_id: item.variant_id ?? null,
        product_id: item.product_id ?? null,
        title: item.title,
        quantity: MathBN.convert(item.quantity).toNumber(),
        unit_price: MathBN.convert(item.unit_price).toNumber(),
        is_custom_price: item.is_custom_price ?? false,
        metadata: item.metadata ?? null,
      })),
  }
}

/**
 * The cart's lines as planning needs them. Our record decides which campaign priced a line: shoppers can write its
 * metadata, and a custom price that other code set must not be taken for ours.
 */
export function cartLines(cart: Cart, linePrices: LinePriceRow[]): CartLine[] {
  return cart.items.map((item) => ({
    id: item.id,
    variantId: item.variant_id,
    quantity: item.quantity,
    campaignUid: item.is_custom_price
      ? (linePrices.find((row) => row.line_item_id === item.id)?.campaign_uid ?? "")
      : null,
  }))
}

/** Refuses because another request (a double click, another tab) changed the cart in the meantime. */
export const cartBusy = (): SvcRefusal =>
  new SvcRefusal("cart_busy", "This basket is being changed right now. Please try again.")

/**
 * Finds the connection of a page that sells to this cart: in its sales channel and its currency (gap 46a).
 * @throws SvcRefusal `page_not_connected`, `channel_mismatch`
 */
export async function sellingConnection(
  container: MedusaContainer,
  pageUid: string,
  cart: Cart,
): Promise<Connection> {
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({ page_uid: pageUid })
  if (connections.length === 0) {
    throw new SvcRefusal(
      "page_not_connected",
      "The show that this comes from is not connected to this store.",
    )
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: regions } = await query.graph({
    entity: "region",
    fields: ["id", "currency_code"],
    filters: { id: connections.map((connection) => connection.region_id) },
  })
  const currencyOf = (connection: Connection): string | undefined =>
    regions.find((region) => region.id === connection.region_id)?.currency_code
  const selling = connections.filter(
    (candidate) =>
      candidate.sales_channel_id === cart.sales_channel_id &&
      // Another region of the same currency sells at the same prices.
      currencyOf(candidate) === cart.currency_code,
  )
  const connection =
    selling.find((candidate) => candidate.region_id === cart.region_id) ?? selling[0]
  if (!connection) {
    throw new SvcRefusal(
      "channel_mismatch",
      "This show sells in another market than this basket. Open the shop of that market and try again.",
    )
  }
  return connection
}
