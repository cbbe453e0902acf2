import { SectionRow } from "@medusajs/dashboard/components"
import { PencilSquare, Trash } from "@medusajs/icons"
import { Badge, Button, Container, Heading, InlineTip, Skeleton } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { ReasonLine } from "../../../../components/error-notice"
import { Menu } from "../../../../components/menu"
import { LongText } from "../../../../components/section"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useRegions, useSalesChannels } from "../../../../hooks/api/store"
import { useConnectionActions } from "../../../../hooks/use-connection-actions"
import { useText } from "../../../../hooks/use-text"
import type { Connection } from "../../../../lib/types"

export const GeneralSection = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const navigate = useNavigate()
  const { check, checking, remove } = useConnectionActions()
  const { data: regions } = useRegions()
  const { data: channels } = useSalesChannels()
  const declared = connection.managed_by === "environment"
  const token = connection.api_token

  const region = regions?.regions.find(({ id }) => id === connection.region_id)
  const channel = channels?.sales_channels.find(({ id }) => id === connection.sales_channel_id)

  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <Heading className="truncate">{connection.name}</Heading>
          {declared && <Badge size="2xsmall">{t("connections.environment.badge")}</Badge>}
        </div>
        <div className="flex items-center gap-x-2">
          <StateBadge of="connection" state={connection.status} />
          <Button
            size="small"
            variant="secondary"
            isLoading={checking}
            onClick={() => check(connection)}
          >
            {t("connections.check.action")}
          </Button>
          {!declared && (
            <Menu
              groups={[
                { actions: [{ icon: <PencilSquare />, label: t("actions.edit"), to: "edit" }] },
                {
                  actions: [
                    {
                      icon: <Trash />,
                      label: t("actions.delete"),
                      onClick: async () => {
                        if (await remove(connection)) navigate("/settings/svc", { replace: true })
                      },
                    },
                  ],
                },
              ]}
            />
          )}
        </div>
      </div>
      <ReasonLine reason={connection.last_error} className="px-6 py-4" />
      {declared && (
        <div className="px-6 py-4">
          <InlineTip label={t("connections.environment.label")}>
            {t("connections.environment.note")}
          </InlineTip>
        </div>
      )}
      <SectionRow
        title={t("connections.fields.lastCheck")}
        value={<LastCheck check={connection.last_check} />}
      />
      <SectionRow
        title={t("connections.fields.pageUid")}
        value={<LongText text={connection.page_uid} />}
      />
      <SectionRow
        title={t("connections.fields.baseUrl")}
        value={<LongText text={connection.base_url} />}
      />
      <SectionRow
        title={t("connections.fields.apiToken")}
        value={
          token.configured
            ? t("connections.fields.apiTokenStored", { fingerprint: token.fingerprint ?? "" })
            : t("connections.fields.apiTokenMissing")
        }
      />
      <SectionRow
        title={t("connections.fields.salesChannel")}
        value={channels ? (channel?.name ?? connection.sales_channel_id) : <Loading />}
      />
      <SectionRow
        title={t("connections.fields.region")}
        value={
          regions ? (
            region ? (
              `${region.name} (${region.currency_code.toUpperCase()})`
            ) : (
              connection.region_id
            )
          ) : (
            <Loading />
          )
        }
      />
      <SectionRow
        title={t("connections.fields.storefrontUrl")}
        value={<LongText copy text={connection.storefront_url} />}
      />
      <SectionRow
        title={t("connections.fields.pricesIncludeVat")}
        value={
          connection.prices_include_vat ? t("connections.fields.yes") : t("connections.fields.no")
        }
      />
      <SectionRow
        title={t("connections.fields.promotions")}
        value={
          connection.promotions === "allow"
            ? t("connections.fields.yes")
            : t("connections.fields.no")
        }
      />
    </Container>
  )
}

const LastCheck = ({ check }: { check: Connection["last_check"] }) => {
  const { t } = useText()
  if (!check) return t("connections.check.never")
  return (
    <span>
      {/* Read aloud when it changes; how long ago it was changes all the time. */}
      <span role="status">
        {check.ok
          ? t("connections.check.good", { duration: Math.round(check.duration_ms) })
          : t("connections.check.bad")}
      </span>{" "}
      (<When at={check.at} />)
    </span>
  )
}

const Loading = () => <Skeleton className="h-5 w-32" />
