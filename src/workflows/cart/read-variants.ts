import type { MedusaContainer } from "@medusajs/framework/types"
import {
  ContainerRegistrationKeys,
  getVariantAvailability,
  MathBN,
  QueryContext,
} from "@medusajs/framework/utils"
import type { Candidate } from "../../modules/svc/cart/match-variant"
import type { ProductRef } from "../../modules/svc/cart/plan"

/** A variant with what a cart in this channel and region would pay without the show. */
export type StoreVariant = Candidate & {
  catalog: { amount: number; isTaxInclusive: boolean } | null
  /** Pieces that can be sold; null where stock is not managed or backorder is allowed. */
  stock: number | null
}

/** What of a cart decides its prices. */
type PricedFor = {
  sales_channel_id: string
  region_id: string
  currency_code: string
  customer_id?: string | null
}

/** Reads every variant that the references could mean, in one query, with price and stock for this cart. */
export async function readVariants(
  container: MedusaContainer,
  cart: PricedFor,
  refs: ProductRef[],
): Promise<StoreVariant[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const named = [
    ...new Set(
      refs.flatMap((ref) => [ref.product_id, ref.variant_id, ref.sku]).filter((id) => !!id),
    ),
  ] as string[]
  const { data: variants } = await query.graph({
    entity: "variant",
    fields: [
      "id",
      "sku",
      "product_id",
      "manage_inventory",
      "allow_backorder",
      "calculated_price.calculated_amount",
      "calculated_price.is_calculated_price_tax_inclusive",
      "product.status",
      "product.sales_channels.id",
    ],
    filters: { $or: [{ id: named }, { product_id: named }, { sku: named }] },
    context: {
      calculated_price: QueryContext({
        region_id: cart.region_id,
        currency_code: cart.currency_code,
        ...(cart.customer_id ? { customer_id: cart.customer_id } : {}),
      }),
    },
  })
  const siblings = countVariants(container, [
    ...new Set(variants.map((variant) => variant.product_id).filter((id) => !!id)),
  ] as string[])
  const managed = variants.filter((variant) => variant.manage_inventory && !variant.allow_backorder)
  const availability =
    managed.length === 0
      ? {}
      : await getVariantAvailability(query, {
          variant_ids: managed.map((variant) => variant.id),
          sales_channel_id: cart.sales_channel_id,
        })
  const siblingsOf = await siblings
  const unlimited = new Set(
    variants.filter((variant) => !managed.includes(variant)).map((variant) => variant.id),
  )
  return variants.map((variant): StoreVariant => {
    const { product, calculated_price }: VariantExtras = variant
    const amount = calculated_price?.calculated_amount
    return {
      variantId: variant.id,
      sku: variant.sku ?? null,
      productId: variant.product_id ?? "",
      siblings: siblingsOf.get(variant.product_id ?? "") ?? 1,
      forSale:
        product?.status === "published" &&
        (product.sales_channels ?? []).some((channel) => channel?.id === cart.sales_channel_id),
      catalog:
        amount === null || amount === undefined
          ? null
          : {
              amount: MathBN.convert(amount).toNumber(),
              isTaxInclusive: calculated_price?.is_calculated_price_tax_inclusive ?? false,
            },
      stock: unlimited.has(variant.id) ? null : (availability[variant.id]?.availability ?? 0),
    }
  })
}

/** Variants per product. A second query, because the first one returns only the siblings that its filter matched. */
async function countVariants(
  container: MedusaContainer,
  productIds: string[],
): Promise<Map<string, number>> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "product",
    fields: ["id", "variants.id"],
    filters: { id: productIds },
  })
  return new Map(data.map((product) => [product.id, product.variants?.length ?? 0]))
}

/** Fields that the query adds to a variant and that its generated type does not name. */
type VariantExtras = {
  product?: {
    status?: string
    sales_channels?: ({ id: string } | null)[] | null
  } | null
  calculated_price?: {
    calculated_amount?: number | null
    is_calculated_price_tax_inclusive?: boolean | null
  } | null
}
