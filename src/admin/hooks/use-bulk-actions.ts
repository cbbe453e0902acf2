import { toast, usePrompt } from "@medusajs/ui"
import { useCallback } from "react"
import type { Query } from "../lib/client"
import type { SyncedProduct } from "../lib/types"
import { useReplayDeliveries } from "./api/deliveries"
import { useReportOrders } from "./api/orders"
import { usePushProducts } from "./api/products"
import { useFailureToast } from "./use-failure-toast"
import { useText } from "./use-text"

/** What narrows a table; without any of it, or with a search that the route does not know, nothing is done to "all". */
function narrowing({ q, limit, offset, order, ...filters }: Query): Query | undefined {
  const named = Object.values(filters).some((value) => value !== undefined)
  return named && !q ? filters : undefined
}

const ALL_AGAIN = {
  deliveries: { use: useReplayDeliveries, confirm: "deliveries.replay" },
  orders: { use: useReportOrders, confirm: "orders.reportAgain" },
} as const

/** The button that does something again for all that the table's filters match; none where nothing is filtered. */
function useAllAgain(of: keyof typeof ALL_AGAIN, query: Query, count: number | undefined) {
  const { t } = useText()
  const prompt = usePrompt()
  const fail = useFailureToast()
  const { use, confirm } = ALL_AGAIN[of]
  const { mutate, isPending } = use()
  const filters = narrowing(query)
  if (!filters || !count) return []
  const ask = async () => {
    const confirmed = await prompt({
      title: t(`${of}.allAgain.title`, { count }),
      description: t(`${of}.allAgain.description`),
      confirmText: t(confirm),
      cancelText: t("actions.cancel"),
    })
    if (!confirmed) return
    mutate(filters, {
      onSuccess: (done) => toast.success(t(`${of}.allAgain.done`, { count: done.count })),
      onError: fail,
    })
  }
  return [{ label: t(`${of}.allAgain.action`), disabled: isPending, onClick: () => void ask() }]
}

export const useReplayMatching = (query: Query, count: number | undefined) =>
  useAllAgain("deliveries", query, count)
export const useReportMatching = (query: Query, count: number | undefined) =>
  useAllAgain("orders", query, count)

/** Sends many products: those of the selected rows, or all that the table's filters match. */
export function useSendMany() {
  const { t } = useText()
  const fail = useFailureToast()
  const { mutateAsync, isPending } = usePushProducts()
  const send = useCallback(
    async (requests: Query[]) => {
      try {
        const answers = await Promise.all(requests.map((filters) => mutateAsync(filters)))
        toast.success(
          t("products.sendMany.done", {
            count: answers.reduce((sum, { count }) => sum + count, 0),
          }),
        )
      } catch (error) {
        fail(error as Error)
      }
    },
    [mutateAsync, fail, t],
  )
  const sendRows = useCallback(
    (rows: SyncedProduct[]) => {
      const ofConnection = new Map<string, string[]>()
      for (const { connection_id, product_id } of rows) {
        ofConnection.set(connection_id, [...(ofConnection.get(connection_id) ?? []), product_id])
      }
      return send(
        [...ofConnection].map(([connection_id, product_id]) => ({ connection_id, product_id })),
      )
    },
    [send],
  )
  const sendProducts = useCallback(
    (connection_id: string, product_id: string[]) => send([{ connection_id, product_id }]),
    [send],
  )
  /** The table's button; none where nothing is filtered: "everything" is an import. */
  const matching = (query: Query, count: number | undefined) => {
    const filters = narrowing(query)
    return filters && count
      ? [
          {
            label: t("products.sendMany.action", { count }),
            disabled: isPending,
            onClick: () => void send([filters]),
          },
        ]
      : []
  }
  return { sendRows, sendProducts, matching, isPending }
}
