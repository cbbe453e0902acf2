import { ExclamationCircleSolid } from "@medusajs/icons"
import { Alert, Button, clx, Text } from "@medusajs/ui"
import { type ReactNode, useCallback } from "react"
import { useReason } from "../hooks/use-reason"
import { useText } from "../hooks/use-text"
import { ApiError } from "../lib/client"
import { type Described, describeError } from "../lib/describe-error"
import { MAKE_KEY_COMMAND } from "../lib/make-key-command"
import type { Reason } from "../lib/types"
import { CodeSample } from "./code-sample"

/** What happened and what to do: in the admin's language where it has the code, else in the words of the answer. */
export function useDescribeError(): (error: Error) => Described {
  const { t } = useText()
  const say = useReason()
  return useCallback((error) => describeError(error, t, say), [t, say])
}

type RedLineProps = {
  message: string
  fix?: string
  /** Orange instead of red where nothing is lost yet. */
  severity?: "warning" | "critical"
  /** Read aloud at once: only for what appears while somebody works, not for what a page begins with. */
  urgent?: boolean
  className?: string
  children?: ReactNode
}

const TEXT = { critical: "text-ui-fg-error", warning: "text-ui-tag-orange-text" }
const ICON = { critical: "text-ui-fg-error", warning: "text-ui-tag-orange-icon" }

/** One red line: what is wrong, then what to do. */
export const RedLine = ({
  message,
  fix,
  severity = "critical",
  urgent = false,
  className,
  children,
}: RedLineProps) => (
  <div
    role={urgent ? "alert" : "note"}
    className={clx("flex flex-wrap items-center justify-end gap-x-4 gap-y-2", className)}
  >
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-x-2">
      <ExclamationCircleSolid className={clx("mt-0.5 shrink-0", ICON[severity])} />
      <Text size="small" className={clx("min-w-0 text-pretty break-words", TEXT[severity])}>
        {message}
        {fix && ` ${fix}`}
      </Text>
    </div>
    {children}
  </div>
)

type ReasonLineProps = Pick<RedLineProps, "severity" | "className"> & {
  reason: Reason | null | undefined
}

export const ReasonLine = ({ reason, ...line }: ReasonLineProps) => {
  const say = useReason()
  if (!reason) return null
  return <RedLine {...say(reason)} {...line} />
}

type ErrorNoticeProps = { error: Error; onRetry?: () => unknown; className?: string }

/** Shown in the place of an answer whose request failed, with a button that tries again. */
export const ErrorNotice = ({ error, onRetry, className }: ErrorNoticeProps) => {
  const { t } = useText()
  const describe = useDescribeError()
  if (error instanceof ApiError && error.code === "encryption_key_missing") {
    return <MissingEncryptionKey className={className} />
  }
  const { message, fix } = describe(error)
  return (
    <RedLine message={message} fix={fix} urgent className={className}>
      {onRetry && (
        <Button size="small" variant="secondary" type="button" onClick={() => onRetry()}>
          {t("actions.retry")}
        </Button>
      )}
    </RedLine>
  )
}

/** The one error that a merchant can only correct on the server: shows the command to copy. */
const MissingEncryptionKey = ({ className }: { className?: string }) => {
  const { t } = useText()
  return (
    <Alert variant="error" className={className} role="alert">
      <div className="flex flex-col gap-y-2">
        <Text size="small" weight="plus" leading="compact">
          {t("errors.encryptionKey.title")}
        </Text>
        <Text size="small" className="text-ui-fg-subtle">
          {t("errors.encryptionKey.make")}
        </Text>
        <CodeSample snippets={[{ label: "", language: "bash", code: MAKE_KEY_COMMAND }]} />
        <Text size="small" className="text-ui-fg-subtle">
          {t("errors.encryptionKey.set")}
        </Text>
      </div>
    </Alert>
  )
}
