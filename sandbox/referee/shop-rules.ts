/** The rules for a shop: what it calls, with what, and when. */

import { z } from "zod"
import type { Shop } from "./shop"
import { NotOffered } from "./shop-driver"
import { broken, type Judgement, kept, type Rule, undecided, worst } from "./verdict"

/** Undecided where the shop cannot be asked to do it. */
async function whereOffered(judge: () => Promise<Judgement>): Promise<Judgement> {
  try {
    return await judge()
  } catch (error) {
    if (error instanceof NotOffered) return undecided(error.message)
    throw error
  }
}

/** The shop may have bought already, by hand or in a test of its own: what it called counts as well. */
async function tryToBuy(shop: Shop): Promise<void> {
  await whereOffered(async () => {
    await shop.bought()
    return kept("")
  })
}

export const SHOP_RULES: Rule<Shop>[] = [
  {
    rule: "sends-its-token",
    cites: "§5 rule 1, gap 52",
    says: "sends the page's token with each call",
    judge: async (shop) => {
      const calls = (await shop.calls("*")).filter(({ endpoint }) => endpoint !== "player")
      if (calls.length === 0) return undecided("The shop called nothing.")
      const without = calls.find(({ status }) => status === 401)
      return without
        ? broken(`${without.method} ${without.path} came without a token that is known`)
        : kept(`${calls.length} calls`)
    },
  },
  {
    rule: "pushes-whole-products",
    cites: "§2.1",
    says: "pushes products with all that is required of their type",
    judge: async (shop) => {
      const calls = await shop.calls("products")
      if (calls.length === 0) return undecided("The shop pushed nothing.")
      for (const { status, response } of calls) {
        const body = response?.body ?? ""
        if (speaksOfTheBody(status)) return broken(`Answered ${status}: ${body.slice(0, 200)}`)
        const results = refusedIn(body)
        if (results.length > 0) return broken(`Refused: ${results.slice(0, 3).join("; ")}`)
      }
      const count = (await shop.pushed()).length
      return count > 0 ? kept(`${count} products`) : undecided("None of its pushes was taken.")
    },
  },
  {
    rule: "asks-for-the-price",
    cites: "§1 flow 3, §4.1 point 3",
    says: "asks for the campaign's price of each product that it sells",
    judge: (shop) =>
      whereOffered(async () => {
        const blind = (await shop.bought()).find(({ lookups }) => lookups === 0)
        return blind ? broken(`No lookup for ${blind.productId}`) : kept("One for each product")
      }),
  },
  {
    rule: "sells-at-the-price",
    cites: "§4.6 rule 2",
    says: "makes the campaign's price the unit price of the line",
    judge: (shop) =>
      whereOffered(async () => {
        const wrong = (await shop.bought()).find(({ price, unitPrice }) => price !== unitPrice)
        return wrong
          ? broken(
              `${wrong.productId} costs ${wrong.price} in the show and ${wrong.unitPrice} in the cart`,
            )
          : kept("Each line bears the show's price")
      }),
  },
  {
    rule: "names-variants-only-where-there-are",
    cites: "§2.2",
    says: "sends variantId for products with variants only, and always for those",
    judge: async (shop) => {
      await tryToBuy(shop)
      const calls = await shop.calls("price")
      const judgements: Judgement[] = []
      for (const { request } of calls) {
        const { productId, variantId } = lookupOf(request.body)
        const type = await shop.typeOf(productId)
        if (type === "simple" && variantId !== undefined) {
          return broken(`variantId "${variantId}" is sent for ${productId}, which has no variants`)
        }
        if (type === "configurable" && !variantId) {
          return broken(`No variantId is sent for ${productId}, which has variants`)
        }
        if (type !== undefined) judgements.push(kept(`${productId}: right`))
      }
      return judgements.length > 0 ? worst(judgements) : undecided("The shop asked for no price.")
    },
  },
  {
    rule: "reports-orders",
    cites: "§1 flow 5, §4.3 point 2",
    says: "reports a placed order under the number that it was given",
    judge: (shop) =>
      whereOffered(async () => {
        const numbers = (await shop.bought()).map(({ orderNo }) => orderNo)
        const converted = async () => {
          const { conversions } = await shop.target.sandbox.orders.conversions()
          return numbers.every((no) => conversions.some(({ order_no }) => order_no === no))
        }
        return (await shop.until(converted))
          ? kept(`${numbers.length} orders`)
          : broken(`Not all of ${numbers.join(", ")} were reported`)
      }),
  },
  {
    rule: "reports-no-made-up-numbers",
    cites: "§4.3 point 2",
    says: "reports no order number that was never given",
    judge: async (shop) => {
      const calls = await shop.calls("process_orders")
      if (calls.length === 0) return undecided("The shop reported no order.")
      const unknown = calls.find(({ status }) => status === 404)
      return unknown
        ? broken(`Unknown number in ${unknown.request.body}`)
        : kept(`${calls.length} reports`)
    },
  },
  {
    rule: "delists",
    cites: "§2.1, gap 25",
    says: "tells the service when a product is not for sale any more",
    judge: (shop) =>
      whereOffered(async () => {
        const { shop: driver, pageUid, sandbox } = shop.target
        if (!driver.delist) return undecided("Nothing lets the shop delist a product.")
        const { product_id } = await driver.delist()
        const gone = async () => {
          const { product } = await sandbox.products.get(product_id, { page_uid: pageUid })
          return product.status !== "enabled" || product.inventory === 0
        }
        return (await shop.until(gone))
          ? kept(`${product_id} is not for sale any more`)
          : broken(`The service still has ${product_id} for sale`)
      }),
  },
]

function lookupOf(body: string): { productId: string; variantId?: unknown } {
  try {
    const { productId, variantId } = JSON.parse(body) as Record<string, unknown>
    return { productId: String(productId), variantId }
  } catch {
    return { productId: "" }
  }
}

/** Refused for what was pushed, and not for the token, the number of products, the rate or a fault of the service. */
function speaksOfTheBody(status: number | null): boolean {
  return status === 400 || status === 415 || status === 422
}

const refusals = z.object({
  results: z
    .array(
      z.object({
        id: z.string(),
        status: z.string(),
        error: z.object({ message: z.string() }).optional(),
      }),
    )
    .optional(),
  errors: z.array(z.object({ id: z.string(), message: z.string() })).optional(),
  products: z
    .array(z.object({ id: z.string(), valid: z.boolean(), message: z.string().optional() }))
    .optional(),
})

/** In each form in which the service may tell it (profile `item_errors`). */
function refusedIn(body: string): string[] {
  const { results = [], errors = [], products = [] } = refusals.safeParse(read(body)).data ?? {}
  return [
    ...results
      .filter(({ status }) => status === "error")
      .map(({ id, error }) => `${id}: ${error?.message ?? "refused"}`),
    ...errors.map(({ id, message }) => `${id}: ${message}`),
    ...products
      .filter(({ valid }) => !valid)
      .map(({ id, message = "refused" }) => `${id}: ${message}`),
  ]
}

function read(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
