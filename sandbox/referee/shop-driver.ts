/**
 * How the referee looks into a shop and makes it act. Each part is optional: what it cannot see or
 * ask for, it does not judge.
 */

/** What the receiver made of the deliveries, deleted things included or left out. */
export type ShopState = {
  events: { id: string; name?: string; deleted?: boolean }[]
  products: { uid: string; price?: number; deleted?: boolean }[]
}

export type Purchase = {
  campaign_uid: string
  page_uid: string
  order_no: string
  product_id: string
  variant_id?: string
  quantity: number
}

export type ShopDriver = {
  /** What the shop knows of shows and their products. */
  state?(): Promise<ShopState>
  /** Gives the receiver another signature key, as after a rotation. */
  setKey?(key: string): Promise<void>
  /** Takes a product off sale that the shop pushed before; answers which. */
  delist?(): Promise<{ product_id: string }>
  /** Puts a product of a show into a cart and places the order; answers the line's unit price. */
  buy?(purchase: Purchase): Promise<{ unit_price: number | null }>
}

/** Nothing lets the shop do it: the rule stays undecided. */
export class NotOffered extends Error {}
