import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
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

type ProductsAnswer = { products: SyncedProduct[] } & Page

const listProducts = (query: Query, signal: AbortSignal) =>
  svcFetch<ProductsAnswer>("/products", { query, signal })

const WAITING_MS = 2_000

export function useSyncedProducts(query: Query, enabled = true) {
  return useQuery<ProductsAnswer, ApiError>({
    enabled,
    queryKey: productKeys.list(query),
    queryFn: ({ signal }) => listProducts(query, signal),
    placeholderData: keepPreviousData,
    // Something waits: look again until it has gone out.
    refetchInterval: ({ state }) =>
      state.data?.products.some((product) => product.state === "pending") ? WAITING_MS : false,
  })
}

export function useSyncedProduct(id: string) {
  return useQuery<{ product: SyncedProductDetail }, ApiError>({
    queryKey: productKeys.detail(id),
    queryFn: ({ signal }) => svcFetch(`/products/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.product.state === "pending" ? WAITING_MS : false),
  })
}

/** How many products of a connection are in each state; undefined while unknown. */
export function useProductCounts(connectionId: string) {
  return useQueries({
    queries: PRODUCT_STATES.map((state) => {
      const query = { connection_id: connectionId, state, limit: 1 }
      return {
        queryKey: productKeys.list(query),
        queryFn: ({ signal }: { signal: AbortSignal }) => listProducts(query, signal),
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
export function useShowsOfProduct(productId: string) {
  return useQuery<{ shows: ShowOfProduct[] }, ApiError>({
    queryKey: [...liveEventKeys.all, "of-product", productId],
    queryFn: ({ signal }) =>
      svcFetch("/products/shows", { query: { product_id: productId }, signal }),
  })
}

/** Which reasons the products have, and how many have each, narrowed as the list is. */
export function useReasonCounts({ connection_id, state }: Query) {
  const query = { connection_id, state }
  return useQuery<{ reasons: ReasonCount[] }, ApiError>({
    // Beside the lists, so that whatever renews them renews the counts.
    queryKey: [...productKeys.lists(), "reasons", query],
    queryFn: ({ signal }) => svcFetch("/products/reasons", { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Sends all products that match, whether the service has them or not. */
export function usePushProducts() {
  const client = useQueryClient()
  return useMutation<{ count: number }, ApiError, Query>({
    mutationFn: (filters) => svcFetch("/products/push", { method: "POST", body: { filters } }),
    onSettled: () => client.invalidateQueries({ queryKey: productKeys.all }),
  })
}

export function usePushProduct() {
  const client = useQueryClient()
  return useMutation<{ product: SyncedProductDetail }, ApiError, string>({
    mutationFn: (id) => svcFetch(`/products/${id}/push`, { method: "POST", body: {} }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: productKeys.all }),
        client.invalidateQueries({ queryKey: liveEventKeys.all }),
      ]),
  })
}
