import { SectionRow } from "@medusajs/dashboard/components"
import { Badge, Text } from "@medusajs/ui"
import { ErrorNotice } from "../../../../components/error-notice"
import { RowsSkeleton, Section } from "../../../../components/section"
import { When } from "../../../../components/when"
import { useReadings } from "../../../../hooks/api/webhook"
import { useText } from "../../../../hooks/use-text"

/** What readings of the service's lists found that no delivery had told. */
export const ReadingsSection = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const { data, error, refetch } = useReadings(connectionId)
  return (
    <Section heading={t("readings.heading")} subheading={t("readings.subheading")}>
      {error && !data ? (
        <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : data.reconciliations.length === 0 ? (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {t("readings.none")}
        </Text>
      ) : (
        data.reconciliations.map(({ id, cause, started_at, found, complete, differences }) => (
          <SectionRow
            key={id}
            title={t(`readings.causes.${cause}`)}
            value={
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <When at={started_at} />
                <span>
                  {found === 0
                    ? t("readings.nothing")
                    : t("readings.found", {
                        count: found,
                        names: [...new Set(differences.map(({ name }) => name))].join(", "),
                      })}
                </span>
                {!complete && (
                  <Badge size="2xsmall" color="orange">
                    {t("readings.incomplete")}
                  </Badge>
                )}
              </span>
            }
          />
        ))
      )}
    </Section>
  )
}
