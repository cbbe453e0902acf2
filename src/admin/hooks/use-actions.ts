import { toast, usePrompt } from "@medusajs/ui"
import { useCallback } from "react"
import type { Query } from "../lib/client"
import type {
  AttributedOrder,
  Connection,
  DeliveryDetail,
  DeliveryOutcome,
  Left,
  Reason,
  SyncedProductDetail,
} from "../lib/types"
import { pathOf } from "./api/connections"
import { post, remove, useForget, usePress } from "./api/request"
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
  const { t } = useText()
  const say = useReason()
  const tell = useOutcome()
  return usePress<{ product: SyncedProductDetail; sent: boolean }, string>(
    (id) => post(`/products/${id}/push`),
    {
      done: ({ product: { state, reason }, sent }) => {
        // What is at the service may have a note, which is no failure.
        if (state === "synced") {
          const done = t(sent ? "products.sent" : "products.inFeed")
          toast.success(done, { description: reason ? say(reason).message : undefined })
        } else tell(reason, state === "pending", "products.sentSoon", "products.sent")
      },
    },
  )
}

/** "Report again": an order, as often as people want; the service counts it once. */
export function useReportAgain() {
  const { t } = useText()
  const say = useReason()
  const tell = useOutcome()
  return usePress<{ order: AttributedOrder; repeat_problem: Reason | null }, string>(
    (id) => post(`/orders/${id}/report`),
    {
      done: ({ order: { state, reason }, repeat_problem: problem }) => {
        // What was reported stays so, whatever came of telling it again.
        if (problem) toast.error(t("orders.notAgain"), { description: say(problem).message })
        else tell(reason, state === "waiting", "orders.againSoon", "orders.again")
      },
    },
  )
}

/** Outcomes of a replay after which nothing of the delivery was applied, though there is nothing wrong with it. */
const UNCHANGED: readonly DeliveryOutcome[] = ["stale", "duplicate"]
/** Outcomes after which nothing was applied because of what their reason says. */
const NOT_APPLIED: readonly DeliveryOutcome[] = ["failed", "quarantined", "unknown"]

/** There is nothing in a test to apply. */
export const canBeReplayed = ({ outcome }: { outcome: DeliveryOutcome }): boolean =>
  outcome !== "test"

/** "Replay": a delivery, applied again from what was received. */
export function useReplay() {
  const { t } = useText()
  const tell = useOutcome()
  return usePress<{ delivery: DeliveryDetail }, string>((id) => post(`/deliveries/${id}/replay`), {
    done: ({ delivery: { outcome, reason } }) => {
      if (UNCHANGED.includes(outcome)) {
        toast.info(t("deliveries.unchanged"), { description: t(`deliveries.outcome.${outcome}`) })
      } else {
        tell(
          NOT_APPLIED.includes(outcome) ? reason : null,
          outcome === "received",
          "deliveries.replaysSoon",
          "deliveries.replayed",
        )
      }
    },
  })
}

/** What is done at once with all that match, by the route: where its texts are. */
export const FOR_ALL = {
  "/products/push": "products.sendMany",
  "/deliveries/replay": "deliveries.allAgain",
  "/orders/report": "orders.allAgain",
} as const

/** Does something with all rows that the filters of its input match. */
export function useForAll(path: keyof typeof FOR_ALL) {
  const { t } = useText()
  return usePress<{ count: number }, Query>((filters) => post(path, { filters }), {
    done: ({ count }) =>
      toast[count > 0 ? "success" : "info"](t(`${FOR_ALL[path]}.done`, { count })),
  })
}

/** As long as people need to copy an address. */
const LEFT_MS = 60_000

/** Says that a webhook may still be at the service: nobody removes it but the person who reads this. */
export function useTellLeft() {
  const { t } = useText()
  const say = useReason()
  return ({ webhook_left: left }: Left) => {
    if (!left) return
    toast.warning(t("webhook.left.title"), {
      description: t("webhook.left.description", {
        why: say(left).message,
        url: left.url ?? left.webhook_uid ?? "",
      }),
      duration: LEFT_MS,
    })
  }
}

/** Deletes a connection once its name was typed. */
export function useRemoveConnection(left?: () => void) {
  const { t } = useText()
  const ask = useAsk()
  const forget = useForget()
  const tellLeft = useTellLeft()
  const { mutate } = usePress<{ id: string } & Left, string>((id) => remove(pathOf(id)), {
    done: ({ id, ...answer }) => {
      toast.success(t("connections.toast.deleted"))
      tellLeft(answer)
      left?.()
      // After the page of it is left: else its questions would be asked once more.
      forget(pathOf(id))
    },
  })
  return async ({ id, name }: Pick<Connection, "id" | "name">) => {
    const isMeant = await ask("connections.remove", "actions.delete", {
      values: { name },
      verificationInstruction: t("connections.remove.instruction"),
      verificationText: name,
    })
    if (isMeant) mutate(id)
  }
}
