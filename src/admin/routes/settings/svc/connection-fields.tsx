import { Form } from "@medusajs/dashboard/components"
import { Button, clx, Input, Select, Skeleton, Switch } from "@medusajs/ui"
import type { ComponentProps, ReactElement, ReactNode } from "react"
import type {
  Control,
  ControllerRenderProps,
  RegisterOptions,
  UseFormReturn,
} from "react-hook-form"
import { Link } from "react-router-dom"
import { ErrorNotice, ReasonLine, RedLine } from "../../../components/error-notice"
import { useRegions, useSalesChannels } from "../../../hooks/api/store"
import { type TextKey, useText } from "../../../hooks/use-text"
import type { Connection } from "../../../lib/types"
import { type ConnectionFormValues, isHttpUrl, PAGE_UID } from "./connection-form"
import { useFittingMarkets } from "./fitting-markets"
import { TryService } from "./try-service"

type TextName = Exclude<keyof ConnectionFormValues, "prices_include_vat" | "promotions">

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
      <Form.Field
        control={control}
        name="prices_include_vat"
        render={({ field: { value, onChange, ...props } }) => (
          <Form.Item>
            <div className="flex items-center justify-between">
              <Form.Label>{t("connections.fields.pricesIncludeVat")}</Form.Label>
              <Form.Control>
                <Switch
                  dir="ltr"
                  className="rtl:rotate-180"
                  {...props}
                  checked={value}
                  onCheckedChange={onChange}
                />
              </Form.Control>
            </div>
            <Form.Hint>{t("connections.fields.pricesIncludeVatHint")}</Form.Hint>
          </Form.Item>
        )}
      />
      <Form.Field
        control={control}
        name="promotions"
        render={({ field: { value, onChange, ...props } }) => (
          <Form.Item>
            <div className="flex items-center justify-between">
              <Form.Label>{t("connections.fields.promotions")}</Form.Label>
              <Form.Control>
                <Switch
                  dir="ltr"
                  className="rtl:rotate-180"
                  {...props}
                  checked={value === "allow"}
                  onCheckedChange={(allowed) => onChange(allowed ? "allow" : "exclude")}
                />
              </Form.Control>
            </div>
            <Form.Hint>{t("connections.fields.promotionsHint")}</Form.Hint>
          </Form.Item>
        )}
      />
    </div>
  )
}

type FieldProps = {
  control: Control<ConnectionFormValues>
  name: TextName
  label: string
  hint: string
  rules: Pick<RegisterOptions<ConnectionFormValues, TextName>, "required" | "pattern" | "validate">
}

type FieldFrameProps = FieldProps & {
  /** Below the field. */
  below?: ReactNode
  children: (field: ControllerRenderProps<ConnectionFormValues, TextName>) => ReactElement
}

const FieldFrame = ({ control, name, label, hint, rules, below, children }: FieldFrameProps) => (
  <Form.Field
    control={control}
    name={name}
    rules={rules}
    render={({ field }) => (
      <Form.Item>
        <Form.Label>{label}</Form.Label>
        {children(field)}
        <Form.Hint>{hint}</Form.Hint>
        <Form.ErrorMessage />
        {below}
      </Form.Item>
    )}
  />
)

type TextFieldProps = FieldProps &
  Pick<ComponentProps<typeof Input>, "type" | "inputMode" | "autoComplete"> & {
    children?: ReactNode
  }

const TextField = ({
  type,
  inputMode,
  autoComplete = "off",
  children,
  ...frame
}: TextFieldProps) => (
  <FieldFrame {...frame} below={children}>
    {(field) => (
      <Form.Control>
        <Input
          {...field}
          type={type}
          inputMode={inputMode}
          autoComplete={autoComplete}
          spellCheck={false}
        />
      </Form.Control>
    )}
  </FieldFrame>
)

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

type ChoiceFieldProps = FieldProps & {
  source: { error: Error | null; refetch: () => unknown }
  options: { id: string; name: string; disabled?: boolean }[] | undefined
  children?: ReactNode
}

/** The picker is rendered only when its options are loaded; before that its value would look empty. */
const ChoiceField = ({ source, options, children, ...frame }: ChoiceFieldProps) => {
  const { t } = useText()
  return (
    <FieldFrame {...frame} below={children}>
      {({ ref, onChange, ...field }) =>
        options ? (
          <Select {...field} onValueChange={onChange} disabled={options.length === 0}>
            <Form.Control>
              <Select.Trigger ref={ref}>
                <Select.Value placeholder={t("connections.fields.choose")} />
              </Select.Trigger>
            </Form.Control>
            <Select.Content>
              {options.map(({ id, name, disabled }) => (
                // What was chosen once can stay chosen; the form says what is wrong with it.
                <Select.Item
                  key={id}
                  value={id}
                  disabled={disabled && id !== field.value}
                  className="data-[disabled]:text-ui-fg-disabled data-[disabled]:cursor-not-allowed"
                >
                  {name}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        ) : source.error ? (
          <ErrorNotice error={source.error} onRetry={source.refetch} />
        ) : (
          <Skeleton className="h-8 w-full" />
        )
      }
    </FieldFrame>
  )
}
