import type { HttpTypes } from "@medusajs/types"
import { useQuery } from "@tanstack/react-query"
import { type ApiError, sdk, svcFetch } from "../../lib/client"
import {
  marketKeys,
  publishableKeyKeys,
  regionKeys,
  ruleKeys,
  salesChannelKeys,
} from "../../lib/query-keys"
import type { Market, RuleKind } from "../../lib/types"

/** More than any store has been seen to have. The pickers have no search. */
const ALL = { limit: 200 }

export function useRegions() {
  return useQuery<HttpTypes.AdminRegionListResponse>({
    queryKey: regionKeys.list(ALL),
    queryFn: () => sdk.admin.region.list({ ...ALL, fields: "id,name,currency_code,*countries" }),
    staleTime: 60_000,
    // Made in another tab, while the form waits for one.
    refetchOnWindowFocus: ({ state }) => (state.data?.regions.length ? false : "always"),
  })
}

export function useSalesChannels() {
  return useQuery<HttpTypes.AdminSalesChannelListResponse>({
    queryKey: salesChannelKeys.list(ALL),
    queryFn: () => sdk.admin.salesChannel.list({ ...ALL, fields: "id,name,is_disabled" }),
    staleTime: 60_000,
  })
}

const MOST = { limit: 1_000 }

/** What products can be chosen by: undefined while it is read. */
export function useRuleOptions(): Record<RuleKind, { id: string; name: string }[] | undefined> {
  const { data: categories } = useQuery({
    queryKey: ruleKeys.list({ of: "categories" }),
    queryFn: () => sdk.admin.productCategory.list({ ...MOST, fields: "id,name" }),
  })
  const { data: collections } = useQuery({
    queryKey: ruleKeys.list({ of: "collections" }),
    queryFn: () => sdk.admin.productCollection.list({ ...MOST, fields: "id,title" }),
  })
  const { data: tags } = useQuery({
    queryKey: ruleKeys.list({ of: "tags" }),
    queryFn: () => sdk.admin.productTag.list({ ...MOST, fields: "id,value" }),
  })
  const { data: types } = useQuery({
    queryKey: ruleKeys.list({ of: "types" }),
    queryFn: () => sdk.admin.productType.list({ ...MOST, fields: "id,value" }),
  })
  return {
    category_ids: categories?.product_categories,
    collection_ids: collections?.collections.map(({ id, title }) => ({ id, name: title })),
    tag_ids: tags?.product_tags.map(({ id, value }) => ({ id, name: value })),
    type_ids: types?.product_types.map(({ id, value }) => ({ id, name: value })),
  }
}

/** Which sales channels and regions go together. */
export function useMarkets() {
  return useQuery<{ markets: Market[] }, ApiError>({
    queryKey: marketKeys.all,
    queryFn: ({ signal }) => svcFetch("/markets", { signal }),
    // Mended in another tab, while the form waits for it. In a large store the answer takes too long to ask each time.
    refetchOnWindowFocus: ({ state }) =>
      state.data?.markets.some(({ reason }) => reason === null) ? false : "always",
  })
}

type PublishableKey = {
  token: string
  revoked_at: string | null
  sales_channels?: { id: string }[]
}

/** The key with which a storefront of this sales channel asks the store; empty where there is none. */
export function usePublishableKey(salesChannelId: string) {
  return useQuery<string>({
    queryKey: publishableKeyKeys.detail(salesChannelId),
    queryFn: async () => {
      // The SDK's own type of a key lacks its sales channels.
      const { api_keys } = await sdk.client.fetch<{ api_keys: PublishableKey[] }>(
        "/admin/api-keys",
        { query: { ...ALL, type: "publishable", fields: "id,token,revoked_at,sales_channels.id" } },
      )
      const key = api_keys.find(
        ({ revoked_at, sales_channels }) =>
          !revoked_at && sales_channels?.some(({ id }) => id === salesChannelId),
      )
      return key?.token ?? ""
    },
  })
}
