import { Form } from "@medusajs/dashboard/components"
import { clx, Input, Select, Skeleton, Switch } from "@medusajs/ui"
import type { ReactElement } from "react"
import type { Control, ControllerRenderProps, RegisterOptions } from "react-hook-form"
import { ErrorNotice } from "../../../components/error-notice"
import { useRegions, useSalesChannels } from "../../../hooks/api/store"
import { useText } from "../../../hooks/use-text"
import { type ConnectionFormValues, isHttpUrl } from "./connection-form"

type TextName = Exclude<keyof ConnectionFormValues, "prices_include_vat">
type Rules = Pick<
  RegisterOptions<ConnectionFormValues, TextName>,
  "required" | "pattern" | "validate"
>

type ConnectionFieldsProps = {
  control: Control<ConnectionFormValues>
  /** What the token's field says and demands: it is needed, may stay empty, or is needed again. */
  token: { hint: string; required: string | false }
  /** Two fields side by side, where there is room for it. */
  wide?: boolean
}

export const ConnectionFields = ({ control, token, wide = false }: ConnectionFieldsProps) => {
  const { t } = useText()
  const regions = useRegions()
  const channels = useSalesChannels()
  const required = t("connections.validation.required")
  const url = (value: string) => isHttpUrl(value) || t("connections.validation.url")

  const field = (
    name: TextName,
    label: string,
    hint: string,
    rules: Rules,
    render: (props: ControllerRenderProps<ConnectionFormValues, TextName>) => ReactElement,
  ) => (
    <Form.Field
      control={control}
      name={name}
      rules={rules}
      render={({ field: props }) => (
        <Form.Item>
          <Form.Label>{label}</Form.Label>
          {render(props)}
          <Form.Hint>{hint}</Form.Hint>
          <Form.ErrorMessage />
        </Form.Item>
      )}
    />
  )

  return (
    <div className={clx("grid gap-x-4 gap-y-6", wide && "md:grid-cols-2")}>
      {field(
        "name",
        t("connections.fields.name"),
        t("connections.fields.nameHint"),
        { required },
        (props) => (
          <Form.Control>
            <Input {...props} autoComplete="off" />
          </Form.Control>
        ),
      )}
      {field(
        "page_uid",
        t("connections.fields.pageUid"),
        t("connections.fields.pageUidHint"),
        {
          required,
          pattern: {
            value: /^\s*[A-Za-z0-9_-]+\s*$/,
            message: t("connections.validation.pageUid"),
          },
        },
        (props) => (
          <Form.Control>
            <Input {...props} autoComplete="off" spellCheck={false} />
          </Form.Control>
        ),
      )}
      {field(
        "base_url",
        t("connections.fields.baseUrl"),
        t("connections.fields.baseUrlHint"),
        { required, validate: url },
        (props) => (
          <Form.Control>
            <Input {...props} inputMode="url" autoComplete="off" spellCheck={false} />
          </Form.Control>
        ),
      )}
      {field(
        "api_token",
        t("connections.fields.apiToken"),
        token.hint,
        { required: token.required },
        (props) => (
          <Form.Control>
            <Input {...props} type="password" autoComplete="new-password" />
          </Form.Control>
        ),
      )}
      {field(
        "sales_channel_id",
        t("connections.fields.salesChannel"),
        t("connections.fields.salesChannelHint"),
        { required },
        ({ ref, onChange, ...props }) => (
          <Options
            loading={channels}
            options={channels.data?.sales_channels.map(({ id, name }) => ({ id, name }))}
          >
            {(items) => (
              <Select {...props} onValueChange={onChange}>
                <Form.Control>
                  <Select.Trigger ref={ref}>
                    <Select.Value placeholder={t("connections.fields.choose")} />
                  </Select.Trigger>
                </Form.Control>
                <Select.Content>{items}</Select.Content>
              </Select>
            )}
          </Options>
        ),
      )}
      {field(
        "region_id",
        t("connections.fields.region"),
        t("connections.fields.regionHint"),
        { required },
        ({ ref, onChange, ...props }) => (
          <Options
            loading={regions}
            options={regions.data?.regions.map(({ id, name, currency_code }) => ({
              id,
              name: `${name} (${currency_code.toUpperCase()})`,
            }))}
          >
            {(items) => (
              <Select {...props} onValueChange={onChange}>
                <Form.Control>
                  <Select.Trigger ref={ref}>
                    <Select.Value placeholder={t("connections.fields.choose")} />
                  </Select.Trigger>
                </Form.Control>
                <Select.Content>{items}</Select.Content>
              </Select>
            )}
          </Options>
        ),
      )}
      {field(
        "storefront_url",
        t("connections.fields.storefrontUrl"),
        t("connections.fields.storefrontUrlHint"),
        { required, validate: url },
        (props) => (
          <Form.Control>
            <Input {...props} inputMode="url" autoComplete="off" spellCheck={false} />
          </Form.Control>
        ),
      )}
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
    </div>
  )
}

type OptionsProps = {
  loading: { error: Error | null; refetch: () => unknown }
  options: { id: string; name: string }[] | undefined
  children: (items: ReactElement[]) => ReactElement
}

/** A picker stands only where its options are there: its value would show as empty otherwise. */
const Options = ({ loading, options, children }: OptionsProps) => {
  if (!options) {
    return loading.error ? (
      <ErrorNotice error={loading.error} onRetry={loading.refetch} />
    ) : (
      <Skeleton className="h-8 w-full" />
    )
  }
  return children(
    options.map(({ id, name }) => (
      <Select.Item key={id} value={id}>
        {name}
      </Select.Item>
    )),
  )
}
