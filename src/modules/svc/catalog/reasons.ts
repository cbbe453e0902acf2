/**
 * Why a product is not at the service as the merchant may expect, or why a connection sends nothing: the codes of the
 * catalog. Their sentences are in the catalogue of all texts.
 */
import type { ReasonCode } from "../../../texts"
import { type Reason, type ReasonParams, reasonFor } from "../shared/reason"

export const CATALOG_CODES = [
  "no_variants",
  "no_price",
  "variants_without_price",
  "tax_elsewhere",
  "zero_price",
  "image_unusable",
  "incomplete",
  "not_published",
  "not_in_channel",
  "channel_disabled",
  "excluded",
  "excluded_by_mapper",
  "mapper_failed",
  "unreadable",
  "deleted",
  "region_missing",
  "store_error",
  "import_failed",
  "svc_rejected",
  "product_too_large",
  "product_fails_alone",
  "endpoint_refuses",
  "most_refused",
  "service_fails",
  "slow_down",
] as const satisfies ReasonCode[]

export type CatalogReasonCode = (typeof CATALOG_CODES)[number]

export const catalogReason = (code: CatalogReasonCode, params?: ReasonParams): Reason =>
  reasonFor(code, params)

const SHOWN = 5

/** Names for a sentence: the first few, and how many more. */
export const enumerate = (names: string[]): string =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(", ")}, +${names.length - SHOWN}`
    : names.join(", ")
