/**
 * The player's browser SDK as a shop meets it (gap 39), and the payloads of the four cart
 * actions (gaps 40 to 43).
 *
 * The player may load before or after the shop's own script, so both meet at a ready queue:
 * `window.onSvcReady` is an array until the player comes, and every entry is called with the SDK.
 */

import type { PriceChange } from "./price-change.ts"

/** The four cart actions of interface §4.6. */
export const ACTIONS = [
  "SOME_CHECKOUT",
  "UPDATE_CART_CONTENTS",
  "GET_CART_CONTENTS",
  "OPEN_CART",
] as const

export type SvcAction = (typeof ACTIONS)[number]

/** How an action ended. PARTIAL: some products made it, the others are in `failedProducts`. */
export type ActionStatus = "SUCCESS" | "PARTIAL" | "FAILURE"

/** A product as the player names it. Ids may be Medusa product ids, variant ids or skus (gap 38). */
export interface PlayerProduct {
  product_id?: string
  variant_id?: string
  sku?: string
  quantity?: number
  custom_attributes?: unknown
}

/** A product of UPDATE_CART_CONTENTS. Without an `action`, the quantity and the cart decide (gap 41). */
export interface PlayerProductChange extends PlayerProduct {
  action?: "add" | "change" | "remove"
}

/** Identifiers that both writing actions carry (interface §2.3). */
interface ActionSource {
  campaignUid: string
  pageUid: string
  orderNo: string
}

export interface SomeCheckoutPayload extends ActionSource {
  products: PlayerProduct[]
  clear_cart?: boolean
  redirect_url?: string
}

export interface UpdateCartContentsPayload extends ActionSource {
  products: PlayerProductChange[]
}

export interface OpenCartPayload {
  orderNo?: string
}

/** A product that did not make it, in the player's own words, with a sentence for the shopper. */
export interface FailedProduct {
  product: unknown
  errorMessage: string
  /** The store's own code, where it is the store that refused. */
  code?: string | undefined
}

/** A cart line as the player shows it (gap 42). Amounts are in major currency units. */
export interface ShownProduct {
  product_id: string
  variant_id: string | null
  sku: string | null
  name: string
  quantity: number
  unit_price: number
  total: number
  image: string | null
  url: string | null
  in_campaign: boolean
}

/** What a handler gives back to the player. */
export interface ActionAnswer {
  /** The SDK's own constant for the status. */
  status: unknown
  message?: string
  failedProducts?: FailedProduct[]
  /** Lines that the store put right since the shopper last agreed to them. */
  changes?: PriceChange[]
  /** GET_CART_CONTENTS only. */
  products?: ShownProduct[]
  total?: number
  currency?: string
}

/** The SDK that the player hands to every entry of the ready queue. */
export interface SvcSdk {
  actions: Record<SvcAction, unknown>
  actionStatuses: Record<ActionStatus, unknown>
  registerAction(action: unknown, handler: (payload?: unknown) => Promise<ActionAnswer>): void
  /** Drives the overlay that the shopper sees during SOME_CHECKOUT. */
  progress?: {
    plan(plan: { totalSteps: number; msPerStep: number }): void
    set(at: { percent: number } | { step: number }): void
  }
  /** Opens the player, at a product of the show where one is named. Not every player has it. */
  openPlayer?(at?: PlayerSpot): unknown
}

/** A product of the show, by its ids in the shop. */
export interface PlayerSpot {
  product_id: string
  variant_id?: string | undefined
}

type ReadyEntry = (sdk: SvcSdk) => void

/** An array before the player is there; afterwards anything whose `push` calls the entry. */
interface ReadyQueue {
  push(entry: ReadyEntry): unknown
}

/**
 * Puts `entry` in the page's ready queue, making the queue where the player has not come yet. It may
 * be called several times with the same SDK.
 */
export function joinReadyQueue(entry: ReadyEntry): void {
  const page = globalThis as typeof globalThis & { onSvcReady?: ReadyQueue }
  page.onSvcReady ??= []
  page.onSvcReady.push(entry)
}
