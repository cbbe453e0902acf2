import { useConnections } from "./api/connections"
import { useRegions } from "./api/store"

/** Currency of the region that a connection sells in; undefined while unknown. */
export function useCurrencyOf(connectionId: string): string | undefined {
  const { data: connections } = useConnections()
  const { data: regions } = useRegions()
  const regionId = connections?.connections.find(({ id }) => id === connectionId)?.region_id
  return regions?.regions.find(({ id }) => id === regionId)?.currency_code
}
