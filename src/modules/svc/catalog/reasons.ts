/**
 * Why a product is not at the service as the merchant may expect, or why a connection sends nothing: the only list of the
 * catalog's codes. Sentences are templates, so that a translation needs the code and the parameters only.
 */
import { type Reason, type ReasonText, reasonFrom } from "../shared/reason"

export const CATALOG_REASONS = {
  no_variants: {
    message: "The product has no variant, so it has no price and cannot be sold.",
    fix: "Add a variant with a price.",
  },
  no_price: {
    message: 'No variant has a price in {currency}, the currency of the region "{region}".',
    fix: "Add a price in {currency} to the variants.",
  },
  variants_without_price: {
    message:
      "The product is at the service, without the variants that have no price in {currency}: {variants}.",
    fix: "Add a price in {currency} to these variants.",
  },
  zero_price: {
    message: "The product is at the service with a price of 0: {variants}.",
    fix: "Set a price in {currency}, unless it is meant to be free.",
  },
  image_unusable: {
    message: "The product is at the service without pictures whose address is not one: {images}.",
    fix: "Upload these pictures again, or correct their addresses.",
  },
  incomplete: {
    message: "The service needs more than the product has ({fields}).",
    fix: "Complete the product; it is then sent by itself.",
  },
  not_published: {
    message: "The product is not published, so it is not for sale at the service.",
    fix: "Publish the product if it should be sold.",
  },
  not_in_channel: {
    message: "The product is not in the connection's sales channel.",
    fix: "Add the product to the sales channel if it should be sold there.",
  },
  channel_disabled: {
    message: "The connection's sales channel is turned off or was deleted, so nothing is for sale.",
    fix: "Turn the sales channel on, or choose another one in the connection's settings.",
  },
  excluded: {
    message: "The connection's settings leave this product out ({rule}).",
    fix: "Change which products are sent in the connection's settings, if it should be sold there.",
  },
  excluded_by_mapper: {
    message: "The store's own mapProduct leaves this product out.",
    fix: "Change mapProduct in medusa-config.ts, if it should be sold there.",
  },
  mapper_failed: {
    message: "The store's own mapProduct failed for this product: {problem}.",
    fix: "Correct mapProduct in medusa-config.ts and restart the store.",
  },
  unreadable: {
    message: "The product could not be turned into what the service takes: {problem}.",
    fix: "Look for what is unusual about this product, and report the error.",
  },
  deleted: { message: "The product was deleted in the store.", fix: "Nothing to do." },
  region_missing: {
    message: "The connection's region does not exist any more, so no price can be read.",
    fix: "Choose a region in the connection's settings.",
  },
  store_error: {
    message: "The product could not be read from the store: {problem}",
    fix: "Nothing to do: we keep trying by ourselves. If it stays, look at the store's log.",
  },
  import_failed: {
    message:
      "The import was given up a day after it began, because the store's products could not be read: {problem}",
    fix: "Look at the store's log and at its database, then start the import again.",
  },
  svc_rejected: {
    message: "The service refused this product: {answer}",
    fix: "Correct the product as the service says; it is then sent by itself.",
  },
  product_too_large: {
    message: "The product is too large for the service, even when it is sent alone.",
    fix: "Shorten its texts, or remove pictures or variants.",
  },
  product_fails_alone: {
    message:
      "Others pass, this product does not: {answer} We keep trying, less and less often, for a day.",
    fix: "If it stays, look for what is unusual about this product and tell the service.",
  },
  given_up: {
    message: "{answer} We tried for 24 hours.",
    fix: 'Nothing has to be done: it is tried again each night. "Send again" tries at once.',
  },
  endpoint_refuses: {
    message:
      "The service does not take products at this address ({status}), so nothing is sent for now: {answer}",
    fix: "Check the service address and what your plan includes. We try again by ourselves every minute.",
  },
  most_refused: {
    message: "The service refuses most of what is sent, so we pause. It says: {answer}",
    fix: "Correct what the service says. We try a few products again by ourselves every minute.",
  },
  service_fails: {
    message: "Nothing can be sent for now: {answer}",
    fix: "Nothing to do: we try again by ourselves at least every minute.",
  },
  slow_down: {
    message: "The service asked us to slow down, so we wait as long as it said.",
    fix: "Nothing to do: sending goes on by itself, a little slower.",
  },
} as const satisfies Record<string, ReasonText>

export type CatalogReasonCode = keyof typeof CATALOG_REASONS

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Params<Code extends CatalogReasonCode> = Placeholders<
  (typeof CATALOG_REASONS)[Code]["message"] | (typeof CATALOG_REASONS)[Code]["fix"]
>
/** What a code's sentences name; none for most. */
type ParamsOf<Code extends CatalogReasonCode> = [Params<Code>] extends [never]
  ? []
  : [params: Record<Params<Code>, string>]

/** A reason in English; its code and parameters say the same in any language. */
export function catalogReason<Code extends CatalogReasonCode>(
  code: Code,
  ...[params]: ParamsOf<Code>
): Reason {
  return reasonFrom(CATALOG_REASONS, code, params)
}

const SHOWN = 5

/** Names for a sentence: the first few, and how many more. */
export const enumerate = (names: string[]): string =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more`
    : names.join(", ")
