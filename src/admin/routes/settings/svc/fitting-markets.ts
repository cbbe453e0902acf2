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

  const fits = (regionId: string): boolean =>
    !markets ||
    markets.some(
      (market) =>
        market.region_id === regionId &&
        market.reason === null &&
        (!channelId || market.sales_channel_id === channelId),
    )

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
  return { fits, problemOf, isPending }
}
