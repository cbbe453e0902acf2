import { type Control, useWatch } from "react-hook-form"
import { useMarkets } from "../../../hooks/api/store"
import { useReason } from "../../../hooks/use-reason"
import type { ConnectionFormValues } from "./connection-form"

/** Which regions go with the sales channel that is chosen in a form; with any, where none is. */
export function useFittingMarkets(control: Control<ConnectionFormValues>) {
  const say = useReason()
  const channelId = useWatch({ control, name: "sales_channel_id" })
  const { data, isPending } = useMarkets()
  const markets = data?.markets
  const offered = markets?.filter((market) => !channelId || market.sales_channel_id === channelId)

  const fits = (regionId: string): boolean =>
    !offered || offered.some(({ region_id, reason }) => region_id === regionId && reason === null)

  /** Why no region at all can be chosen; null where one can. A store without a region has no markets to tell why. */
  const nothingFits = offered?.every(({ reason }) => reason !== null)
    ? (offered[0]?.reason ?? null)
    : null

  /** The rule of the region's field: true, or why the two do not go together. */
  const problemOf = (regionId: string): true | string => {
    const chosen = markets?.find(
      (market) => market.region_id === regionId && market.sales_channel_id === channelId,
    )
    if (!chosen?.reason) return true
    const { message, fix } = say(chosen.reason)
    return `${message} ${fix}`
  }

  // Where they cannot be read every region is offered: the store judges the form again.
  return { fits, nothingFits, problemOf, isPending }
}
