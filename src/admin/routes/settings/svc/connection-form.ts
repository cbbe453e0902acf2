import { changedFields } from "../../../lib/changed-fields"
import type { Connection, ConnectionInput } from "../../../lib/types"

/** What the form edits. The settings of catalog and reports are left out: the request leaves them as they are. */
export type ConnectionFormValues = Required<
  Omit<ConnectionInput, "catalog" | "report_settings" | "additional_data">
>

export const EMPTY: ConnectionFormValues = {
  name: "",
  page_uid: "",
  base_url: "",
  api_token: "",
  sales_channel_id: "",
  region_id: "",
  storefront_url: "",
  prices_include_vat: true,
  promotions: "allow",
}

export const valuesOf = (connection: Connection): ConnectionFormValues => ({
  name: connection.name,
  page_uid: connection.page_uid,
  base_url: connection.base_url,
  api_token: "",
  sales_channel_id: connection.sales_channel_id,
  region_id: connection.region_id,
  storefront_url: connection.storefront_url,
  prices_include_vat: connection.prices_include_vat,
  promotions: connection.promotions,
})

/** Removes the blanks around pasted ids. */
const trimmed = (values: ConnectionFormValues): ConnectionFormValues => ({
  ...values,
  name: values.name.trim(),
  page_uid: values.page_uid.trim(),
  base_url: values.base_url.trim(),
  api_token: values.api_token.trim(),
  storefront_url: values.storefront_url.trim(),
})

/** The body of the request. An empty token is left out, so that the stored one stays. */
export function bodyOf(values: ConnectionFormValues): ConnectionInput {
  const { api_token, ...settings } = trimmed(values)
  return api_token ? { ...settings, api_token } : settings
}

/** The same for a connection that is there. */
export const changesOf = (values: ConnectionFormValues, connection: Connection) =>
  changedFields(bodyOf(values), bodyOf(valuesOf(connection)))

/** The server's rule, but for bytes: `serviceId` of the contract. */
export const isPageUid = (value: string): boolean =>
  /^(?!(?:.*[/\\])?\.{1,2}(?:[/\\]|$))[^\p{Cc}\p{Cs}]{1,500}$/u.test(value.trim())

export function isUrlWithoutQuery(value: string): boolean {
  try {
    return /^https?:$/.test(new URL(value.trim()).protocol) && !value.includes("?")
  } catch {
    return false
  }
}

/**
 * The server compares addresses without their last slash, so the form does the same before it asks for the token
 * again.
 */
export const sameAddress = (one: string, other: string): boolean =>
  one.trim().replace(/\/+$/, "") === other.trim().replace(/\/+$/, "")

/** Whether the connection is tied to another page by it: with the same token, a mistyped page is corrected. */
export function leavesPage(values: ConnectionFormValues, connection: Connection): boolean {
  const { page_uid, api_token } = changesOf(values, connection)
  return (
    !sameAddress(values.base_url, connection.base_url) ||
    (page_uid !== undefined && api_token !== undefined)
  )
}

/** Refusals that are of one field. */
export const FIELD_OF: Record<string, keyof ConnectionFormValues> = {
  invalid_url: "base_url",
  insecure_url: "base_url",
  token_required: "api_token",
  sales_channel_not_found: "sales_channel_id",
  region_not_found: "region_id",
  connection_exists: "page_uid",
}
