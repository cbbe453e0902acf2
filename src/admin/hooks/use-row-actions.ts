import { toast } from "@medusajs/ui"
import { useCallback } from "react"
import type { Reason } from "../lib/types"
import { useReplayDelivery } from "./api/deliveries"
import { useReportOrder } from "./api/orders"
import { usePushProduct } from "./api/products"
import { useFailureToast } from "./use-failure-toast"
import { useReason } from "./use-reason"
import { useText } from "./use-text"

/** The routes answer after the attempt, so the toast says what came of it, not that it was tried. */
function useOutcomeToast() {
  const say = useReason()
  return useCallback(
    (good: string, waits: boolean, waiting: string, reason: Reason | null) => {
      if (reason) {
        const { message, fix } = say(reason)
        toast.error(message, { description: fix })
      } else if (waits) toast.info(waiting)
      else toast.success(good)
    },
    [say],
  )
}

/** "Send now": a product, whatever its state. */
export function useSendNow() {
  const { t } = useText()
  const tell = useOutcomeToast()
  const fail = useFailureToast()
  const { mutate, isPending } = usePushProduct()
  const send = useCallback(
    (id: string) =>
      mutate(id, {
        onSuccess: ({ product: { state, reason } }) =>
          tell(t("products.sent"), state === "pending", t("products.sentSoon"), reason),
        onError: fail,
      }),
    [mutate, tell, fail, t],
  )
  return { send, isPending }
}

/** "Report again": an order, as often as people want; the service counts it once. */
export function useReportAgain() {
  const { t } = useText()
  const tell = useOutcomeToast()
  const fail = useFailureToast()
  const { mutate, isPending } = useReportOrder()
  const report = useCallback(
    (id: string) =>
      mutate(id, {
        onSuccess: ({ order: { state, reason }, accepted }) => {
          // What was reported stays so, whatever came of telling it again.
          const isRefused = state === "reported" && !accepted && reason === null
          if (isRefused) toast.error(t("orders.notAgain"))
          else tell(t("orders.again"), state === "waiting", t("orders.againSoon"), reason)
        },
        onError: fail,
      }),
    [mutate, tell, fail, t],
  )
  return { report, isPending }
}

/** "Replay": a delivery, applied again from what was received. */
export function useReplay() {
  const { t } = useText()
  const say = useReason()
  const fail = useFailureToast()
  const { mutate, isPending } = useReplayDelivery()
  const replay = useCallback(
    (id: string) =>
      mutate(id, {
        onSuccess: ({ delivery: { outcome, reason } }) => {
          if (outcome === "failed" && reason) toast.error(say(reason).message)
          else toast.success(t("deliveries.replayed"))
        },
        onError: fail,
      }),
    [mutate, say, fail, t],
  )
  return { replay, isPending }
}
