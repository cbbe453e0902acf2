import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import type { BasketLine } from "../../modules/svc/cart-plan"
import { SvcRefusal } from "../../modules/svc/refusal"
import type SvcModuleService from "../../modules/svc/service"
import type { Connection } from "../../modules/svc/service"
import type { LinePriceRow } from "../../modules/svc/sql/cart"

/** The only thing of ours in a line's metadata: lines merge only where metadata is equal. */
export const CAMPAIGN_KEY = "svc_campaign_uid"
/** Mirror of the order number, for people and for the order; our table is what counts. */
export const ORDER_NO_KEY = "svc_order_no"

export type BasketItem = {
  id: string
  variant_id: string | null
  product_id: string | null
  title: string
  quantity: number
  unit_price: number
  is_custom_price: boolean
  metadata: Record<string, unknown> | null
}

export type Basket = {
  id: string
  region_id: string
  currency_code: string
  sales_channel_id: string
  customer_id: string | null
  metadata: Record<string, unknown> | null
  items: BasketItem[]
}

type CartItem = Omit<BasketItem, "quantity" | "unit_price"> & {
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
 * Reads an open basket.
 * @throws SvcRefusal `not_found`, `cart_completed`
 */
export async function readBasket(container: MedusaContainer, id: string): Promise<Basket> {
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
      .filter((item: CartItem | null): item is CartItem => item !== null)
      .map((item: CartItem) => ({
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
 * The basket's lines as planning needs them. Our record decides which campaign priced a line: its metadata is the
 * shopper's to write, and a custom price of somebody else's must not be taken for ours.
 */
export function basketLines(basket: Basket, linePrices: LinePriceRow[]): BasketLine[] {
  return basket.items.map((item) => ({
    id: item.id,
    variantId: item.variant_id,
    quantity: item.quantity,
    campaignUid: item.is_custom_price
      ? (linePrices.find((row) => row.line_item_id === item.id)?.campaign_uid ?? "")
      : null,
  }))
}

/** The same request that is made twice, or another tab: the basket is not what it was a moment ago. */
export const basketBusy = (): SvcRefusal =>
  new SvcRefusal("cart_busy", "This basket is being changed right now. Please try again.")

/**
 * Finds the connection whose page fired the action and whose market the basket belongs to (gap 46a).
 * @throws SvcRefusal `page_not_connected`, `channel_mismatch`
 */
export async function marketOf(
  container: MedusaContainer,
  pageUid: string,
  basket: Basket,
): Promise<Connection> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
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
      candidate.sales_channel_id === basket.sales_channel_id &&
      // Another region of the same currency sells at the same numbers.
      currencyOf(candidate) === basket.currency_code,
  )
  const connection =
    selling.find((candidate) => candidate.region_id === basket.region_id) ?? selling[0]
  if (!connection) {
    throw new SvcRefusal(
      "channel_mismatch",
      "This show sells in another market than this basket. Open the shop of that market and try again.",
    )
  }
  return connection
}
