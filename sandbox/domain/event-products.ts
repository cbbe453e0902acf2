/** Products in an event at the campaign's price (interface §2.7). */

import { z } from "zod"
import { bareProduct } from "../contract/bare-payloads"
import { notFound, SandboxError } from "../contract/errors"
import { currency, parse } from "../contract/input"
import { type EventVariant, vat } from "../contract/payloads"
import type { Context } from "../store/context"
import type { EventProduct, LiveEvent } from "../store/tables"
import { announceProduct } from "./announcements"
import { holdBack } from "./availability"
import { getCampaign } from "./campaigns"
import { findProduct } from "./catalog"
import { getEventProduct, getEventToChange, productsOfEvent } from "./event-lookups"
import { type PushedProduct, readPushed } from "./pushed-product"

const price = z.number().finite().min(0)
const qty = z.int().min(1)
const image = z.union([z.string().transform((url) => ({ url })), z.object({ url: z.string() })])

const eventProductChanges = z.strictObject({
  price: price.optional(),
  currency: currency.optional(),
  vat: vat.optional(),
  discount: z.number().finite().nullish(),
  available: z.boolean().optional(),
  min_purchase_qty: qty.nullish(),
  max_qty_per_customer: qty.nullish(),
  default_quantity_to_add: qty.nullish(),
  suggested_retail_price: price.optional(),
  sorting: z.number().finite().optional(),
  variants: z
    .array(
      z.strictObject({
        external_id: z.string().min(1),
        price: price.nullish(),
        sku: z.string().optional(),
        names: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  name: z.string().min(1).optional(),
  sku: z.string().min(1).optional(),
  brand: z.string().optional(),
  description: z.string().optional(),
  information: z.string().optional(),
  url: z.string().min(1).optional(),
  image: image.optional(),
  images: z.array(image).optional(),
  categories: z.array(z.string()).optional(),
  is_virtual: z.boolean().optional(),
})
type Details = z.output<typeof eventProductChanges>

const eventProductCreation = eventProductChanges.extend({
  external_id: z.string().min(1),
  variant_external_id: z.string().min(1).optional(),
})

export type EventProductInput = z.input<typeof eventProductCreation>
export type EventProductChanges = z.input<typeof eventProductChanges>

export function addEventProduct(context: Context, eventId: string, body: unknown): EventProduct {
  const event = getEventToChange(context, eventId)
  const { external_id, variant_external_id, ...input } = parse(eventProductCreation, body)
  const pushed = pushedOrGiven(context, event, external_id, input)
  const campaign = getCampaign(context, event.campaign_uid)
  if (
    productsOfEvent(context, eventId).some((other) =>
      isSame(other, external_id, variant_external_id),
    )
  ) {
    throw new SandboxError(409, "product_in_event", `"${external_id}" is in this event already.`)
  }

  const uid = context.random.id("ep")
  const product: EventProduct = {
    uid,
    event_id: event.id,
    page_uid: event.page_uid,
    campaign_uid: event.campaign_uid,
    external_id,
    variant_external_id: variant_external_id ?? null,
    currency: campaign.currency,
    vat: campaign.vat,
    discount: null,
    catalog_price: pushed.price,
    created_at: context.clock.now(),
    deleted_at: null,
    data: {
      ...bareProduct({
        uid,
        sku: pushed.sku,
        externalId: external_id,
        campaignUid: event.campaign_uid,
        price: pushed.price,
        url: pushed.url,
        name: pushed.name,
      }),
      brand: pushed.brand,
      sorting: productsOfEvent(context, eventId).length + 1,
    },
  }
  if (pushed.image) product.data.image = { url: pushed.image }
  if (pushed.images.length > 0) product.data.images = pushed.images.map((url) => ({ url }))
  if (pushed.description) product.data.description = pushed.description
  const variants = pushed.variants.filter(
    (variant) => variant_external_id === undefined || variant.externalId === variant_external_id,
  )
  if (variant_external_id !== undefined && pushed.variants.length > 0 && variants.length === 0) {
    throw notFound("variant", variant_external_id)
  }
  if (variants.length > 0) {
    product.data.variants = variants.map(({ price, sku, externalId, variantNames }) => ({
      uid: context.random.id("ev"),
      sku,
      externalId,
      variantNames,
      // Without a show price each variant is sold at the price that the shop pushed for it.
      ...(input.price === undefined && price !== pushed.price && price !== undefined && { price }),
    }))
  }

  holdBack(product, pushed)
  apply(context, product, input)
  context.tables.event_products.set(uid, product)
  announceProduct(context, product, "created")
  return product
}

export function updateEventProduct(
  context: Context,
  eventId: string,
  uid: string,
  body: unknown,
): EventProduct {
  const product = getEventProduct(context, eventId, uid)
  getEventToChange(context, eventId)
  apply(context, product, parse(eventProductChanges, body))
  announceProduct(context, product, "updated")
  return product
}

/** interface §6.2 rule 3: the delivery carries the full last-known snapshot. */
export function removeEventProduct(context: Context, eventId: string, uid: string): EventProduct {
  const product = getEventProduct(context, eventId, uid)
  product.deleted_at = context.clock.now()
  announceProduct(context, product, "deleted")
  return product
}

function apply(context: Context, product: EventProduct, changes: Details): void {
  const { data } = product
  product.currency = changes.currency ?? product.currency
  product.vat = changes.vat ?? product.vat
  if (changes.discount !== undefined) product.discount = changes.discount
  data.price = changes.price ?? data.price
  if (changes.available !== undefined) {
    data.available = changes.available
    product.held_by_catalog = false
  }
  data.suggestedRetailPrice = changes.suggested_retail_price ?? data.suggestedRetailPrice
  data.sorting = changes.sorting ?? data.sorting
  data.name = changes.name ?? data.name
  data.sku = changes.sku ?? data.sku
  data.brand = changes.brand ?? data.brand
  data.url = changes.url ?? data.url
  data.isVirtualProduct = changes.is_virtual ?? data.isVirtualProduct
  if (changes.description !== undefined) data.description = changes.description
  if (changes.information !== undefined) data.information = changes.information
  if (changes.image) data.image = changes.image
  if (changes.images) data.images = changes.images
  if (changes.categories) data.productCategories = changes.categories
  const optional = {
    minPurchaseQty: changes.min_purchase_qty,
    maxQtyPerCustomer: changes.max_qty_per_customer,
    defaultQuantityToAdd: changes.default_quantity_to_add,
  }
  for (const [name, value] of Object.entries(optional) as [
    keyof typeof optional,
    number | null,
  ][]) {
    if (value === null) delete data[name]
    else if (value !== undefined) data[name] = value
  }
  for (const variant of changes.variants ?? []) applyVariant(context, product, variant)
}

/** A variant's own price wins over the product's; null removes it again. */
function applyVariant(
  context: Context,
  { data }: EventProduct,
  change: NonNullable<Details["variants"]>[number],
): void {
  data.variants ??= []
  let variant = data.variants.find(({ externalId }) => externalId === change.external_id)
  if (!variant) {
    variant = newVariant(context, change.external_id)
    data.variants.push(variant)
  }
  variant.sku = change.sku ?? variant.sku
  variant.variantNames = change.names ?? variant.variantNames
  if (change.price === null) delete variant.price
  else if (change.price !== undefined) variant.price = change.price
}

function newVariant(context: Context, externalId: string): EventVariant {
  return { uid: context.random.id("ev"), sku: externalId, externalId, variantNames: [] }
}

function pushedOrGiven(
  context: Context,
  event: LiveEvent,
  externalId: string,
  given: Details,
): PushedProduct {
  const received = findProduct(context, event.page_uid, externalId)
  if (received) return readPushed(received.product)
  const { name, sku, price, url } = given
  if (name === undefined || sku === undefined || price === undefined || url === undefined) {
    throw new SandboxError(
      422,
      "product_not_received",
      `Product "${externalId}" was never pushed to page "${event.page_uid}": push it first, or give name, sku, price and url.`,
    )
  }
  return {
    name,
    sku,
    price,
    url,
    brand: "",
    image: null,
    images: [],
    description: "",
    status: "",
    inventory: null,
    manageStock: null,
    variants: [],
  }
}

function isSame(other: EventProduct, externalId: string, variantId: string | undefined): boolean {
  return other.external_id === externalId && other.variant_external_id === (variantId ?? null)
}
