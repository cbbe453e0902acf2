import type { UseFormSetError } from "react-hook-form"
import type { ApiError } from "../../../lib/client"
import type { Connection, ConnectionInput } from "../../../lib/types"

export type ConnectionFormValues = Required<ConnectionInput>

export const EMPTY: ConnectionFormValues = {
  name: "",
  page_uid: "",
  base_url: "",
  api_token: "",
  sales_channel_id: "",
  region_id: "",
  storefront_url: "",
  prices_include_vat: true,
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
})

export function isHttpUrl(value: string): boolean {
  try {
    return /^https?:$/.test(new URL(value.trim()).protocol)
  } catch {
    return false
  }
}

/** The service compares addresses without their last slash; so do we before asking for the token again. */
export const sameAddress = (one: string, other: string): boolean =>
  one.trim().replace(/\/+$/, "") === other.trim().replace(/\/+$/, "")

const FIELD_OF: Record<string, keyof ConnectionFormValues> = {
  invalid_url: "base_url",
  insecure_url: "base_url",
  token_required: "api_token",
  sales_channel_not_found: "sales_channel_id",
  region_not_found: "region_id",
  connection_exists: "page_uid",
}

/** Puts a refusal beside the field that it is about; false where it is about none. */
export function showBesideField(
  error: ApiError,
  setError: UseFormSetError<ConnectionFormValues>,
): boolean {
  const field = FIELD_OF[error.code]
  if (!field) return false
  setError(field, { type: "server", message: error.message }, { shouldFocus: true })
  return true
}
