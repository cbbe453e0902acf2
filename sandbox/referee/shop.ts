/**
 * The shop that is judged. It is connected to a sandbox; the referee runs a show there, lets the shop
 * buy where it can ask for that, and reads the journal of what the shop called.
 */

import type { ControlClient } from "../client/control-client"
import type { JournalEntry } from "../store/journal"
import { LEAST_LOOKS } from "./patience"
import { NotOffered, type ShopDriver } from "./shop-driver"

type ShopTarget = {
  /** The sandbox that the shop is connected to. */
  sandbox: ControlClient
  pageUid: string
  shop: ShopDriver
  patienceMs: number
}

type Bought = {
  productId: string
  variantId: string | null
  price: number
  orderNo: string
  unitPrice: number | null
  lookups: number
}

export class Shop {
  private purchases: Promise<Bought[]> | undefined

  constructor(readonly target: ShopTarget) {}

  /** What the shop called so far, on this page or on none. */
  async calls(endpoint: string): Promise<JournalEntry[]> {
    const { sandbox, pageUid } = this.target
    const { entries } = await sandbox.journal.find({
      q: `direction:in endpoint:${endpoint}`,
      limit: 20_000,
    })
    return entries.filter(({ page_uid }) => page_uid === null || page_uid === pageUid)
  }

  async pushed(): Promise<Record<string, unknown>[]> {
    const { products } = await this.target.sandbox.products.list({ page_uid: this.target.pageUid })
    return products.map(({ product }) => product)
  }

  async typeOf(productId: string): Promise<unknown> {
    return (await this.pushed()).find(({ id }) => id === productId)?.type
  }

  async until(holds: () => Promise<boolean>): Promise<boolean> {
    const end = performance.now() + this.target.patienceMs
    for (let looks = 1; ; looks += 1) {
      if (await holds()) return true
      if (looks >= LEAST_LOOKS && performance.now() > end) return false
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  }

  /** Runs a show with one product of each shape that the shop pushed, and buys each. Once. */
  bought(): Promise<Bought[]> {
    this.purchases ??= this.buyOneOfEach()
    return this.purchases
  }

  private async buyOneOfEach(): Promise<Bought[]> {
    const { sandbox, pageUid, shop } = this.target
    if (!shop.buy) throw new NotOffered("Nothing lets the shop buy.")
    const pushed = (await this.pushed()).filter(({ status }) => status === "enabled")
    const chosen = ["simple", "configurable"].flatMap((type) => {
      const found = pushed.find((product) => product.type === type && inStock(product))
      return found ? [found] : []
    })
    if (chosen.length === 0) throw new NotOffered("The shop pushed no product that is for sale.")
    const event = await sandbox.events.create({
      page_uid: pageUid,
      kind: "live",
      name: "The referee's show",
    })
    const bought: Bought[] = []
    for (const product of chosen) {
      const sold = { external_id: String(product.id), price: showPriceOf(product) }
      await sandbox.events.addProduct(event.id, sold)
    }
    await sandbox.events.start(event.id)
    for (const product of chosen) {
      const productId = String(product.id)
      const variantId = firstVariant(product)
      const price = showPriceOf(product)
      const { order_no } = await sandbox.orders.issueNumber({ campaign_uid: event.campaign_uid })
      const before = (await this.calls("price")).length
      const { unit_price } = await shop.buy({
        campaign_uid: event.campaign_uid,
        page_uid: pageUid,
        order_no,
        product_id: productId,
        ...(variantId !== null && { variant_id: variantId }),
        quantity: 1,
      })
      const lookups = (await this.calls("price")).length - before
      bought.push({
        productId,
        variantId,
        price,
        orderNo: order_no,
        unitPrice: unit_price,
        lookups,
      })
    }
    return bought
  }
}

/** Below the catalog's, so that one is not taken for the other. */
function showPriceOf({ price }: Record<string, unknown>): number {
  return Math.max(1, Math.floor(Number(price) * 0.7))
}

function inStock({ inventory, manageStock }: Record<string, unknown>): boolean {
  return manageStock === false || inventory === undefined || Number(inventory) > 0
}

function firstVariant({ variants }: Record<string, unknown>): string | null {
  if (!Array.isArray(variants)) return null
  for (const variant of variants as Record<string, unknown>[]) {
    if (inStock(variant) && typeof variant.id === "string") return variant.id
  }
  return null
}
