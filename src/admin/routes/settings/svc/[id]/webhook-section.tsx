import { ArrowPath, Key, PencilSquare, Trash } from "@medusajs/icons"
import { Badge, Tooltip, toast } from "@medusajs/ui"
import { Facts } from "../../../../components/facts"
import { Menu } from "../../../../components/menu"
import { LinkButton, RegisterWebhookButton } from "../../../../components/press-button"
import { ProblemLine } from "../../../../components/problem-line"
import { Loaded, LongText, QuietLine, Section } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useWebhook, webhookPath } from "../../../../hooks/api/connections"
import { remove as deleteAt, post, usePress } from "../../../../hooks/api/request"
import { useAsk } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import { formatNumber, formatRelative } from "../../../../lib/format"
import type { Webhook } from "../../../../lib/types"

type OfConnection = { connectionId: string }

/** The subscriber at the service: whether it exists, whether deliveries arrive, and whether they verify. */
export const WebhookSection = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const query = useWebhook(connectionId)
  const webhook = query.data?.webhook
  const isRegistered = Boolean(webhook?.webhook_uid)

  return (
    <Section
      heading={t("webhook.heading")}
      subheading={t("webhook.subheading")}
      aside={
        query.data && (
          <>
            {webhook && <StateBadge of="webhook" state={webhook.state ?? "unknown"} />}
            {isRegistered ? (
              <RegisteredMenu connectionId={connectionId} />
            ) : (
              <>
                <LinkButton to="webhook-key">{t("webhook.pasteKey")}</LinkButton>
                <RegisterWebhookButton connectionId={connectionId} variant="primary" />
                {/* Nobody knows whether it was registered: the answer was lost. */}
                {webhook?.url && <UnsureMenu connectionId={connectionId} />}
              </>
            )}
          </>
        )
      }
    >
      <Loaded query={query} rows={5}>
        {({ webhook: known }) =>
          known ? (
            <WebhookFacts webhook={known} connectionId={connectionId} />
          ) : (
            <QuietLine>{t("webhook.none")}</QuietLine>
          )
        }
      </Loaded>
    </Section>
  )
}

const UnsureMenu = ({ connectionId }: OfConnection) => (
  <Menu groups={[{ actions: [useRemoveAction(connectionId)] }]} />
)

function useRemoveAction(connectionId: string) {
  const { t } = useText()
  const ask = useAsk()
  const remove = usePress(() => deleteAt(webhookPath(connectionId)), {
    done: () => toast.success(t("webhook.removed")),
  })
  const askToRemove = async () => {
    if (await ask("webhook.removePrompt", "webhook.remove")) remove.mutate()
  }
  return {
    icon: <Trash />,
    label: t("webhook.remove"),
    disabled: remove.isPending,
    onClick: askToRemove,
  }
}

const RegisteredMenu = ({ connectionId }: OfConnection) => {
  const { t } = useText()
  const ask = useAsk()
  const removeAction = useRemoveAction(connectionId)
  const rotate = usePress(() => post(`${webhookPath(connectionId)}/rotate`), {
    done: () => toast.success(t("webhook.rotated")),
  })

  const askToRotate = async () => {
    const isMeant = await ask("webhook.rotatePrompt", "webhook.rotatePrompt.confirm", {
      variant: "confirmation",
    })
    if (isMeant) rotate.mutate()
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
        { actions: [removeAction] },
      ]}
    />
  )
}

const WebhookFacts = ({ webhook, connectionId }: OfConnection & { webhook: Webhook }) => {
  const { t, locale } = useText()
  const { topics, custom_headers: headers, signature_key: key, last_error: problem } = webhook
  const skew = webhook.clock_skew_ms
  return (
    <>
      {problem && <ProblemLine problem={{ ...problem, connection_id: connectionId }} />}
      <Facts
        of={{
          "webhook.fields.url": webhook.url ? <LongText copy text={webhook.url} /> : "-",
          "webhook.fields.topics": (
            <Tooltip content={topics.join(", ") || "-"}>
              <span className="cursor-default">
                {t("webhook.topics", { count: topics.length })}
              </span>
            </Tooltip>
          ),
          "webhook.fields.headers":
            headers.length > 0 &&
            headers.map((name) => (
              <Badge key={name} size="2xsmall">
                {name}
              </Badge>
            )),
          "webhook.fields.key": (
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
          ),
          "webhook.fields.lastDelivery": (
            <span>
              <When at={webhook.last_delivery_at} never />
            </span>
          ),
          "webhook.fields.clockSkew":
            skew === null
              ? "-"
              : t("time.skewSeconds", { value: formatNumber(skew / 1000, locale) }),
        }}
      />
    </>
  )
}
