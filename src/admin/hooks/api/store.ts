import type { HttpTypes } from "@medusajs/types"
import { useQuery } from "@tanstack/react-query"
import { type ApiError, sdk, svcFetch } from "../../lib/client"
import { marketKeys, publishableKeyKeys, regionKeys, salesChannelKeys } from "../../lib/query-keys"
import type { Market } from "../../lib/types"

/** More than any store has been seen to have. The pickers have no search. */
const ALL = { limit: 200 }

export function useRegions() {
  return useQuery<HttpTypes.AdminRegionListResponse>({
    queryKey: regionKeys.list(ALL),
    queryFn: () => sdk.admin.region.list({ ...ALL, fields: "id,name,currency_code" }),
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
