/**
 * The campaign's price of a product (interface §2.2, §4.1): price, discount and VAT information, in
 * the shape of gap 33 or as a profile says.
 */

import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { parse } from "../contract/input"
import type { Vat } from "../contract/payloads"
import type { Context } from "../store/context"
import type { Campaign, EventProduct } from "../store/tables"
import { isSellable } from "./availability"
import { getCampaign, isClosed, isOnSale, productsOfCampaign } from "./campaigns"
import { findProduct } from "./catalog"
import { readPushed } from "./pushed-product"

const priceRequest = z.looseObject({
  productId: z.string().min(1),
  /** Required if the product has variants (interface §2.2). */
  variantId: z.string().min(1).nullish(),
})

/** Names and types of the fields are not shown (interface §4.1, gaps 33 to 35). */
type CampaignPrice = { price: number; discount: number; vat: Vat; currency: string }

export function campaignPrice(
  context: Context,
  pageUid: string,
  campaignUid: string,
  body: unknown,
): CampaignPrice {
  const { productId, variantId } = parse(priceRequest, body)
  const campaign = getCampaign(context, campaignUid, pageUid)
  if (!givesPrices(context, campaign)) {
    throw new SandboxError(404, "campaign_closed", `Campaign "${campaignUid}" is closed.`)
  }
  const which = context.profiles.get("campaign_prices")
  const products =
    which === "always"
      ? everInCampaign(context, campaignUid)
      : productsOfCampaign(context, campaignUid)
  const candidates = products.filter((product) => product.external_id === productId)
  if (candidates.length === 0) {
    throw new SandboxError(
      404,
      "product_not_in_campaign",
      `Product "${productId}" is not in campaign "${campaignUid}".`,
    )
  }
  const withVariants = candidates.filter((product) => product.data.variants?.length)
  if (withVariants.length > 0 && !variantId) {
    throw new SandboxError(
      400,
      "variant_required",
      `Product "${productId}" has variants: variantId is required (interface §2.2).`,
    )
  }
  if (withVariants.length === 0 && hasVariantId(body)) {
    throw new SandboxError(
      400,
      "variant_not_allowed",
      `Product "${productId}" has no variants: variantId is for products with variants only (interface §2.2).`,
    )
  }
  if (which === "on_sale" && candidates.every(({ data }) => !data.available)) {
    throw new SandboxError(404, "product_unavailable", `Product "${productId}" is not available.`)
  }
  if (which === "on_sale" && variantId && !isForSale(context, pageUid, productId, variantId)) {
    throw new SandboxError(
      404,
      "product_unavailable",
      `Variant "${variantId}" of "${productId}" is not available.`,
    )
  }
  for (const product of candidates) {
    const amount = priceOf(product, variantId ?? null)
    if (amount !== null) {
      const catalog = catalogPrice(context, product, variantId ?? null)
      return priced(product, lookedUp(context, amount), catalog)
    }
  }
  throw new SandboxError(
    404,
    "variant_not_in_campaign",
    `Variant "${variantId}" of "${productId}" is not in campaign "${campaignUid}".`,
  )
}

/** Whether its products have a campaign price now, as the profile `campaign_prices` has it. */
export function givesPrices(context: Context, campaign: Campaign): boolean {
  switch (context.profiles.get("campaign_prices")) {
    case "on_sale":
      return isOnSale(context, campaign)
    case "open":
      return !isClosed(context, campaign)
    case "always":
      return true
  }
}

/** As far as the shop's catalog says: shows know of products only. */
function isForSale(context: Context, pageUid: string, productId: string, variantId: string) {
  const received = findProduct(context, pageUid, productId)
  return !received || isSellable(readPushed(received.product), variantId)
}

/** A `variantId` of null says that there is one, and then names none. */
function hasVariantId(body: unknown): boolean {
  return typeof body === "object" && body !== null && Reflect.get(body, "variantId") !== undefined
}

/** Products of the campaign, then those that were removed from it, the last removed first. */
function everInCampaign(context: Context, campaignUid: string): EventProduct[] {
  const removed = [...context.tables.event_products.values()].filter(
    (product) => product.campaign_uid === campaignUid && product.deleted_at !== null,
  )
  return [...productsOfCampaign(context, campaignUid), ...removed.reverse()]
}

function priceOf(product: EventProduct, variantId: string | null): number | null {
  const variants = product.data.variants ?? []
  if (variants.length === 0) return product.data.price
  const variant = variants.find(({ externalId }) => externalId === variantId)
  return variant ? (variant.price ?? product.data.price) : null
}

function lookedUp({ profiles }: Context, amount: number): number {
  switch (profiles.get("lookup_price")) {
    case "same":
      return amount
    case "lower":
      return Math.round(amount * 90) / 100
    case "many_digits":
      // As after a division: in every currency it rounds to what it was.
      return amount + 0.000123456789
  }
}

/** What the shop asks for the variant, or else for the product. */
function catalogPrice(context: Context, product: EventProduct, variantId: string | null) {
  const received = findProduct(context, product.page_uid, product.external_id)
  const variants = received ? readPushed(received.product).variants : []
  const variant = variants.find(({ externalId }) => externalId === variantId)
  return variant?.price ?? product.catalog_price
}

function priced(product: EventProduct, price: number, catalog: number | null): CampaignPrice {
  // In whole cents before and after: 0.3 - 0.1 is not 0.2 in binary.
  const saved = Math.round((catalog ?? price) * 100) - Math.round(price * 100)
  return {
    price,
    discount: product.discount ?? Math.max(0, saved) / 100,
    vat: product.vat,
    currency: product.currency,
  }
}

/** The answer in the spelling that the profile asks for. */
export function spelled(context: Context, found: CampaignPrice): unknown {
  const { price, discount, vat, currency } = found
  const catalog = Math.round((price + discount) * 100) / 100
  switch (context.profiles.get("price_answer")) {
    case "nested":
      return found
    case "flat":
      return {
        campaignPrice: price,
        discountAmount: discount,
        vatRate: vat.rate,
        vatIncluded: vat.included,
        currencyCode: currency,
      }
    case "strings":
      return {
        price: price.toFixed(2),
        discount: discount.toFixed(2),
        vat: { rate: String(vat.rate), included: vat.included },
        currency,
      }
    case "wrapped":
      return { data: found }
    case "minimal":
      return { price }
    case "two_prices":
      return { ...found, price: catalog, campaignPrice: price }
    case "ambiguous":
      return { ...found, price: catalog, amount: price }
    case "two_currencies":
      return {
        price: { amount: price, currency },
        currency: currency === "EUR" ? "DKK" : "EUR",
        vat,
      }
    case "two_bases":
      return { ...found, priceIncludesVat: !vat.included }
    case "amount_object":
      return { price: { amount: price, currency }, discount: { amount: discount, currency }, vat }
  }
}
