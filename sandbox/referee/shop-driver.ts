/**
 * How the referee looks at what a receiver makes of deliveries. Each part is optional: what it cannot see or ask for, it
 * does not judge.
 */

/** What the receiver made of the deliveries, deleted things included or left out. */
export type ShopState = {
  events: { id: string; name?: string; deleted?: boolean }[]
  products: { uid: string; price?: number; deleted?: boolean }[]
}

export type ShopDriver = {
  /** What the shop knows of shows and their products. */
  state?(): Promise<ShopState>
  /** Gives the receiver another signature key, as after a rotation. */
  setKey?(key: string): Promise<void>
}
