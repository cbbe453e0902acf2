import { useRouteModal } from "@medusajs/dashboard/components"
import { Heading, Text, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerForm, FormDrawer } from "../../../../../components/form-drawer"
import {
  ChoiceField,
  ManyField,
  SwitchField,
  TextField,
} from "../../../../../components/form-fields"
import { useConnection, useUpdateConnection } from "../../../../../hooks/api/connections"
import { useRegions, useRuleOptions } from "../../../../../hooks/api/store"
import { useText } from "../../../../../hooks/use-text"
import type { Connection } from "../../../../../lib/types"
import {
  AUTOMATIC,
  exampleLink,
  RULE_KINDS,
  type SentValues,
  sentBodyOf,
  sentValuesOf,
} from "../sent-settings"

const SentPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useConnection(id)
  return (
    <FormDrawer heading={t("sent.heading")} data={data} error={error} onRetry={refetch}>
      {({ connection }) => <SentForm connection={connection} />}
    </FormDrawer>
  )
}

const SentForm = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const update = useUpdateConnection(connection.id)
  const regions = useRegions()
  const options = useRuleOptions()
  const form = useForm<SentValues>({ defaultValues: sentValuesOf(connection) })
  const { control, watch } = form

  const countries = regions.data?.regions
    .find(({ id }) => id === connection.region_id)
    ?.countries?.map(({ iso_2, display_name }) => ({
      id: iso_2 ?? "",
      name: display_name ?? iso_2 ?? "",
    }))
  const submit = form.handleSubmit((values) =>
    update.mutate(sentBodyOf(values, connection), {
      onSuccess: () => {
        toast.success(t("sent.saved"))
        handleSuccess()
      },
    }),
  )

  return (
    <DrawerForm
      form={form}
      onSubmit={submit}
      isSaving={update.isPending}
      readOnly={connection.managed_by === "environment"}
      error={update.error}
    >
      <Heading level="h2">{t("sent.products")}</Heading>
      <SwitchField control={control} name="push" label={t("sent.push")} hint={t("sent.pushHint")} />
      <TextField
        control={control}
        name="product_url_template"
        label={t("sent.link")}
        hint={t("sent.linkHint")}
        placeholder="/products/{handle}"
      >
        <Text size="small" className="text-ui-fg-subtle break-all">
          {t("sent.linkExample", {
            url: exampleLink(
              connection.storefront_url,
              watch("product_url_template"),
              watch("locale"),
            ),
          })}
        </Text>
      </TextField>
      <TextField
        control={control}
        name="locale"
        label={t("sent.locale")}
        hint={t("sent.localeHint")}
        placeholder="da-DK"
      />
      <ChoiceField
        control={control}
        name="country_code"
        label={t("sent.country")}
        hint={t("sent.countryHint")}
        source={regions}
        options={countries && [{ id: AUTOMATIC, name: t("sent.automatic") }, ...countries]}
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
          {RULE_KINDS.map((kind) => (
            <ManyField
              key={kind}
              control={control}
              name={`${side}.${kind}`}
              label={t(`sent.kinds.${kind}`)}
              options={options[kind]}
            />
          ))}
        </div>
      ))}
      <Heading level="h2">{t("sent.orders")}</Heading>
      <ChoiceField
        control={control}
        name="report_on"
        label={t("sent.reportOn")}
        hint={t("sent.reportOnHint")}
        options={(["order_placed", "payment_captured"] as const).map((id) => ({
          id,
          name: t(`sent.report.${id}`),
        }))}
      />
      <SwitchField
        control={control}
        name="needs_consent"
        label={t("sent.consent")}
        hint={t("sent.consentHint")}
      />
    </DrawerForm>
  )
}

export default SentPage
