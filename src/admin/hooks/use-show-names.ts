import { useMemo } from "react"
import { useLiveEvents } from "./api/live-events"

/** Names of the shows behind campaigns; a campaign whose show is not known keeps its id. */
export function useShowNames(campaigns: string[] | undefined) {
  const uids = [...new Set(campaigns)].sort()
  const { data } = useLiveEvents({ campaign_uid: uids, limit: 200 }, uids.length > 0)
  return useMemo(() => {
    const names = new Map(data?.live_events.map(({ campaign_uid, name }) => [campaign_uid, name]))
    return (uid: string) => names.get(uid) || uid
  }, [data])
}
