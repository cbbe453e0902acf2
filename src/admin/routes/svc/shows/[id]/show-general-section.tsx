import { Text } from "@medusajs/ui"
import { Facts } from "../../../../components/facts"
import { LinkButton } from "../../../../components/press-button"
import { LongText, Section } from "../../../../components/section"
import { ShowState } from "../../../../components/state-badge"
import { When } from "../../../../components/when"
import { useConnectionNames } from "../../../../hooks/use-connection-names"
import { useText } from "../../../../hooks/use-text"
import type { LiveEventDetail } from "../../../../lib/types"

/** What a show that is over still sells (gap 21): the end of the broadcast is not the end of its prices. */
const afterwards = ({ sells, deadline }: LiveEventDetail) => {
  if (!sells) return "shows.afterwards.nothing"
  return deadline ? "shows.afterwards.until" : "shows.afterwards.open"
}

export const ShowGeneralSection = ({ event }: { event: LiveEventDetail }) => {
  const { t } = useText()
  const { connections } = useConnectionNames()
  const storefront = connections.find(({ id }) => id === event.connection_id)?.storefront_url
  const { live_started_at: startedAt, live_ended_at: endedAt } = event
  return (
    <Section
      level="h1"
      heading={event.name || event.event_id}
      picture={
        event.cover_url && (
          <img
            src={event.cover_url}
            alt=""
            className="bg-ui-bg-component size-16 shrink-0 rounded-lg object-cover"
          />
        )
      }
      subheading={t(`shows.kind.${event.kind}`)}
      aside={
        <>
          <ShowState event={event} />
          {storefront && (
            <LinkButton to={storefront} target="_blank" rel="noreferrer">
              {t("setup.openStorefront")}
            </LinkButton>
          )}
        </>
      }
    >
      {event.description && (
        <Text size="small" className="text-pretty whitespace-pre-line break-words px-6 py-4">
          {event.description}
        </Text>
      )}
      <Facts
        of={{
          "shows.fields.campaign": <LongText copy text={event.campaign_uid} />,
          "shows.fields.published": t(event.is_published ? "shows.published" : "shows.unpublished"),
          "shows.fields.starts": <When at={event.starts_at} exact />,
          "shows.fields.started": startedAt && <When at={startedAt} exact />,
          "shows.fields.ended": endedAt && <When at={endedAt} exact />,
          "shows.fields.deadline": event.deadline ? (
            <When at={event.deadline} exact />
          ) : (
            t("shows.noDeadline")
          ),
          "shows.fields.afterwards": endedAt && t(afterwards(event)),
          "shows.fields.replay": event.video_url && (
            <a
              href={event.video_url}
              target="_blank"
              rel="noreferrer"
              className="text-ui-fg-interactive"
            >
              {t("shows.watch")}
            </a>
          ),
          "shows.fields.told": <When at={event.occurred_at} />,
        }}
      />
    </Section>
  )
}
