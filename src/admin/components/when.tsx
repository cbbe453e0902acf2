import { Tooltip } from "@medusajs/ui"
import { useText } from "../hooks/use-text"
import { formatDateTime, formatRelative } from "../lib/format"

type WhenProps = {
  at: string | null | undefined
  exact?: boolean
  /** Where nothing is known it has not happened yet: it is a moment of the past. */
  never?: boolean
}

/** A relative time, with the exact one on hover; or the other way round. */
export const When = ({ at, exact = false, never = false }: WhenProps) => {
  const { t, locale } = useText()
  if (!at) return <span>{never ? t("time.never") : "-"}</span>
  const precise = formatDateTime(at, locale)
  const relative = formatRelative(at, locale)
  return (
    <Tooltip content={exact ? relative : precise}>
      <time dateTime={at}>{exact ? precise : relative}</time>
    </Tooltip>
  )
}
