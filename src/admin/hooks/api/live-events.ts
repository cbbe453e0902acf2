import type { Query } from "../../lib/client"
import { liveEventKeys } from "../../lib/query-keys"
import type { LiveEvent, LiveEventDetail, Page } from "../../lib/types"
import { useAnswer, useList } from "./request"

/** A show that runs or comes changes by itself; one that is over does not. */
const whileMoving = (events: Pick<LiveEvent, "status">[] = []) =>
  events.some(({ status }) => status === "live" || status === "planned") && 10_000

export const useLiveEvents = (query: Query, enabled = true) =>
  useList<{ live_events: LiveEvent[] } & Page>(liveEventKeys.list(query), "/live-events", query, {
    enabled,
    again: (answer) => whileMoving(answer?.live_events),
  })

export const useLiveEvent = (id: string) =>
  useAnswer<{ live_event: LiveEventDetail }>(liveEventKeys.detail(id), `/live-events/${id}`, {
    // A product waits to be sent: look again until it has gone out.
    again: (answer) =>
      answer?.live_event.products.some((product) => product.catalog_item?.state === "pending")
        ? 2_000
        : whileMoving(answer && [answer.live_event]),
  })
