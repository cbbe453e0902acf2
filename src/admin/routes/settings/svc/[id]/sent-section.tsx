import { SectionRow } from "@medusajs/dashboard/components"
import { PencilSquare } from "@medusajs/icons"
import { Button, usePrompt } from "@medusajs/ui"
import { ErrorNotice } from "../../../../components/error-notice"
import { Menu } from "../../../../components/menu"
import { LongText, QuietLine, Section } from "../../../../components/section"
import { useFeed, usePreview } from "../../../../hooks/api/connections"
import { useText } from "../../../../hooks/use-text"
import { formatNumber, formatRelative } from "../../../../lib/format"
import type { Connection, Preview } from "../../../../lib/types"
import { AUTOMATIC, exampleLink, RULE_KINDS, sentValuesOf } from "./sent-settings"

type OfConnection = { connection: Connection }

/** What the connection sends of products and orders, what an import would send now, and the feed. */
export const SentSection = ({ connection }: OfConnection) => {
  const { t } = useText()
  const preview = usePreview(connection.id)
  const sent = sentValuesOf(connection)
  const chosen = (side: "include" | "exclude") =>
    RULE_KINDS.flatMap((kind) => {
      const count = sent[side][kind].length
      return count > 0 ? [`${t(`sent.kinds.${kind}`)}: ${count}`] : []
    }).join(", ")

  return (
    <Section
      heading={t("sent.heading")}
      subheading={t("sent.subheading")}
      aside={
        <>
          <Button
            size="small"
            variant="secondary"
            isLoading={preview.isPending}
            onClick={() => preview.mutate()}
          >
            {t("sent.preview")}
          </Button>
          <Menu
            groups={[
              { actions: [{ icon: <PencilSquare />, label: t("actions.edit"), to: "sent" }] },
            ]}
          />
        </>
      }
    >
      {preview.error && <ErrorNotice error={preview.error} className="px-6 py-4" />}
      {preview.data && <Previewed preview={preview.data.preview} />}
      <SectionRow
        title={t("sent.push")}
        value={sent.push ? t("connections.fields.yes") : t("connections.fields.no")}
      />
      <SectionRow
        title={t("sent.link")}
        value={
          <LongText
            text={exampleLink(connection.storefront_url, sent.product_url_template, sent.locale)}
          />
        }
      />
      <SectionRow title={t("sent.locale")} value={sent.locale || t("sent.ownTexts")} />
      <SectionRow
        title={t("sent.country")}
        value={
          sent.country_code === AUTOMATIC ? t("sent.automatic") : sent.country_code.toUpperCase()
        }
      />
      <SectionRow title={t("sent.include")} value={chosen("include") || t("sent.all")} />
      <SectionRow title={t("sent.exclude")} value={chosen("exclude") || t("sent.none")} />
      <SectionRow title={t("sent.reportOn")} value={t(`sent.report.${sent.report_on}`)} />
      <SectionRow
        title={t("sent.consent")}
        value={sent.needs_consent ? t("connections.fields.yes") : t("connections.fields.no")}
      />
      <FeedRows connection={connection} />
    </Section>
  )
}

const Previewed = ({ preview: { counts, compared, complete } }: { preview: Preview }) => {
  const { t, locale } = useText()
  const number = (count: number) => formatNumber(count, locale)
  return (
    <QuietLine role="status">
      {t("sent.previewed", {
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
  const prompt = usePrompt()
  const { mutate, data, error, isPending } = useFeed(id)
  const opened = feed.configured ? data?.feed : undefined

  const close = async () => {
    const confirmed = await prompt({
      title: t("sent.feed.closePrompt.title"),
      description: t("sent.feed.closePrompt.description"),
      confirmText: t("sent.feed.close"),
      cancelText: t("actions.cancel"),
    })
    if (confirmed) mutate("close")
  }

  return (
    <>
      <SectionRow
        title={t("sent.feed.title")}
        value={
          <div className="flex w-full flex-wrap items-center justify-between gap-2">
            <span>
              {feed.created_at
                ? t("sent.feed.open", { when: formatRelative(feed.created_at, locale) })
                : t("sent.feed.closed")}
            </span>
            {managed_by === "admin" && (
              <Button
                size="small"
                variant="secondary"
                isLoading={isPending}
                onClick={() => (feed.configured ? void close() : mutate("open"))}
              >
                {feed.configured ? t("sent.feed.close") : t("sent.feed.make")}
              </Button>
            )}
          </div>
        }
      />
      {opened && (
        <>
          {(["url", "username", "password"] as const).map((part) => (
            <SectionRow
              key={part}
              title={t(`sent.feed.${part}`)}
              value={<LongText copy text={opened[part]} />}
            />
          ))}
          <QuietLine role="status">{t("sent.feed.once")}</QuietLine>
        </>
      )}
      {error && <ErrorNotice error={error} className="px-6 py-4" />}
    </>
  )
}
