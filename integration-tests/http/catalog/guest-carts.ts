/** Generated stores, and what a guest's cart in them is charged: the answer that the pushed price is held against. */
import { addToCartWorkflow, createCartWorkflow, createRegionsWorkflow } from "@medusajs/core-flows"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import fc from "fast-check"
import { SVC_MODULE } from "../../../src/modules/svc"
import { readSnapshots } from "../../../src/workflows/catalog/prepare-products"
import { type CatalogShop, variant } from "./shop"

/** Of a rule, for what a guest's cart says and for what it does not: the real ids are known once the shop stands. */
const ATTRIBUTES = {
  region_id: ["denmark", "europe", "elsewhere"],
  sales_channel_id: ["channel", "another-channel"],
  "shipping_address.country_code": ["dk", "us"],
  "customer.groups.id": ["a-group"],
  customer_id: ["a-customer"],
  locale: ["da-DK", "sv-SE"],
} as const
type Attribute = keyof typeof ATTRIBUTES
const attributes = Object.keys(ATTRIBUTES) as Attribute[]

const rules = fc
  .uniqueArray(fc.constantFrom(...attributes), { maxLength: 3 })
  .chain((names) =>
    fc.record(
      Object.fromEntries(names.map((name) => [name, fc.constantFrom<string>(...ATTRIBUTES[name])])),
    ),
  )
const amount = fc.integer({ min: 0, max: 4_000 }).map((quarters) => quarters / 4)
const price = fc.record({
  amount,
  currency_code: fc.constantFrom("dkk", "eur"),
  rules,
  quantities: fc.constantFrom<[number?, number?]>([], [], [1], [5], [undefined, 1], [2, 10]),
})
const list = fc.record({
  type: fc.constantFrom("sale" as const, "override" as const),
  status: fc.constantFrom("active" as const, "active" as const, "draft" as const),
  starts: fc.constantFrom(null, -1, 1),
  ends: fc.constantFrom(null, -1, 1),
  rules,
  prices: fc.array(fc.tuple(fc.nat(), price), { maxLength: 8 }),
})
const rate = fc.constantFrom(25, 12.5, 7, 0, null)

export const store = fc.record({
  /** Of each variant, so that every one can be bought. */
  base: fc.record({ dkk: amount, eur: amount }),
  prices: fc.array(fc.tuple(fc.nat(), price), { maxLength: 12 }),
  lists: fc.array(list, { maxLength: 4 }),
  inclusive: fc.record({ dkk: fc.boolean(), eur: fc.boolean(), denmark: fc.boolean() }),
  /** By country; undefined where it has no taxes. The chosen one of the second market is Sweden. */
  taxes: fc.record({
    dk: fc.option(rate, { nil: undefined }),
    de: fc.option(rate, { nil: undefined }),
    se: fc.option(rate, { nil: undefined }),
  }),
  ownRate: fc.option(rate, { nil: undefined }),
})
type Generated = typeof store extends fc.Arbitrary<infer Value> ? Value : never

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
/** To cents, half up, by the digits that are written: 258.405 * 100 is a little less than 25840.5. */
const rounded = (value: unknown) =>
  Number(`${Math.round(Number(`${Number(value).toFixed(6)}e2`))}e-2`)

export async function guestCarts(shop: CatalogShop) {
  const container = shop.getContainer()
  const pricing = container.resolve(Modules.PRICING)
  const taxes = container.resolve(Modules.TAX)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const svc = container.resolve(SVC_MODULE)
  const [europe] = await shop.result(createRegionsWorkflow, {
    regions: [{ name: "Europe", currency_code: "eur", countries: ["de", "se"] }],
  })
  const ids: Record<string, string> = {
    denmark: shop.region,
    europe: europe.id,
    channel: shop.channel,
  }
  const catalog = { push: false }
  const [gross, net, chosen] = await Promise.all([
    shop.connectPage("gross", { catalog: { ...catalog, locale: "da-DK" } }),
    shop.connectPage("net", {
      catalog: { ...catalog, locale: "da-DK" },
      prices_include_vat: false,
    }),
    shop.connectPage("chosen", {
      region_id: europe.id,
      catalog: { ...catalog, country_code: "se" },
    }),
  ])
  const connections = await Promise.all([gross, net, chosen].map((id) => svc.connection(id)))
  const [ofDenmark, ofEurope] = [connections.slice(0, 2), connections.slice(2)]
  const unlimited = (title: string) => variant(title, 1, { manage_inventory: false })
  const products = [
    await shop.createProduct("Plain", [unlimited("S"), unlimited("M")]),
    await shop.createProduct("With a rate of its own", [unlimited("S"), unlimited("M")]),
    await shop.createProduct("Gift card", [unlimited("10"), unlimited("20")], {
      is_giftcard: true,
    }),
  ]
  const variants = products.flatMap((product) => product.variants.map(({ id }) => id))
  const { data: links } = await query.graph({
    entity: "product_variant_price_set",
    fields: ["variant_id", "price_set_id"],
    filters: { variant_id: variants },
  })
  const sets = links.map(({ price_set_id }) => price_set_id)

  const named = (wanted: Record<string, string>) =>
    Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, ids[value] ?? value]))
  const priceOf = ({ quantities: [min, max], rules, ...own }: Generated["prices"][number][1]) => ({
    ...own,
    rules: named(rules as Record<string, string>),
    ...(min === undefined ? {} : { min_quantity: min }),
    ...(max === undefined ? {} : { max_quantity: max }),
  })
  const ofSet = <Price>(prices: [number, Price][], n: number): Price[] =>
    prices.flatMap(([place, one]) => (place % sets.length === n ? [one] : []))

  async function arrange({ base, prices, lists, inclusive, taxes: rates, ownRate }: Generated) {
    await pricing.deletePriceLists(
      (await pricing.listPriceLists({}, { take: null })).map(({ id }) => id),
    )
    await shop.knex("price").whereIn("price_set_id", sets).delete()
    await pricing.addPrices(
      sets.map((priceSetId, n) => ({
        priceSetId,
        prices: [
          { amount: base.dkk, currency_code: "dkk", rules: {} },
          { amount: base.eur, currency_code: "eur", rules: {} },
          ...ofSet(prices, n).map(priceOf),
        ],
      })),
    )
    await pricing.createPriceLists(
      lists.map(({ type, status, starts, ends, rules, prices: listed }) => ({
        title: "Generated",
        description: "Generated",
        type,
        status,
        ...(starts === null ? {} : { starts_at: inDays(starts) }),
        ...(ends === null ? {} : { ends_at: inDays(ends) }),
        rules: Object.fromEntries(
          Object.entries(named(rules as Record<string, string>)).map(([name, value]) => [
            name,
            [value, "another"],
          ]),
        ),
        prices: listed.flatMap(([n, one]) => {
          const id = sets[n % sets.length]
          return id ? [{ price_set_id: id, ...priceOf(one) }] : []
        }),
      })),
    )
    await shop.knex("price_preference").delete()
    await pricing.createPricePreferences([
      { attribute: "currency_code", value: "dkk", is_tax_inclusive: inclusive.dkk },
      { attribute: "currency_code", value: "eur", is_tax_inclusive: inclusive.eur },
      { attribute: "region_id", value: shop.region, is_tax_inclusive: inclusive.denmark },
    ])
    await shop.knex("tax_region").delete()
    for (const [country_code, own] of Object.entries(rates)) {
      if (own === undefined) continue
      const region = await taxes.createTaxRegions({
        country_code,
        provider_id: "tp_system",
        default_tax_rate: { name: "Default", code: "default", rate: own },
      })
      if (ownRate === undefined) continue
      await taxes.createTaxRates({
        tax_region_id: region.id,
        name: "Own",
        code: "own",
        rate: ownRate,
        rules: [{ reference: "product", reference_id: products[1]?.id ?? "" }],
      })
    }
  }
  type Guest = (typeof connections)[number]
  const byVariant = (prices: [string, number][]) => Object.fromEntries(prices.sort())

  /** What one piece of each variant costs in a guest's cart of these connections: by page, on its basis. */
  async function chargedOf(guests: Guest[]): Promise<[string, Record<string, number>][]> {
    const isChosen = guests === ofEurope
    const { result: cart } = await createCartWorkflow(container).run({
      input: {
        region_id: isChosen ? europe.id : shop.region,
        sales_channel_id: shop.channel,
        ...(isChosen ? { shipping_address: { country_code: "se" } } : { locale: "da-DK" }),
      },
    })
    await addToCartWorkflow(container).run({
      input: { cart_id: cart.id, items: variants.map((id) => ({ variant_id: id, quantity: 1 })) },
    })
    const { data } = await query.graph({
      entity: "cart",
      fields: ["items.*", "items.tax_lines.*", "total"],
      filters: { id: cart.id },
    })
    const lines = (data[0]?.items ?? []) as unknown as Record<string, string>[]
    return guests.map(({ page_uid, prices_include_vat }) => [
      page_uid,
      byVariant(
        lines.flatMap(({ variant_id, total, subtotal }): [string, number][] =>
          variant_id ? [[variant_id, rounded(prices_include_vat ? total : subtotal)]] : [],
        ),
      ),
    ])
  }

  /** By page. */
  const charged = async () =>
    Object.fromEntries([...(await chargedOf(ofDenmark)), ...(await chargedOf(ofEurope))])

  async function pushedTo(connection: Guest): Promise<Record<string, number>> {
    const snapshots = await readSnapshots(
      container,
      connection,
      products.map(({ id }) => id),
    )
    return byVariant(
      [...snapshots.values()].flatMap((snapshot): [string, number][] =>
        snapshot.kind === "for_sale" &&
        snapshot.mapped.ok &&
        snapshot.mapped.payload.type === "configurable"
          ? snapshot.mapped.payload.variants.map(({ id, price: shown }) => [id, rounded(shown)])
          : [],
      ),
    )
  }

  /** By page. */
  async function pushed() {
    const all: Record<string, Record<string, number>> = {}
    for (const connection of connections) all[connection.page_uid] = await pushedTo(connection)
    return all
  }

  return { arrange, charged, pushed, priceCount: connections.length * variants.length }
}
