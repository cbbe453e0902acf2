import { Tooltip } from "@medusajs/ui"
import { useReason } from "../hooks/use-reason"
import type { Reason } from "../lib/types"

/** The reason on one line of a table; what to do about it on hover, and in full on the row's own page. */
export const ReasonCell = ({ reason }: { reason: Reason | null }) => {
  const say = useReason()
  if (!reason) return <span className="text-ui-fg-subtle">-</span>
  const { message, fix } = say(reason)
  return (
    <Tooltip content={`${message} ${fix}`.trim()} maxWidth={320}>
      <span className="block max-w-64 truncate">{message}</span>
    </Tooltip>
  )
}
