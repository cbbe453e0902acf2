import { PencilSquare } from "@medusajs/icons"
import { ErrorNotice } from "../../../../components/error-notice"
import { Facts } from "../../../../components/facts"
import { Menu } from "../../../../components/menu"
import { PressButton } from "../../../../components/press-button"
import { LongText, QuietLine, Section } from "../../../../components/section"
import { pathOf, syncPath } from "../../../../hooks/api/connections"
import { post, remove, usePress } from "../../../../hooks/api/request"
import { useAsk } from "../../../../hooks/use-actions"
import { useText } from "../../../../hooks/use-text"
import type { ApiError } from "../../../../lib/client"
import { formatNumber, formatRelative } from "../../../../lib/format"
import type { Connection, Feed, Preview } from "../../../../lib/types"
import { AUTOMATIC, exampleLink, metadataEntry, RULE_KINDS, sentValuesOf } from "./sent-settings"

type OfConnection = { connection: Connection }

/** What the connection sends of products and orders, what an import would send now, and the feed. */
export const SentSection = ({ connection }: OfConnection) => {
  const { t } = useText()
  // Of the settings with which it was pressed. Nothing is sent.
  const preview = usePress<{ preview: Preview }, string>(
    () => post(`${syncPath(connection.id)}/preview`),
    { showsError: true },
  )
  const sent = sentValuesOf(connection)
  const settings = JSON.stringify(connection.catalog)
  const chosen = (side: "include" | "exclude") =>
    [
      ...RULE_KINDS.flatMap((kind) => {
        const count = sent[side][kind].length
        return count > 0 ? [`${t(`sent.kinds.${kind}`)}: ${count}`] : []
      }),
      ...sent[side].metadata.map((entry) => `${t("sent.kinds.metadata")}: ${metadataEntry(entry)}`),
    ].join(", ")
  const yesOrNo = (is: boolean) => t(is ? "connections.fields.yes" : "connections.fields.no")

  return (
    <Section
      heading={t("sent.heading")}
      subheading={t("sent.subheading")}
      aside={
        <>
          <PressButton press={preview} input={settings}>
            {t("sent.preview")}
          </PressButton>
          <Menu
            groups={[
              { actions: [{ icon: <PencilSquare />, label: t("actions.edit"), to: "sent" }] },
            ]}
          />
        </>
      }
    >
      {preview.error && <ErrorNotice error={preview.error} className="px-6 py-4" />}
      {/* Of other settings it says nothing any more. */}
      {preview.data && preview.variables === settings && (
        <Previewed preview={preview.data.preview} push={sent.push} />
      )}
      <Facts
        of={{
          "sent.push": yesOrNo(sent.push),
          "sent.link": (
            <LongText
              text={exampleLink(connection.storefront_url, sent.product_url_template, sent.locale)}
            />
          ),
          "sent.locale": sent.locale || t("sent.ownTexts"),
          "sent.country":
            sent.country_code === AUTOMATIC ? t("sent.automatic") : sent.country_code.toUpperCase(),
          "sent.include": chosen("include") || t("sent.all"),
          "sent.exclude": chosen("exclude") || t("sent.none"),
          "sent.reportOn": t(`sent.report.${sent.report_on}`),
          "sent.consent": yesOrNo(sent.needs_consent),
        }}
      />
      <FeedRows connection={connection} />
    </Section>
  )
}

const Previewed = ({ preview, push }: { preview: Preview; push: boolean }) => {
  const { counts, compared, complete } = preview
  const { t, locale } = useText()
  const number = (count: number) => formatNumber(count, locale)
  return (
    <QuietLine role="status">
      {t(push ? "sent.previewed" : "sent.previewedFeed", {
        new: number(counts.new),
        changed: number(counts.changed),
        withdrawn: number(counts.withdrawn),
        refused: number(counts.refused),
        unchanged: number(counts.unchanged),
      })}{" "}
      {!complete && t("sent.previewedPart", { count: number(compared) })}
    </QuietLine>
  )
}

/** For a service that reads products instead of being told (interface §1). */
const FeedRows = ({ connection: { id, feed, managed_by } }: OfConnection) => {
  const { t, locale } = useText()
  const ask = useAsk()
  const path = `${pathOf(id)}/feed`
  const open = async (): Promise<{ feed?: Feed }> => {
    try {
      return await post(path)
    } catch (error) {
      if ((error as ApiError).code !== "feed_open") throw error
      // This page did not know yet.
      const isMeant = await ask("sent.feed.replacePrompt", "sent.feed.replacePrompt.confirm")
      return isMeant ? post(path, { replace: true }) : {}
    }
  }
  const { mutate, data, error, isPending } = usePress<{ feed?: Feed }, "open" | "close">(
    (change) => (change === "open" ? open() : remove(path)),
    { showsError: true },
  )
  const opened = feed.configured ? data?.feed : undefined

  const press = async () => {
    if (!feed.configured) mutate("open")
    else if (await ask("sent.feed.closePrompt", "sent.feed.close")) mutate("close")
  }

  return (
    <>
      <Facts
        of={{
          "sent.feed.title": (
            <div className="flex w-full flex-wrap items-center justify-between gap-2">
              <span>
                {!feed.configured
                  ? t("sent.feed.closed")
                  : feed.created_at
                    ? t("sent.feed.open", { when: formatRelative(feed.created_at, locale) })
                    : t("sent.feed.declared")}
              </span>
              {managed_by === "admin" && (
                <PressButton press={{ mutate: () => void press(), isPending }} input={undefined}>
                  {feed.configured ? t("sent.feed.close") : t("sent.feed.make")}
                </PressButton>
              )}
            </div>
          ),
          "sent.feed.url": opened && <LongText copy text={opened.url} />,
          "sent.feed.username": opened && <LongText copy text={opened.username} />,
          "sent.feed.password": opened && <LongText copy text={opened.password} />,
        }}
      />
      {opened && <QuietLine role="status">{t("sent.feed.once")}</QuietLine>}
      {error && <ErrorNotice error={error} className="px-6 py-4" />}
    </>
  )
}
