import { SectionRow } from "@medusajs/dashboard/components"
import { Button, Container, Heading, Text } from "@medusajs/ui"
import { LongText } from "../../../../components/section"
import { ShowState } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useConnectionNames } from "../../../../hooks/use-connection-names"
import { useText } from "../../../../hooks/use-text"
import type { LiveEventDetail } from "../../../../lib/types"

/** What a show that is over still sells (gap 21): the end of the broadcast is not the end of its prices. */
const afterwards = ({ status, deadline, deleted_at }: LiveEventDetail) => {
  const isClosed = deadline !== null && new Date(deadline) <= new Date()
  if (isClosed || deleted_at || status === "cancelled") return "shows.afterwards.nothing"
  return deadline ? "shows.afterwards.until" : "shows.afterwards.open"
}

export const ShowGeneralSection = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const { connections } = useConnectionNames()
  const storefront = connections.find(({ id }) => id === event.connection_id)?.storefront_url
  return (
    <Container className="divide-y p-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
        <div className="flex min-w-0 items-center gap-x-4">
          {event.cover_url && (
            <img
              src={event.cover_url}
              alt=""
              className="bg-ui-bg-component size-16 shrink-0 rounded-lg object-cover"
            />
          )}
          <div className="min-w-0">
            <Heading className="break-words">{event.name || event.event_id}</Heading>
            <Text size="small" className="text-ui-fg-subtle">
              {t(`shows.kind.${event.kind}`)}
            </Text>
          </div>
        </div>
        <div className="flex items-center gap-x-2">
          <ShowState event={event} />
          {storefront && (
            <Button size="small" variant="secondary" asChild>
              <a href={storefront} target="_blank" rel="noreferrer">
                {t("setup.openStorefront")}
              </a>
            </Button>
          )}
        </div>
      </div>
      {event.description && (
        <Text size="small" className="text-pretty whitespace-pre-line break-words px-6 py-4">
          {event.description}
        </Text>
      )}
      <SectionRow
        title={t("shows.fields.campaign")}
        value={<LongText copy text={event.campaign_uid} />}
      />
      <SectionRow
        title={t("shows.fields.published")}
        value={event.is_published ? t("shows.published") : t("shows.unpublished")}
      />
      <SectionRow title={t("shows.fields.starts")} value={<When at={event.starts_at} exact />} />
      {event.live_started_at && (
        <SectionRow
          title={t("shows.fields.started")}
          value={<When at={event.live_started_at} exact />}
        />
      )}
      {event.live_ended_at && (
        <SectionRow
          title={t("shows.fields.ended")}
          value={<When at={event.live_ended_at} exact />}
        />
      )}
      <SectionRow
        title={t("shows.fields.deadline")}
        value={event.deadline ? <When at={event.deadline} exact /> : t("shows.noDeadline")}
      />
      {event.live_ended_at && (
        <SectionRow title={t("shows.fields.afterwards")} value={t(afterwards(event))} />
      )}
      {event.video_url && (
        <SectionRow
          title={t("shows.fields.replay")}
          value={
            <a
              href={event.video_url}
              target="_blank"
              rel="noreferrer"
              className="text-ui-fg-interactive"
            >
              {t("shows.watch")}
            </a>
          }
        />
      )}
      <SectionRow title={t("shows.fields.told")} value={<When at={event.occurred_at} />} />
    </Container>
  )
}
