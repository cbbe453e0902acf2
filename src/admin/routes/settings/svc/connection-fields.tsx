import { clx } from "@medusajs/ui"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { RedLine } from "../../../components/error-notice"
import { Fields } from "../../../components/form-fields"
import { LinkButton } from "../../../components/press-button"
import { useRegions, useSalesChannels } from "../../../hooks/api/store"
import { useText } from "../../../hooks/use-text"
import type { Connection } from "../../../lib/types"
import {
  type ConnectionFormValues,
  isPageUid,
  isUrlWithoutQuery,
  sameAddress,
} from "./connection-form"
import { TryService } from "./try-service"

type ConnectionFieldsProps = {
  form: UseFormReturn<ConnectionFormValues>
  /** The one that is edited; its token stays where none is entered, and is asked for again where the address is another. */
  connection?: Connection
  /** Two fields side by side where the screen is wide enough. */
  wide?: boolean
}

export const ConnectionFields = ({ form, connection, wide = false }: ConnectionFieldsProps) => {
  const { t } = useText()
  const regions = useRegions()
  const channels = useSalesChannels()
  const regionOptions = regions.data?.regions.map(({ id, name, currency_code }) => ({
    id,
    name: `${name} (${currency_code.toUpperCase()})`,
  }))
  const [address, token] = useWatch({ control: form.control, name: ["base_url", "api_token"] })
  const isElsewhere = connection && !sameAddress(address, connection.base_url)
  const isUrl = (value: unknown) =>
    isUrlWithoutQuery(String(value)) || t("connections.validation.url")

  return (
    <div className={clx("grid gap-x-4 gap-y-6", wide && "md:grid-cols-2")}>
      <Fields
        control={form.control}
        of={[
          { kind: "text", name: "name", texts: "connections.fields.name", required: true },
          {
            kind: "text",
            name: "page_uid",
            texts: "connections.fields.pageUid",
            required: true,
            rules: {
              validate: (value) => isPageUid(String(value)) || t("connections.validation.pageUid"),
            },
          },
          {
            kind: "text",
            name: "base_url",
            texts: "connections.fields.baseUrl",
            inputMode: "url",
            required: true,
            rules: { validate: isUrl },
          },
          {
            kind: "text",
            name: "api_token",
            type: "password",
            label: t("connections.fields.apiToken"),
            hint: !connection
              ? t("connections.fields.apiTokenHint")
              : isElsewhere
                ? t("connections.fields.apiTokenAgain")
                : t("connections.fields.apiTokenKeep"),
            required: !connection,
            rules: isElsewhere ? { required: t("connections.validation.tokenAgain") } : {},
            // A stored token is tried on the connection's page.
            below: (!connection || token) && <TryService form={form} />,
          },
          {
            kind: "choice",
            name: "sales_channel_id",
            texts: "connections.fields.salesChannel",
            required: true,
            source: channels,
            options: channels.data?.sales_channels,
          },
          {
            kind: "choice",
            name: "region_id",
            texts: "connections.fields.region",
            required: true,
            source: regions,
            options: regionOptions,
            below: regionOptions?.length === 0 && <NoRegion />,
          },
          {
            kind: "text",
            name: "storefront_url",
            texts: "connections.fields.storefrontUrl",
            inputMode: "url",
            required: true,
            rules: { validate: isUrl },
          },
          {
            kind: "switch",
            name: "prices_include_vat",
            texts: "connections.fields.pricesIncludeVat",
          },
          {
            kind: "switch",
            name: "promotions",
            texts: "connections.fields.promotions",
            values: ["exclude", "allow"],
          },
        ]}
      />
    </div>
  )
}

/** In a new tab, so that what was entered here stays; the list is read again when somebody comes back. */
const NoRegion = () => {
  const { t } = useText()
  return (
    <RedLine severity="warning" message={t("connections.fields.noRegion")}>
      <LinkButton to="/settings/regions/create" target="_blank">
        {t("connections.fields.createRegion")}
      </LinkButton>
    </RedLine>
  )
}
