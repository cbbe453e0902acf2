import { SectionRow } from "@medusajs/dashboard/components"
import { Badge } from "@medusajs/ui"
import { Loaded, QuietLine, Section } from "../../../../components/section"
import { When } from "../../../../components/when"
import { webhookPath } from "../../../../hooks/api/connections"
import { useAnswer } from "../../../../hooks/api/request"
import { useText } from "../../../../hooks/use-text"
import type { Reading } from "../../../../lib/types"

/** What readings of the service's lists found that no delivery had told. */
export const ReadingsSection = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const path = `${webhookPath(connectionId)}/reconciliations`
  const query = useAnswer<{ reconciliations: Reading[] }>(path, { query: { limit: 5 } })
  return (
    <Section heading={t("readings.heading")} subheading={t("readings.subheading")}>
      <Loaded query={query} rows={3}>
        {({ reconciliations }) =>
          reconciliations.length === 0 ? (
            <QuietLine>{t("readings.none")}</QuietLine>
          ) : (
            reconciliations.map(({ id, cause, started_at, found, complete, differences }) => (
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
          )
        }
      </Loaded>
    </Section>
  )
}
