import { useQueries } from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"
import { liveEventKeys, productKeys } from "../../lib/query-keys"
import {
  type Page,
  PRODUCT_STATES,
  type ProductState,
  type ReasonCount,
  type ShowOfProduct,
  type SyncedProduct,
  type SyncedProductDetail,
} from "../../lib/types"
import { post, useAnswer, useList, usePress } from "./request"

type ProductsAnswer = { products: SyncedProduct[] } & Page

/** Something waits: look again until it has gone out. */
const whilePending = (products: Pick<SyncedProduct, "state">[] = []) =>
  products.some(({ state }) => state === "pending") && 2_000

export const useSyncedProducts = (query: Query, enabled = true) =>
  useList<ProductsAnswer>(productKeys.list(query), "/products", query, {
    enabled,
    again: (answer) => whilePending(answer?.products),
  })

export const useSyncedProduct = (id: string) =>
  useAnswer<{ product: SyncedProductDetail }>(productKeys.detail(id), `/products/${id}`, {
    again: (answer) => whilePending(answer && [answer.product]),
  })

/** How many products of a connection are in each state; undefined while unknown. */
export function useProductCounts(connectionId: string) {
  return useQueries({
    queries: PRODUCT_STATES.map((state) => {
      const query = { connection_id: connectionId, state, limit: 1 }
      return {
        queryKey: productKeys.list(query),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          svcFetch<ProductsAnswer>("/products", { query, signal }),
      }
    }),
    combine: (results) => ({
      counts: Object.fromEntries(
        PRODUCT_STATES.map((state, index) => [state, results[index]?.data?.count]),
      ) as Record<ProductState, number | undefined>,
      error: results.find((result) => result.error)?.error as ApiError | undefined,
      refetch: () => Promise.all(results.map((result) => result.refetch())),
    }),
  })
}

/** The shows that run or come and have a product. */
export const useShowsOfProduct = (productId: string) =>
  useAnswer<{ shows: ShowOfProduct[] }>(
    [...liveEventKeys.all, "of-product", productId],
    "/products/shows",
    { query: { product_id: productId } },
  )

/** Which reasons the products have, and how many have each, narrowed as the list is. */
export function useReasonCounts({ connection_id, state }: Query) {
  const query = { connection_id, state }
  // Beside the lists, so that whatever renews them renews the counts.
  const key = [...productKeys.lists(), "reasons", query]
  return useList<{ reasons: ReasonCount[] }>(key, "/products/reasons", query)
}

/** Sends all products that match, whether the service has them or not. */
export const usePushProducts = () =>
  usePress<{ count: number }, Query>(
    (filters) => post("/products/push", { filters }),
    [productKeys.all],
  )

export const usePushProduct = () =>
  usePress<{ product: SyncedProductDetail }, string>(
    (id) => post(`/products/${id}/push`),
    [productKeys.all, liveEventKeys.all],
  )
