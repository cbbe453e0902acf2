import { useQueries } from "@tanstack/react-query"
import type { ApiError, Query } from "../../lib/client"
import type {
  AttributedOrder,
  AttributedOrderDetail,
  CurrentShow,
  Delivery,
  Health,
  LiveEventDetail,
  Page,
  PastShow,
  ProductState,
  Result,
  SyncedProduct,
} from "../../lib/types"
import { questionOf, useAnswer } from "./request"

const MOMENT_MS = 2_000

/** Products wait to be sent: look again until they have gone out. */
export const whilePending = (products: { state: string }[]) =>
  products.some(({ state }) => state === "pending") && MOMENT_MS

const COUNTED_MS = 3_000
const COUNTED: readonly ProductState[] = ["pending", "synced", "invalid", "failed", "removed"]

/**
 * How many products of a connection are in each state; undefined while unknown. Several queries: while something waits they
 * are asked less often than a list.
 *
 * @param watched an import runs
 */
export function useProductCounts(connectionId: string, watched: boolean) {
  return useQueries({
    queries: COUNTED.map((state) =>
      questionOf<{ products: SyncedProduct[] } & Page>("/products", {
        query: { connection_id: connectionId, state, limit: 1 },
        again: (answer) =>
          (watched || (state === "pending" && Boolean(answer?.count))) && COUNTED_MS,
      }),
    ),
    combine: (results) => ({
      counts: COUNTED.map((state, index) => ({ state, count: results[index]?.data?.count })),
      error: results.find((result) => result.error)?.error as ApiError | undefined,
      refetch: () => Promise.all(results.map((result) => result.refetch())),
    }),
  })
}

/** One of them is being applied: look again until it has been. */
export const whileApplying = (deliveries: Pick<Delivery, "outcome">[]) =>
  deliveries.some(({ outcome }) => outcome === "received") && MOMENT_MS

/** What goes on by itself in its own time: the takings of a show that runs, a report that waits for its payment. */
const LIVE_MS = 5_000

export const whileReporting = (orders: Pick<AttributedOrder, "state">[]) =>
  orders.some(({ state }) => state === "waiting") && LIVE_MS

/** @param watched a show that runs: its orders become more */
export const useOrders = (query: Query, watched = false) =>
  useAnswer<{ orders: AttributedOrder[] } & Page>("/orders", {
    query,
    keep: true,
    again: (answer) => whileReporting(answer?.orders ?? []) || (watched && LIVE_MS),
  })

export const useOrder = (id: string) =>
  useAnswer<{ order: AttributedOrderDetail }>(`/orders/${id}`, {
    again: (answer) => whileReporting(answer ? [answer.order] : []),
  })

/** @param watched a show that runs: its results grow */
export const useResults = (query: Query, watched = false) =>
  useAnswer<{ results: Result[] } & Page>("/results", {
    query,
    keep: true,
    again: () => watched && LIVE_MS,
  })

export const useLiveEvent = (id: string) =>
  useAnswer<{ live_event: LiveEventDetail }>(`/live-events/${encodeURIComponent(id)}`, {
    again: (answer) => {
      const items = answer?.live_event.products.flatMap(({ catalog_item }) => catalog_item ?? [])
      return whilePending(items ?? [])
    },
  })

export const useOverview = () =>
  useAnswer<{ current_shows: CurrentShow[]; past_shows: PastShow[] }>("/overview", {
    again: (answer) => answer?.current_shows.some(({ status }) => status === "live") && LIVE_MS,
  })

export const useHealth = () =>
  // A critical state is answered with 503, for monitors.
  useAnswer<{ health: Health }>("/health", { alsoAnswers: { status: 503, field: "health" } })
