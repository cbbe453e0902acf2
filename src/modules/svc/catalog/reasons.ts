/** Why a product is not at the service as the merchant may expect, in words that can be acted on. */
import type { Reason } from "../shared/reason"

type Where = { regionName: string; currencyCode: string }

const CONNECTION = "the connection's settings"

export const REASON = {
  no_variants: (): Reason => ({
    code: "no_variants",
    message: "The product has no variant, so it has no price and cannot be sold.",
    fix: "Add a variant with a price.",
  }),
  no_price: ({ regionName, currencyCode }: Where): Reason => ({
    code: "no_price",
    message: `No variant has a price in ${currencyCode.toUpperCase()}, the currency of the region "${regionName}".`,
    fix: `Add a price in ${currencyCode.toUpperCase()} to the variants.`,
  }),
  variants_without_price: (titles: string[], { currencyCode }: Where): Reason => ({
    code: "variants_without_price",
    message: `The product is at the service, without the variants that have no price in ${currencyCode.toUpperCase()}: ${enumerate(titles)}.`,
    fix: `Add a price in ${currencyCode.toUpperCase()} to these variants.`,
  }),
  incomplete: (fields: string[]): Reason => ({
    code: "incomplete",
    message: `The service needs more than the product has (${fields.join("; ")}).`,
    fix: "Complete the product; it is then sent by itself.",
  }),
  not_published: (): Reason => ({
    code: "not_published",
    message: "The product is not published, so it is not for sale at the service.",
    fix: "Publish the product if it should be sold.",
  }),
  not_in_channel: (): Reason => ({
    code: "not_in_channel",
    message: "The product is not in the connection's sales channel.",
    fix: "Add the product to the sales channel if it should be sold there.",
  }),
  deleted: (): Reason => ({
    code: "deleted",
    message: "The product was deleted in the store.",
    fix: "Nothing to do.",
  }),
  region_missing: (): Reason => ({
    code: "region_missing",
    message: "The connection's region does not exist any more, so no price can be read.",
    fix: `Choose a region in ${CONNECTION}.`,
  }),
  store_error: (message: string): Reason => ({
    code: "store_error",
    message: `The product could not be read from the store: ${message}`,
    fix: "Nothing to do: we keep trying by ourselves. If it stays, look at the store's log.",
  }),
  rejected: (message: string): Reason => ({
    code: "svc_rejected",
    message: `The service refused this product: ${message}`,
    fix: "Correct the product as the service says; it is then sent by itself.",
  }),
} as const

const SHOWN = 5
const enumerate = (titles: string[]): string =>
  titles.length > SHOWN
    ? `${titles.slice(0, SHOWN).join(", ")} and ${titles.length - SHOWN} more`
    : titles.join(", ")
