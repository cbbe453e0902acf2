import { PencilSquare, Trash } from "@medusajs/icons"
import { Badge, InlineTip, Skeleton } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { ReasonLine } from "../../../../components/error-notice"
import { Facts } from "../../../../components/facts"
import { Menu } from "../../../../components/menu"
import { CheckConnectionButton } from "../../../../components/press-button"
import { LongText, Section } from "../../../../components/section"
import { SetupLine } from "../../../../components/setup-line"
import { StateBadge } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useRegions, useSalesChannels } from "../../../../hooks/api/store"
import { useRemoveConnection } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import type { Connection } from "../../../../lib/types"

export const GeneralSection = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const navigate = useNavigate()
  const remove = useRemoveConnection(() => navigate("/settings/svc", { replace: true }))
  const { data: regions, error: noRegions } = useRegions()
  const { data: channels, error: noChannels } = useSalesChannels()
  const declared = connection.managed_by === "environment"
  const { sales_channel_id: channelId, region_id: regionId, api_token: token } = connection
  const region = regions?.regions.find(({ id }) => id === regionId)
  const channel = channels?.sales_channels.find(({ id }) => id === channelId)
  const yesOrNo = (is: boolean) => t(is ? "connections.fields.yes" : "connections.fields.no")

  return (
    <Section
      level="h1"
      heading={connection.name}
      aside={
        <>
          {declared && <Badge size="2xsmall">{t("connections.environment.badge")}</Badge>}
          <StateBadge of="connection" state={connection.status} />
          <CheckConnectionButton connectionId={connection.id} />
          {!declared && (
            <Menu
              groups={[
                { actions: [{ icon: <PencilSquare />, label: t("actions.edit"), to: "edit" }] },
                {
                  actions: [
                    {
                      icon: <Trash />,
                      label: t("actions.delete"),
                      onClick: () => void remove(connection),
                    },
                  ],
                },
              ]}
            />
          )}
        </>
      }
    >
      <SetupLine connectionId={connection.id} />
      <ReasonLine reason={connection.last_error} className="px-6 py-4" />
      {declared && (
        <div className="px-6 py-4">
          <InlineTip label={t("connections.environment.label")}>
            {t("connections.environment.note")}
          </InlineTip>
        </div>
      )}
      <Facts
        of={{
          "connections.fields.lastCheck": <LastCheck check={connection.last_check} />,
          "connections.fields.pageUid": <LongText text={connection.page_uid} />,
          "connections.fields.baseUrl": <LongText text={connection.base_url} />,
          "connections.fields.apiToken": token.configured
            ? t("connections.fields.apiTokenStored", { fingerprint: token.fingerprint ?? "" })
            : t("connections.fields.apiTokenMissing"),
          "connections.fields.salesChannel":
            channels || noChannels ? (channel?.name ?? channelId) : <Loading />,
          "connections.fields.region":
            !regions && !noRegions ? (
              <Loading />
            ) : region ? (
              `${region.name} (${region.currency_code.toUpperCase()})`
            ) : (
              regionId
            ),
          "connections.fields.storefrontUrl": <LongText copy text={connection.storefront_url} />,
          "connections.fields.pricesIncludeVat": yesOrNo(connection.prices_include_vat),
          "connections.fields.promotions": yesOrNo(connection.promotions === "allow"),
        }}
      />
    </Section>
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
