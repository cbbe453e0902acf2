import { clx, Skeleton, Text } from "@medusajs/ui"
import { ErrorNotice, ReasonLine, RedLine } from "../../../../components/error-notice"
import { PressButton } from "../../../../components/press-button"
import { ProductCounts } from "../../../../components/product-counts"
import { ProgressBar } from "../../../../components/progress-bar"
import { Section } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { type SyncAction, type useSync, useSyncAction } from "../../../../hooks/api/connections"
import { useReason } from "../../../../hooks/use-reason"
import { type Text as Translate, useText } from "../../../../hooks/use-text"
import { formatDuration, formatNumber, formatRelative } from "../../../../lib/format"
import type { Reason, Sync, SyncStatus } from "../../../../lib/types"

type CatalogSectionProps = { connectionId: string; query: ReturnType<typeof useSync> }

/** The full import: start, watch, pause, cancel; and what the service knows by now. */
export const CatalogSection = ({
  connectionId,
  query: { data, error, refetch },
}: CatalogSectionProps) => {
  const { t } = useText()
  const sync = data?.sync
  const isHeld = sync?.status === "running" && sync.reason !== null

  return (
    <Section
      heading={t("sync.heading")}
      subheading={t("sync.subheading")}
      aside={
        sync && (
          <>
            <span aria-live="polite">
              <StateBadge of="sync" state={isHeld ? "held" : sync.status} />
            </span>
            {ACTIONS[sync.status].map((action) => (
              <Action key={action} connectionId={connectionId} action={action} />
            ))}
          </>
        )
      }
    >
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />}
      {(sync || !error) && <Progress sync={sync} className="px-6 py-4" />}
      {sync?.reason &&
        (sync.status === "failed" ? (
          <ReasonLine reason={sync.reason} className="px-6 py-4" />
        ) : (
          <Hold reason={sync.reason} nextAttemptAt={sync.next_attempt_at} />
        ))}
      <ProductCounts connectionId={connectionId} watched={sync?.status === "running"} />
    </Section>
  )
}

/** What can be done in a state; the last is the one that people want. */
const ACTIONS: Record<SyncStatus, SyncAction[]> = {
  idle: ["start"],
  running: ["cancel", "pause"],
  paused: ["cancel", "resume"],
  completed: ["start"],
  cancelled: ["start"],
  failed: ["start"],
}

const Action = ({ connectionId, action }: { connectionId: string; action: SyncAction }) => (
  <PressButton
    press={useSyncAction(connectionId)}
    input={action}
    variant={action === "start" || action === "resume" ? "primary" : "secondary"}
  >
    {useText().t(`sync.${action}`)}
  </PressButton>
)

/** How far an import is. */
export const Progress = ({ sync, className }: { sync: Sync | undefined; className?: string }) => {
  const { t, locale } = useText()
  return (
    <div className={clx("flex flex-col gap-y-2", className)}>
      <ProgressBar
        label={t("sync.progress")}
        done={sync ? sync.done + sync.failed : 0}
        total={sync?.total ?? 0}
        tone={
          sync?.status === "running" && !sync.reason
            ? "moving"
            : sync?.status === "completed"
              ? "done"
              : "still"
        }
      />
      <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {sync ? (
          <>
            <Text size="small" leading="compact" className="text-ui-fg-subtle">
              {sentence(sync, t, locale)}
            </Text>
            {sync.status !== "idle" && (
              <Text size="small" leading="compact" weight="plus" className="tabular-nums">
                {t("sync.counts", {
                  done: formatNumber(sync.done, locale),
                  total: formatNumber(sync.total, locale),
                })}
                {sync.failed > 0 && (
                  <span className="text-ui-fg-error ml-2">
                    {t("sync.failed", { count: sync.failed })}
                  </span>
                )}
              </Text>
            )}
          </>
        ) : (
          <Skeleton className="h-5 w-48" />
        )}
      </div>
    </div>
  )
}

const WITHOUT_TOKEN = new Set(["svc_unauthorized", "secret_unreadable"])

/** Why nothing is sent at the moment, and when it is tried again. */
const Hold = ({ reason, nextAttemptAt }: { reason: Reason; nextAttemptAt: string | null }) => {
  const { t, locale } = useText()
  const { message, fix } = useReason()(reason)
  const seconds = nextAttemptAt ? (new Date(nextAttemptAt).getTime() - Date.now()) / 1000 : 0
  const next =
    seconds > 0
      ? t("sync.nextAttempt", { duration: formatDuration(seconds, locale) })
      : t("sync.nextAttemptSoon")
  return (
    <RedLine
      message={`${message} ${fix}`}
      fix={next}
      severity={WITHOUT_TOKEN.has(reason.code) ? "critical" : "warning"}
      className="px-6 py-4"
    />
  )
}

function sentence(sync: Sync, t: Translate, locale: string): string {
  const when = sync.finished_at ? formatRelative(sync.finished_at, locale) : ""
  switch (sync.status) {
    case "idle":
      return t("sync.idle")
    case "paused":
      return t("sync.paused")
    case "completed":
      return t("sync.completed", { when })
    case "cancelled":
      return t("sync.cancelled", { when })
    case "failed":
      return t("sync.failedRun", { when })
    case "running": {
      // Nothing is sent: a rate and a time left would be made up.
      if (sync.reason) return t("sync.held")
      const parts = [
        sync.rate ? t("sync.rate", { rate: formatNumber(sync.rate, locale) }) : "",
        sync.eta_seconds === null
          ? ""
          : t("sync.eta", { duration: formatDuration(sync.eta_seconds, locale) }),
      ].filter(Boolean)
      return parts.join(", ") || t("sync.counting")
    }
  }
}
