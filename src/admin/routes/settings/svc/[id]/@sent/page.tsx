import { Heading, Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { Drawer, DrawerForm } from "../../../../../components/drawer"
import { type Field, Fields } from "../../../../../components/form-fields"
import { pathOf, useConnection } from "../../../../../hooks/api/connections"
import { post } from "../../../../../hooks/api/request"
import { useRegions, useRuleOptions } from "../../../../../hooks/api/store"
import { useSave } from "../../../../../hooks/use-save"
import { useText } from "../../../../../hooks/use-text"
import type { Connection, RuleKind } from "../../../../../lib/types"
import {
  AUTOMATIC,
  exampleLink,
  metadataEntry,
  optionsOf,
  RULE_KINDS,
  type SentValues,
  sentChangesOf,
  sentValuesOf,
} from "../sent-settings"

const SentPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  return (
    <Drawer title={t("sent.heading")} query={useConnection(id)}>
      {({ connection }) => <SentForm connection={connection} />}
    </Drawer>
  )
}

const SentForm = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const regions = useRegions()
  const rules: Record<RuleKind, ReturnType<typeof useRuleOptions>> = {
    category_ids: useRuleOptions("category_ids"),
    collection_ids: useRuleOptions("collection_ids"),
    tag_ids: useRuleOptions("tag_ids"),
    type_ids: useRuleOptions("type_ids"),
  }
  const saving = useSave<SentValues>({
    values: sentValuesOf(connection),
    saved: "sent.saved",
    save: (values) => post(pathOf(connection.id), sentChangesOf(values, connection)),
  })
  const { control, watch } = saving.form
  const stored = sentValuesOf(connection)
  const [template, locale] = watch(["product_url_template", "locale"])
  const countries = regions.data?.regions
    .find(({ id }) => id === connection.region_id)
    ?.countries?.map(({ iso_2, display_name }) => ({
      id: iso_2 ?? "",
      name: display_name ?? iso_2 ?? "",
    }))

  return (
    <DrawerForm saving={saving} readOnly={connection.managed_by === "environment"}>
      <Heading level="h2">{t("sent.products")}</Heading>
      <Fields
        control={control}
        of={[
          { kind: "switch", name: "push", texts: "sent.push" },
          {
            kind: "text",
            name: "product_url_template",
            texts: "sent.link",
            placeholder: "/products/{handle}",
            below: (
              <Text size="small" className="text-ui-fg-subtle break-all">
                {t("sent.linkExample", {
                  url: exampleLink(connection.storefront_url, template, locale),
                })}
              </Text>
            ),
          },
          { kind: "text", name: "locale", texts: "sent.locale", placeholder: "da-DK" },
          {
            kind: "choice",
            name: "country_code",
            texts: "sent.country",
            source: regions,
            options: countries && [{ id: AUTOMATIC, name: t("sent.automatic") }, ...countries],
          },
        ]}
      />
      {(["include", "exclude"] as const).map((side) => (
        <div key={side} className="flex flex-col gap-y-4">
          <div>
            <Text size="small" leading="compact" weight="plus">
              {t(`sent.${side}`)}
            </Text>
            <Text size="small" className="text-ui-fg-subtle">
              {t(`sent.${side}Hint`)}
            </Text>
          </div>
          <Fields
            control={control}
            of={RULE_KINDS.map(
              (kind): Field<SentValues> => ({
                kind: "many",
                name: `${side}.${kind}`,
                label: t(`sent.kinds.${kind}`),
                source: rules[kind],
                options: optionsOf(rules[kind].data, stored[side][kind]),
              }),
            )}
          />
          {stored[side].metadata.length > 0 && (
            <Fields
              control={control}
              of={[
                {
                  kind: "many",
                  name: `${side}.metadata`,
                  label: t("sent.kinds.metadata"),
                  hint: t("sent.metadataHint"),
                  options: stored[side].metadata.map((id) => ({ id, name: metadataEntry(id) })),
                },
              ]}
            />
          )}
        </div>
      ))}
      <Heading level="h2">{t("sent.orders")}</Heading>
      <Fields
        control={control}
        of={[
          {
            kind: "choice",
            name: "report_on",
            texts: "sent.reportOn",
            options: (["order_placed", "payment_captured"] as const).map((id) => ({
              id,
              name: t(`sent.report.${id}`),
            })),
          },
          { kind: "switch", name: "needs_consent", texts: "sent.consent" },
        ]}
      />
    </DrawerForm>
  )
}

export default SentPage
