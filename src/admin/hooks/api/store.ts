import type { HttpTypes } from "@medusajs/types"
import { type QueryKey, useQuery } from "@tanstack/react-query"
import { sdk } from "../../lib/client"
import type { RuleKind } from "../../lib/types"

/** What a press in the plugin's pages does not change. */
const keyOf = (...of: string[]): QueryKey => ["svc-store", ...of]

/** More than any store has been seen to have. The pickers have no search. */
const ALL = { limit: 200 }
const A_MINUTE_MS = 60_000

export function useRegions() {
  return useQuery<HttpTypes.AdminRegionListResponse>({
    queryKey: keyOf("regions"),
    queryFn: () => sdk.admin.region.list({ ...ALL, fields: "id,name,currency_code,*countries" }),
    staleTime: A_MINUTE_MS,
    // Made in another tab, while the form waits for one.
    refetchOnWindowFocus: ({ state }) => (state.data?.regions.length ? false : "always"),
  })
}

type Named = { id: string; name: string }

/** The id of what is not there, or cannot be read; empty while unknown. */
const nameIn = (list: Named[] | undefined, error: Error | null, id: string): string =>
  list || error ? (list?.find((one) => one.id === id)?.name ?? id) : ""

export function useRegionName(id: string): string {
  const { data, error } = useRegions()
  return nameIn(data?.regions, error, id)
}

export function useSalesChannels() {
  return useQuery<HttpTypes.AdminSalesChannelListResponse>({
    queryKey: keyOf("sales-channels"),
    queryFn: () => sdk.admin.salesChannel.list({ ...ALL, fields: "id,name" }),
    staleTime: A_MINUTE_MS,
  })
}

export function useSalesChannelName(id: string): string {
  const { data, error } = useSalesChannels()
  return nameIn(data?.sales_channels, error, id)
}

const MOST = { limit: 1_000 }

/** What products can be chosen by. */
const RULE_OPTIONS: Record<RuleKind, () => Promise<{ id: string; name: string }[]>> = {
  category_ids: async () =>
    (await sdk.admin.productCategory.list({ ...MOST, fields: "id,name" })).product_categories,
  collection_ids: async () => {
    const { collections } = await sdk.admin.productCollection.list({ ...MOST, fields: "id,title" })
    return collections.map(({ id, title }) => ({ id, name: title }))
  },
  tag_ids: async () => {
    const { product_tags: tags } = await sdk.admin.productTag.list({ ...MOST, fields: "id,value" })
    return tags.map(({ id, value }) => ({ id, name: value }))
  },
  type_ids: async () => {
    const { product_types: types } = await sdk.admin.productType.list({
      ...MOST,
      fields: "id,value",
    })
    return types.map(({ id, value }) => ({ id, name: value }))
  },
}

export const useRuleOptions = (kind: RuleKind) =>
  useQuery({ queryKey: keyOf("rules", kind), queryFn: RULE_OPTIONS[kind] })

type PublishableKey = {
  token: string
  revoked_at: string | null
  sales_channels?: { id: string }[]
}

const channelsOf = ({ sales_channels = [] }: PublishableKey) => sales_channels.length

/** The key with which a storefront of this sales channel asks the store; empty where there is none. */
export function usePublishableKey(salesChannelId: string) {
  return useQuery<string>({
    queryKey: keyOf("publishable-keys", salesChannelId),
    queryFn: async () => {
      // The SDK's own type of a key lacks its sales channels.
      const { api_keys } = await sdk.client.fetch<{ api_keys: PublishableKey[] }>(
        "/admin/api-keys",
        { query: { ...ALL, type: "publishable", fields: "id,token,revoked_at,sales_channels.id" } },
      )
      const [key] = api_keys
        .filter(
          ({ revoked_at, sales_channels }) =>
            !revoked_at && sales_channels?.some(({ id }) => id === salesChannelId),
        )
        // With a key that has several channels no basket is made for a storefront that names none of them.
        .sort((one, other) => channelsOf(one) - channelsOf(other))
      return key?.token ?? ""
    },
  })
}
