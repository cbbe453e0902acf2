import { Heading, Text } from "@medusajs/ui"
import { useId } from "react"
import { useReason } from "../hooks/use-reason"
import { useText } from "../hooks/use-text"
import type { AttributedOrderDetail } from "../lib/types"
import { StateBadge } from "./state-badge"
import { When } from "./when"

/** Badge, status and the service's own words say it all. */
const REFUSED = "svc_rejected"

type ReportAttemptsProps = { attempts: AttributedOrderDetail["report_attempts"] }

/** Each call that told the service of an order, the latest first: when, how it ended, and what the service answered. */
export const ReportAttempts = ({ attempts }: ReportAttemptsProps) => {
  const { t } = useText()
  const say = useReason()
  const headingId = useId()
  if (attempts.length === 0) return null
  return (
    <section className="divide-y border-t" aria-labelledby={headingId}>
      <Heading level="h3" id={headingId} className="px-6 py-4">
        {t("orders.attempts.heading")}
      </Heading>
      {attempts.map((attempt) => (
        <div key={attempt.started_at} className="flex flex-col gap-y-1 px-6 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <Text size="small">
              <When at={attempt.started_at} exact />
            </Text>
            <span className="flex items-center gap-x-2">
              {attempt.status !== null && (
                <Text size="small" className="text-ui-fg-subtle">
                  {t("orders.attempts.status", { status: attempt.status })}
                </Text>
              )}
              <StateBadge of="attempt" state={attempt.outcome} />
            </span>
          </div>
          {attempt.code && attempt.code !== REFUSED && (
            <Text size="small" className="text-ui-fg-subtle break-words">
              {sentenceOf(say, attempt.code, attempt.message ?? "")}
            </Text>
          )}
          {attempt.excerpt && (
            <code className="text-ui-fg-subtle txt-compact-small whitespace-pre-wrap break-all">
              {attempt.excerpt}
            </code>
          )}
        </div>
      ))}
    </section>
  )
}

/** Why a call failed: the sentence of its code, which in English is what the server wrote down then. */
const sentenceOf = (say: ReturnType<typeof useReason>, code: string, problem: string): string =>
  say({ code, message: problem, params: { problem } }).message
