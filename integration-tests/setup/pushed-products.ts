/** Products as they are pushed to the service. */
import type { PushedProduct } from "../../src/contract"

type Simple = Extract<PushedProduct, { type: "simple" }>
type Configurable = Extract<PushedProduct, { type: "configurable" }>
type Variant = Configurable["variants"][number]

export const simple: Simple = {
  id: "prod_1",
  type: "simple",
  sku: "mug",
  name: "Mug",
  price: 100,
  url: "https://shop.example/products/mug",
  status: "enabled",
}

export const variant = (id: string, over: Partial<Variant> = {}): Variant => ({
  id,
  sku: id,
  name: id,
  price: 100,
  inventory: 3,
  manageStock: true,
  status: "enabled",
  options: { Size: id },
  ...over,
})

export const configurable = (...variants: Variant[]): Configurable => ({
  ...simple,
  type: "configurable",
  configurableOptions: [{ name: "Size", values: variants.map(({ id }) => id) }],
  variants,
})
