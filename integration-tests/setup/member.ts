/** A customer with prices of their own: a price list for a group of customers, cheaper from two pieces on. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { MedusaSuiteOptions } from "@medusajs/test-utils"
import type { Market, Variant } from "./market"

/** Who has logged in, and what they pay for a piece without a show; in kroner. */
export type Member = { token: string; priceOf: (quantity: number) => number }

const FOR_ONE = 150
const FOR_MORE = 120

export async function cafeOf(
  api: MedusaSuiteOptions["api"],
  container: MedusaContainer,
  market: Market,
  variants: Variant[],
): Promise<Member> {
  const credentials = { email: "cafe@example.test", password: "strong-coffee" }
  const path = "/auth/customer/emailpass"
  const registered = await api.post(`${path}/register`, credentials)
  const { data } = await api.post(
    "/store/customers",
    { email: credentials.email },
    { headers: { ...market.store.headers, authorization: `Bearer ${registered.data.token}` } },
  )
  const customers = container.resolve(Modules.CUSTOMER)
  const group = await customers.createCustomerGroups({ name: "Cafés" })
  await customers.addCustomerToGroup({
    customer_id: data.customer.id,
    customer_group_id: group.id,
  })
  const { data: priced } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "variant",
    fields: ["price_set.id"],
    filters: { id: variants.map(({ id }) => id) },
  })
  const sets = priced.flatMap(({ price_set }) => price_set?.id ?? [])
  await container.resolve(Modules.PRICING).createPriceLists([
    {
      title: "Cafés",
      description: "Cafés",
      status: "active",
      type: "override",
      rules: { "customer.groups.id": [group.id] },
      prices: sets.flatMap((price_set_id) => [
        { price_set_id, currency_code: "dkk", amount: FOR_ONE, max_quantity: 1 },
        { price_set_id, currency_code: "dkk", amount: FOR_MORE, min_quantity: 2 },
      ]),
    },
  ])
  const { data: session } = await api.post(path, credentials)
  return {
    token: session.token,
    priceOf: (quantity) => (quantity >= 2 ? FOR_MORE : FOR_ONE),
  }
}
