/** Fills an empty store with the demo's shop, through Medusa's own workflows. */
import {
  createApiKeysWorkflow,
  createInventoryLevelsWorkflow,
  createPriceListsWorkflow,
  createProductCategoriesWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  createUsersWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateApiKeysWorkflow,
  updateSalesChannelsWorkflow,
  updateStoresWorkflow,
} from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, ProductStatus } from "@medusajs/framework/utils"
import { StartError } from "../../tools/store/start-error"
import { CATEGORIES, type CatalogProduct, PRODUCTS, SALES } from "./products"
import { CHANNELS, DEMO_ADMIN, REGIONS } from "./seed-names"
import { picturesOf, variantsOf } from "./variants"

/** Standard rates in per cent; the region's prices are shown without them. */
const EUROPEAN_VAT: Record<string, number> = {
  at: 20,
  be: 21,
  de: 19,
  es: 21,
  fi: 25.5,
  fr: 20,
  ie: 23,
  it: 22,
  nl: 21,
  se: 25,
}

const DAY_MS = 24 * 60 * 60 * 1000
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

type Channels = { denmark: string; europe: string }

async function only<T>(rows: Promise<T[]>): Promise<T> {
  const [row] = await rows
  if (row === undefined) throw new Error("A workflow created nothing")
  return row
}

async function createAdmin(container: MedusaContainer) {
  const auth = container.resolve(Modules.AUTH)
  const { authIdentity } = await auth.register("emailpass", { body: DEMO_ADMIN } as never)
  if (!authIdentity) throw new Error("The demo's admin user could not be created")
  const { result } = await createUsersWorkflow(container).run({
    input: { users: [{ email: DEMO_ADMIN.email, first_name: "Demo", last_name: "Admin" }] },
  })
  await auth.updateAuthIdentities({
    id: authIdentity.id,
    app_metadata: { user_id: result[0]?.id },
  })
}

async function createChannels(container: MedusaContainer): Promise<Channels> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  // Medusa makes one channel and one key at its first start; the shop takes them over.
  const { data: stores } = await query.graph({
    entity: "store",
    fields: ["id", "default_sales_channel_id"],
  })
  const { data: keys } = await query.graph({
    entity: "api_key",
    fields: ["id"],
    filters: { type: "publishable" },
  })
  const denmark = stores[0]?.default_sales_channel_id
  const firstKey = keys[0]?.id
  if (!denmark || !firstKey) throw new Error("Medusa has not created its default sales channel")
  await updateSalesChannelsWorkflow(container).run({
    input: {
      selector: { id: denmark },
      update: { name: CHANNELS.denmark, description: "hedeoghavn.example, Denmark" },
    },
  })
  await updateApiKeysWorkflow(container).run({
    input: { selector: { id: firstKey }, update: { title: CHANNELS.denmark } },
  })
  const europe = await only(
    createSalesChannelsWorkflow(container)
      .run({
        input: {
          salesChannelsData: [
            { name: CHANNELS.europe, description: "hedeoghavn.example, the rest of Europe" },
          ],
        },
      })
      .then(({ result }) => result),
  )
  const key = await only(
    createApiKeysWorkflow(container)
      .run({
        input: { api_keys: [{ type: "publishable", title: CHANNELS.europe, created_by: "" }] },
      })
      .then(({ result }) => result),
  )
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: key.id, add: [europe.id] },
  })
  return { denmark, europe: europe.id }
}

async function createRegions(container: MedusaContainer) {
  const { result } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: REGIONS.denmark,
          currency_code: "dkk",
          countries: ["dk"],
          payment_providers: ["pp_system_default"],
          is_tax_inclusive: true,
        },
        {
          name: REGIONS.europe,
          currency_code: "eur",
          countries: Object.keys(EUROPEAN_VAT),
          payment_providers: ["pp_system_default"],
          is_tax_inclusive: false,
        },
      ],
    },
  })
  await createTaxRegionsWorkflow(container).run({
    input: Object.entries({ dk: 25, ...EUROPEAN_VAT }).map(([country_code, rate]) => ({
      country_code,
      provider_id: "tp_system",
      default_tax_rate: { name: "VAT", code: `vat-${country_code}`, rate },
    })),
  })
  return result
}

async function nameStore(container: MedusaContainer, channel: string, region: string) {
  await updateStoresWorkflow(container).run({
    input: {
      selector: {},
      update: {
        name: "Hede & Havn",
        supported_currencies: [
          { currency_code: "dkk", is_default: true, is_tax_inclusive: true },
          { currency_code: "eur", is_tax_inclusive: false },
        ],
        default_sales_channel_id: channel,
        default_region_id: region,
      },
    },
  })
}

async function createShippingProfile(container: MedusaContainer): Promise<string> {
  const { result } = await createShippingProfilesWorkflow(container).run({
    input: { data: [{ name: "Default", type: "default" }] },
  })
  return result[0]?.id ?? ""
}

async function createDelivery(container: MedusaContainer, channels: Channels) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const fulfillment = container.resolve(Modules.FULFILLMENT)

  const location = await only(
    createStockLocationsWorkflow(container)
      .run({
        input: {
          locations: [
            {
              name: "Warehouse, Thisted",
              address: {
                address_1: "Havnevej 4",
                city: "Thisted",
                postal_code: "7700",
                country_code: "DK",
              },
            },
          ],
        },
      })
      .then(({ result }) => result),
  )
  await linkSalesChannelsToStockLocationWorkflow(container).run({
    input: { id: location.id, add: [channels.denmark, channels.europe] },
  })
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" },
  })

  const [existing] = await fulfillment.listShippingProfiles({ type: "default" })
  const shippingProfileId = existing ? existing.id : await createShippingProfile(container)

  const set = await fulfillment.createFulfillmentSets({
    name: "Parcels from Thisted",
    type: "shipping",
    service_zones: [
      { name: "Denmark", geo_zones: [{ type: "country", country_code: "dk" }] },
      {
        name: "Europe",
        geo_zones: Object.keys(EUROPEAN_VAT).map((country_code) => ({
          type: "country" as const,
          country_code,
        })),
      },
    ],
  })
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  })
  const zone = (name: string) => set.service_zones.find((each) => each.name === name)?.id ?? ""
  const option = (
    name: string,
    zoneName: string,
    days: string,
    price: { currency_code: string; amount: number },
  ) => ({
    name,
    price_type: "flat" as const,
    provider_id: "manual_manual",
    service_zone_id: zone(zoneName),
    shipping_profile_id: shippingProfileId,
    type: { label: name, description: days, code: name.toLowerCase().replaceAll(" ", "-") },
    prices: [price],
    rules: [
      { attribute: "enabled_in_store", value: "true", operator: "eq" as const },
      { attribute: "is_return", value: "false", operator: "eq" as const },
    ],
  })
  await createShippingOptionsWorkflow(container).run({
    input: [
      option("Parcel shop", "Denmark", "1–2 days", { currency_code: "dkk", amount: 39 }),
      option("Home delivery", "Denmark", "1–2 days", { currency_code: "dkk", amount: 59 }),
      option("European parcel", "Europe", "3–5 days", { currency_code: "eur", amount: 9.5 }),
    ],
  })
  return { locationId: location.id, shippingProfileId }
}

async function createCategories(container: MedusaContainer): Promise<Map<string, string>> {
  const { result } = await createProductCategoriesWorkflow(container).run({
    input: {
      product_categories: CATEGORIES.map((name, rank) => ({ name, rank, is_active: true })),
    },
  })
  return new Map(result.map(({ name, id }) => [name, id]))
}

function productInput(
  product: CatalogProduct,
  context: {
    channels: Channels
    categories: Map<string, string>
    shippingProfileId: string
  },
) {
  const options = Object.entries(product.options ?? {})
  const channels = product.denmarkOnly
    ? [context.channels.denmark]
    : [context.channels.denmark, context.channels.europe]
  const pictures = picturesOf(product)
  return {
    title: product.title,
    subtitle: product.subtitle,
    description: product.description,
    handle: product.handle,
    status: product.draft ? ProductStatus.DRAFT : ProductStatus.PUBLISHED,
    material: product.material,
    origin_country: "dk",
    thumbnail: pictures[0],
    images: pictures.map((url) => ({ url })),
    category_ids: [context.categories.get(product.category) ?? ""],
    shipping_profile_id: context.shippingProfileId,
    sales_channels: channels.map((id) => ({ id })),
    options: options.length
      ? options.map(([title, values]) => ({ title, values }))
      : [{ title: "Default option", values: ["Default option value"] }],
    variants: variantsOf(product).map((variant, rank) => ({
      title: variant.title,
      // Medusa leaves every rank at 0: shop and player would then show sizes in no order.
      variant_rank: rank,
      ...(variant.sku ? { sku: variant.sku } : {}),
      thumbnail: variant.picture,
      options: options.length ? variant.options : { "Default option": "Default option value" },
      manage_inventory: variant.stock !== "unmanaged",
      allow_backorder: variant.stock === "backorder",
      prices: [
        { currency_code: "dkk", amount: variant.dkk },
        { currency_code: "eur", amount: variant.eur },
      ],
    })),
  }
}

type CreatedVariant = { id: string; handle: string; title: string; inventoryItemId?: string }

async function readVariants(container: MedusaContainer): Promise<CreatedVariant[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "variant",
    fields: ["id", "title", "product.handle", "inventory_items.inventory_item_id"],
  })
  return data.map((variant) => ({
    id: variant.id,
    title: variant.title ?? "",
    handle: variant.product?.handle ?? "",
    inventoryItemId: variant.inventory_items?.[0]?.inventory_item_id,
  }))
}

async function stockUp(container: MedusaContainer, location_id: string, created: CreatedVariant[]) {
  const quantities = new Map(
    PRODUCTS.flatMap((product) =>
      variantsOf(product).map((variant) => [
        `${product.handle}|${variant.title}`,
        variant.quantity,
      ]),
    ),
  )
  await createInventoryLevelsWorkflow(container).run({
    input: {
      inventory_levels: created.flatMap(({ handle, title, inventoryItemId }) =>
        inventoryItemId
          ? [
              {
                location_id,
                inventory_item_id: inventoryItemId,
                stocked_quantity: quantities.get(`${handle}|${title}`) ?? 0,
              },
            ]
          : [],
      ),
    },
  })
}

/** Danish sale prices end on a nine, like those of any shop. */
const reduced = (amount: number, percent: number) =>
  Math.max(9, Math.round((amount * (100 - percent)) / 1000) * 10 - 1)

async function createSales(container: MedusaContainer, created: CreatedVariant[]) {
  const ids = new Map(created.map(({ handle, title, id }) => [`${handle}|${title}`, id]))
  await createPriceListsWorkflow(container).run({
    input: {
      price_lists_data: SALES.map((sale) => ({
        title: sale.title,
        description: sale.description,
        type: "sale" as const,
        status: "active" as const,
        starts_at: daysFromNow(sale.fromDay),
        ends_at: daysFromNow(sale.toDay),
        prices: PRODUCTS.filter(({ handle }) => sale.handles.includes(handle)).flatMap((product) =>
          variantsOf(product).flatMap((variant) => {
            const variant_id = ids.get(`${product.handle}|${variant.title}`)
            if (!variant_id) return []
            return [
              { variant_id, currency_code: "dkk", amount: reduced(variant.dkk, sale.percent) },
              {
                variant_id,
                currency_code: "eur",
                amount: Math.round(variant.eur * (100 - sale.percent)) / 100,
              },
            ]
          }),
        ),
      })),
    },
  })
}

/**
 * Begins with the regions and ends with the admin user, so that what stands between tells of a first start that was ended.
 *
 * @returns false when the shop is there already; a store that somebody has filled is left alone
 * @throws StartError when only a part of the shop is there
 */
export async function seedDemo(container: MedusaContainer): Promise<boolean> {
  const regions = await container.resolve(Modules.REGION).listRegions({}, { take: 1 })
  if (regions.length > 0) {
    const users = await container.resolve(Modules.USER).listUsers({}, { take: 1 })
    if (users.length > 0) return false
    throw new StartError(
      "This database has regions and no user, as where the demo's first start was ended before its shop was whole. " +
        "Use an empty database, or start over: npm run demo -- --reset",
    )
  }

  const [denmark] = await createRegions(container)
  const channels = await createChannels(container)
  await nameStore(container, channels.denmark, denmark?.id ?? "")
  const { locationId, shippingProfileId } = await createDelivery(container, channels)
  const categories = await createCategories(container)
  await createProductsWorkflow(container).run({
    input: {
      products: PRODUCTS.map((product) =>
        productInput(product, { channels, categories, shippingProfileId }),
      ),
    },
  })
  const created = await readVariants(container)
  await stockUp(container, locationId, created)
  await createSales(container, created)
  await createAdmin(container)
  return true
}
