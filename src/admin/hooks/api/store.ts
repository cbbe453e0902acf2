import type { HttpTypes } from "@medusajs/types"
import { useQuery } from "@tanstack/react-query"
import { sdk } from "../../lib/client"
import { regionKeys, salesChannelKeys } from "../../lib/query-keys"

/** More than any store has been seen to have. The pickers have no search. */
const ALL = { limit: 200 }

export function useRegions() {
  return useQuery<HttpTypes.AdminRegionListResponse>({
    queryKey: regionKeys.list(ALL),
    queryFn: () => sdk.admin.region.list({ ...ALL, fields: "id,name,currency_code" }),
    staleTime: 60_000,
  })
}

export function useSalesChannels() {
  return useQuery<HttpTypes.AdminSalesChannelListResponse>({
    queryKey: salesChannelKeys.list(ALL),
    queryFn: () => sdk.admin.salesChannel.list({ ...ALL, fields: "id,name,is_disabled" }),
    staleTime: 60_000,
  })
}
