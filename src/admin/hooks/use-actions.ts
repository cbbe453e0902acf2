import { toast, usePrompt } from "@medusajs/ui"
import { useCallback } from "react"
import type { Query } from "../lib/client"
import type { AttributedOrder, DeliveryDetail, Reason, SyncedProductDetail } from "../lib/types"
import { post, usePress } from "./api/request"
import { useReason } from "./use-reason"
import { type TextKey, useText } from "./use-text"

/** The places of a question's texts: those that have a title and a description. */
type Question = {
  [Key in TextKey]: Key extends `${infer Place}.title`
    ? `${Place}.description` extends TextKey
      ? Place
      : never
    : never
}[TextKey]

type Asked = { values?: Record<string, string | number> } & Omit<
  Parameters<ReturnType<typeof usePrompt>>[0],
  "title" | "description"
>

/** Asks whether somebody means it; resolves to the answer. */
export function useAsk() {
  const { t } = useText()
  const prompt = usePrompt()
  return useCallback(
    (question: Question, confirm: TextKey, { values, ...asked }: Partial<Asked> = {}) =>
      prompt({
        title: t(`${question}.title` as TextKey, values),
        description: t(`${question}.description` as TextKey, values),
        confirmText: t(confirm),
        cancelText: t("actions.cancel"),
        ...asked,
      }),
    [t, prompt],
  )
}

/** The routes answer after the attempt, so the toast says what came of it, not that it was tried. */
function useOutcome() {
  const { t } = useText()
  const say = useReason()
  return (reason: Reason | null, waits: boolean, waiting: TextKey, good: TextKey) => {
    if (reason) {
      const { message, fix } = say(reason)
      toast.error(message, { description: fix })
    } else if (waits) toast.info(t(waiting))
    else toast.success(t(good))
  }
}

/** "Send now": a product, whatever its state. */
export function useSendNow() {
  const tell = useOutcome()
  return usePress<{ product: SyncedProductDetail }, string>((id) => post(`/products/${id}/push`), {
    done: ({ product: { state, reason } }) =>
      tell(reason, state === "pending", "products.sentSoon", "products.sent"),
  })
}

/** "Report again": an order, as often as people want; the service counts it once. */
export function useReportAgain() {
  const { t } = useText()
  const tell = useOutcome()
  return usePress<{ order: AttributedOrder; accepted: boolean }, string>(
    (id) => post(`/orders/${id}/report`),
    {
      done: ({ order: { state, reason }, accepted }) => {
        // What was reported stays so, whatever came of telling it again.
        const isRefused = state === "reported" && !accepted && reason === null
        if (isRefused) toast.error(t("orders.notAgain"))
        else tell(reason, state === "waiting", "orders.againSoon", "orders.again")
      },
    },
  )
}

/** Outcomes of a replay after which nothing of the delivery was applied. */
const NOT_APPLIED: readonly string[] = ["failed", "quarantined", "unknown"]

/** "Replay": a delivery, applied again from what was received. */
export function useReplay() {
  const tell = useOutcome()
  return usePress<{ delivery: DeliveryDetail }, string>((id) => post(`/deliveries/${id}/replay`), {
    done: ({ delivery: { outcome, reason } }) =>
      tell(
        NOT_APPLIED.includes(outcome) ? reason : null,
        outcome === "received",
        "deliveries.replaysSoon",
        "deliveries.replayed",
      ),
  })
}

/** Sends many products at once: those of the filters. */
export function useSendMany() {
  const { t } = useText()
  return usePress<{ count: number }, Query[]>(
    async (requests) => {
      const answers = await Promise.all(
        requests.map((filters) => post<{ count: number }>("/products/push", { filters })),
      )
      return { count: answers.reduce((sum, { count }) => sum + count, 0) }
    },
    { done: ({ count }) => toast.success(t("products.sendMany.done", { count })) },
  )
}
