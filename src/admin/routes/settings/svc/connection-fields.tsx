import { Button, clx } from "@medusajs/ui"
import type { UseFormReturn } from "react-hook-form"
import { Link } from "react-router-dom"
import { ReasonLine, RedLine } from "../../../components/error-notice"
import { ChoiceField, SwitchField, TextField } from "../../../components/form-fields"
import { useRegions, useSalesChannels } from "../../../hooks/api/store"
import { type TextKey, useText } from "../../../hooks/use-text"
import type { Connection } from "../../../lib/types"
import { type ConnectionFormValues, isHttpUrl, PAGE_UID } from "./connection-form"
import { useFittingMarkets } from "./fitting-markets"
import { TryService } from "./try-service"

type ConnectionFieldsProps = {
  form: UseFormReturn<ConnectionFormValues>
  /** The one that is edited; its token stays where none is entered. */
  connection?: Connection
  /** What the token's field asks for: a token, nothing, or the token again. */
  token: { hint: string; required: string | false }
  /** Two fields side by side where the screen is wide enough. */
  wide?: boolean
}

export const ConnectionFields = ({
  form,
  connection,
  token,
  wide = false,
}: ConnectionFieldsProps) => {
  const { t } = useText()
  const { control } = form
  const regions = useRegions()
  const channels = useSalesChannels()
  const missing = (field: TextKey) => t("connections.validation.required", { field: t(field) })
  const { fits, nothingFits, problemOf, isPending } = useFittingMarkets(control)
  const regionOptions = regions.data?.regions.map(({ id, name, currency_code }) => {
    const region = `${name} (${currency_code.toUpperCase()})`
    return fits(id)
      ? { id, name: region }
      : { id, name: t("connections.fields.regionWithoutPrices", { region }), disabled: true }
  })
  const url = (value: string) => isHttpUrl(value) || t("connections.validation.url")

  return (
    <div className={clx("grid gap-x-4 gap-y-6", wide && "md:grid-cols-2")}>
      <TextField
        control={control}
        name="name"
        label={t("connections.fields.name")}
        hint={t("connections.fields.nameHint")}
        rules={{ required: missing("connections.fields.name") }}
      />
      <TextField
        control={control}
        name="page_uid"
        label={t("connections.fields.pageUid")}
        hint={t("connections.fields.pageUidHint")}
        rules={{
          required: missing("connections.fields.pageUid"),
          pattern: { value: PAGE_UID, message: t("connections.validation.pageUid") },
        }}
      />
      <TextField
        control={control}
        name="base_url"
        label={t("connections.fields.baseUrl")}
        hint={t("connections.fields.baseUrlHint")}
        rules={{ required: missing("connections.fields.baseUrl"), validate: url }}
        inputMode="url"
      />
      <TextField
        control={control}
        name="api_token"
        label={t("connections.fields.apiToken")}
        hint={token.hint}
        rules={{ required: token.required }}
        type="password"
        autoComplete="new-password"
      >
        <TryService form={form} connection={connection} />
      </TextField>
      <ChoiceField
        control={control}
        name="sales_channel_id"
        label={t("connections.fields.salesChannel")}
        hint={t("connections.fields.salesChannelHint")}
        rules={{ required: missing("connections.fields.salesChannel") }}
        source={channels}
        options={channels.data?.sales_channels}
      />
      <ChoiceField
        control={control}
        name="region_id"
        label={t("connections.fields.region")}
        hint={t("connections.fields.regionHint")}
        rules={{ required: missing("connections.fields.region"), validate: problemOf }}
        source={regions}
        options={isPending ? undefined : regionOptions}
      >
        {regionOptions?.length === 0 ? <NoRegion /> : <ReasonLine reason={nothingFits} />}
      </ChoiceField>
      <TextField
        control={control}
        name="storefront_url"
        label={t("connections.fields.storefrontUrl")}
        hint={t("connections.fields.storefrontUrlHint")}
        rules={{ required: missing("connections.fields.storefrontUrl"), validate: url }}
        inputMode="url"
      />
      <SwitchField
        control={control}
        name="prices_include_vat"
        label={t("connections.fields.pricesIncludeVat")}
        hint={t("connections.fields.pricesIncludeVatHint")}
      />
      <SwitchField
        control={control}
        name="promotions"
        values={["exclude", "allow"]}
        label={t("connections.fields.promotions")}
        hint={t("connections.fields.promotionsHint")}
      />
    </div>
  )
}

/** In a new tab, so that what was entered here stays; the list is read again when somebody comes back. */
const NoRegion = () => {
  const { t } = useText()
  return (
    <RedLine severity="warning" message={t("connections.fields.noRegion")}>
      <Button size="small" variant="secondary" asChild>
        <Link to="/settings/regions/create" target="_blank">
          {t("connections.fields.createRegion")}
        </Link>
      </Button>
    </RedLine>
  )
}
