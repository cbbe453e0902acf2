/**
 * The sample catalog: a few products and a show on air, so that whoever builds a storefront sees the
 * player sell before there is a store. Made up, pictures included.
 */

import type { InitDocument } from "./init"

const COLOURS = [
  ["clay", "Clay"],
  ["moss", "Moss"],
] as const

type Sample = { id: string; name: string; price: number; colours?: boolean; stock?: number }

const PRODUCTS: Sample[] = [
  { id: "sample-mug", name: "Stoneware mug", price: 189, colours: true },
  { id: "sample-bowl", name: "Salad bowl", price: 349 },
  { id: "sample-throw", name: "Wool throw", price: 899, colours: true },
  { id: "sample-candle", name: "Beeswax candle", price: 129 },
  { id: "sample-lamp", name: "Table lamp", price: 1249 },
  { id: "sample-vase", name: "Tall vase", price: 499, stock: 0 },
]

/** @param url  where the sandbox is reached, for the pictures */
export function sampleCatalog(url: string): InitDocument {
  return {
    products: PRODUCTS.map((product) => pushed(product, url)),
    shows: [
      {
        name: "An evening at home",
        on_air: true,
        campaign_uid: "sample-show",
        products: PRODUCTS.map(({ id, price }) => ({
          external_id: id,
          price: Math.round(price * 0.8),
        })),
      },
    ],
  }
}

function pushed({ id, name, price, colours, stock = 25 }: Sample, url: string) {
  const shared = {
    id,
    name,
    price,
    sku: id.toUpperCase(),
    url: `https://shop.example/${id}`,
    image: `${url}/_sandbox/covers/${id}.svg?title=${encodeURIComponent(name)}`,
    status: "enabled",
    inventory: stock,
    manageStock: true,
  }
  if (!colours) return { ...shared, type: "simple" }
  return {
    ...shared,
    type: "configurable",
    configurableOptions: [{ name: "Colour", values: COLOURS.map(([, colour]) => colour) }],
    variants: COLOURS.map(([suffix, colour]) => ({
      id: `${id}-${suffix}`,
      sku: `${shared.sku}-${suffix.toUpperCase()}`,
      name: colour,
      price,
      inventory: stock,
      manageStock: true,
      options: { Colour: colour },
    })),
  }
}
