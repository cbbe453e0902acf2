import { SectionRow } from "@medusajs/dashboard/components"
import { ArrowPath, Key, PencilSquare, Trash } from "@medusajs/icons"
import { Badge, Button, Tooltip, toast, usePrompt } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { ErrorNotice, RedLine } from "../../../../components/error-notice"
import { Menu } from "../../../../components/menu"
import { ProblemLine } from "../../../../components/problem-line"
import { LongText, QuietLine, RowsSkeleton, Section } from "../../../../components/section"
import { WebhookState } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import {
  useRegisterWebhook,
  useRemoveWebhook,
  useRotateKey,
  useWebhook,
} from "../../../../hooks/api/webhook"
import { useFailureToast } from "../../../../hooks/use-failure-toast"
import { useText } from "../../../../hooks/use-text"
import { isRefusedForSkew } from "../../../../lib/clock-skew"
import { formatNumber, formatRelative } from "../../../../lib/format"
import type { Webhook } from "../../../../lib/types"

type WebhookSectionProps = { connectionId: string }

/** The subscriber at the service: whether it exists, whether deliveries arrive, and whether they verify. */
export const WebhookSection = ({ connectionId }: WebhookSectionProps) => {
  const { t } = useText()
  const navigate = useNavigate()
  const { data, error, refetch } = useWebhook(connectionId)
  const register = useRegisterWebhook(connectionId)
  const webhook = data?.webhook
  const registered = Boolean(webhook?.webhook_uid)

  return (
    <Section
      heading={t("webhook.heading")}
      subheading={t("webhook.subheading")}
      aside={
        data && (
          <>
            {webhook && <WebhookState state={webhook.state} />}
            {!registered && (
              <>
                <Button size="small" variant="secondary" onClick={() => navigate("webhook-key")}>
                  {t("webhook.pasteKey")}
                </Button>
                <Button
                  size="small"
                  isLoading={register.isPending}
                  onClick={() =>
                    register.mutate(undefined, {
                      onSuccess: () => toast.success(t("webhook.registered")),
                    })
                  }
                >
                  {t("webhook.register")}
                </Button>
              </>
            )}
            {registered && <RegisteredMenu connectionId={connectionId} />}
          </>
        )
      }
    >
      {register.error && <ErrorNotice error={register.error} className="px-6 py-4" />}
      {error && !data ? (
        <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
      ) : !data ? (
        <RowsSkeleton rows={5} />
      ) : webhook ? (
        <Facts webhook={webhook} connectionId={connectionId} />
      ) : (
        <QuietLine>{t("webhook.none")}</QuietLine>
      )}
    </Section>
  )
}

const RegisteredMenu = ({ connectionId }: WebhookSectionProps) => {
  const { t } = useText()
  const prompt = usePrompt()
  const fail = useFailureToast()
  const rotate = useRotateKey(connectionId)
  const remove = useRemoveWebhook(connectionId)

  const askToRotate = async () => {
    const confirmed = await prompt({
      variant: "confirmation",
      title: t("webhook.rotatePrompt.title"),
      description: t("webhook.rotatePrompt.description"),
      confirmText: t("webhook.rotatePrompt.confirm"),
      cancelText: t("actions.cancel"),
    })
    if (!confirmed) return
    rotate.mutate(undefined, {
      onSuccess: () => toast.success(t("webhook.rotated")),
      onError: fail,
    })
  }

  const askToRemove = async () => {
    const confirmed = await prompt({
      title: t("webhook.removePrompt.title"),
      description: t("webhook.removePrompt.description"),
      confirmText: t("webhook.remove"),
      cancelText: t("actions.cancel"),
    })
    if (!confirmed) return
    // By the promise: this menu is gone before the callbacks of `mutate` would be called.
    await remove.mutateAsync(undefined).then(() => toast.success(t("webhook.removed")), fail)
  }

  return (
    <Menu
      groups={[
        {
          actions: [
            {
              icon: <ArrowPath />,
              label: t("webhook.rotate"),
              disabled: rotate.isPending,
              onClick: askToRotate,
            },
            { icon: <PencilSquare />, label: t("actions.edit"), to: "webhook" },
            { icon: <Key />, label: t("webhook.pasteKey"), to: "webhook-key" },
          ],
        },
        {
          actions: [
            {
              icon: <Trash />,
              label: t("webhook.remove"),
              disabled: remove.isPending,
              onClick: askToRemove,
            },
          ],
        },
      ]}
    />
  )
}

const Facts = ({ webhook, connectionId }: WebhookSectionProps & { webhook: Webhook }) => {
  const { t, locale } = useText()
  const key = webhook.signature_key
  const skew = webhook.clock_skew_ms

  return (
    <>
      {webhook.last_error && (
        <ProblemLine
          problem={{
            ...webhook.last_error,
            severity: webhook.state === "warning" ? "warning" : "critical",
            connection_id: connectionId,
          }}
        />
      )}
      <SectionRow
        title={t("webhook.fields.url")}
        value={webhook.url && <LongText copy text={webhook.url} />}
      />
      <SectionRow
        title={t("webhook.fields.topics")}
        value={
          <Tooltip content={webhook.topics.join(", ") || "-"}>
            <span className="cursor-default">
              {t("webhook.topics", { count: webhook.topics.length })}
            </span>
          </Tooltip>
        }
      />
      {webhook.custom_headers.length > 0 && (
        <SectionRow
          title={t("webhook.fields.headers")}
          value={webhook.custom_headers.map((name) => (
            <Badge key={name} size="2xsmall">
              {name}
            </Badge>
          ))}
        />
      )}
      <SectionRow
        title={t("webhook.fields.key")}
        value={
          <>
            {key.configured
              ? t("webhook.keyState", {
                  fingerprint: key.fingerprint ?? "",
                  when: key.updated_at ? formatRelative(key.updated_at, locale) : "-",
                })
              : "-"}
            {webhook.rotating && (
              <Badge size="2xsmall" color="orange">
                {t("webhook.rotating")}
              </Badge>
            )}
          </>
        }
      />
      <SectionRow
        title={t("webhook.fields.lastDelivery")}
        value={
          <span>
            <When at={webhook.last_delivery_at} />
          </span>
        }
      />
      <SectionRow
        title={t("webhook.fields.clockSkew")}
        value={
          skew === null ? (
            "-"
          ) : isRefusedForSkew(skew, webhook.clock_skew_limit_ms) ? (
            <RedLine
              message={`${t("time.skewSeconds", { value: formatNumber(skew / 1000, locale) })}.`}
              fix={t("webhook.skewFix")}
            />
          ) : Math.abs(skew) < 1000 ? (
            t("time.skewMs", { value: formatNumber(skew, locale) })
          ) : (
            t("time.skewSeconds", { value: formatNumber(skew / 1000, locale) })
          )
        }
      />
    </>
  )
}
