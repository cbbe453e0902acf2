/** Every reason of this domain, once: the codes are stable, the sentences are English, the admin translates by code. */
import type { Reason } from "../shared/reason"

/** Why an order is not reported yet. */
export const WAITING = {
  payment_not_authorised: (): Reason => ({
    code: "payment_not_authorised",
    message: "The order's payment is not authorised yet.",
    fix: "Nothing to do: it is reported when the payment arrives.",
  }),
  payment_not_captured: (): Reason => ({
    code: "payment_not_captured",
    message: "The order's payment is not captured yet, and orders are reported when it is.",
    fix: "Capture the payment, or have orders reported when they are placed.",
  }),
  consent_missing: (): Reason => ({
    code: "consent_missing",
    message: "The shopper has not agreed that the order is reported to the service.",
    fix: "Nothing to do, unless your storefront should have asked: it sets svc_consent on the cart.",
  }),
} as const

/** Why an order is not reported at all. */
export const EXCLUDED = {
  order_cancelled: (): Reason => ({
    code: "order_cancelled",
    message: "The order was cancelled before it was reported.",
    fix: "Nothing to do.",
  }),
  order_deleted: (): Reason => ({
    code: "order_deleted",
    message: "The order does not exist any more.",
    fix: "Nothing to do.",
  }),
  email_excluded: (pattern: string): Reason => ({
    code: "email_excluded",
    message: `Orders with an e-mail address like ${pattern} are not reported.`,
    fix: "Nothing to do, or change the addresses that are left out, then report the order.",
    params: { pattern },
  }),
  sales_channel_excluded: (salesChannelId: string): Reason => ({
    code: "sales_channel_excluded",
    message: "Orders of this sales channel are not reported.",
    fix: "Nothing to do, or change the sales channels that are left out, then report the order.",
    params: { sales_channel_id: salesChannelId },
  }),
  draft_order: (): Reason => ({
    code: "draft_order",
    message: "The order is a draft.",
    fix: "Nothing to do.",
  }),
  test_order: (): Reason => ({
    code: "test_order",
    message: "The order is marked as a test (svc_test in its metadata).",
    fix: "Nothing to do. Take the mark off if it is a real order, then report it.",
  }),
  no_show_lines: (): Reason => ({
    code: "no_show_lines",
    message: "Nothing in the order was sold at a show's price, and such orders are not reported.",
    fix: "Nothing to do, or have such orders reported too.",
  }),
  order_half_placed: (): Reason => ({
    code: "order_half_placed",
    message:
      "Medusa stopped while it placed this order: it has no cart, and perhaps no payment. The shopper may have ordered again.",
    fix: "Look for the payment at your payment provider. If the order is paid, report it here; otherwise cancel it.",
  }),
  waited_too_long: (days: number): Reason => ({
    code: "waited_too_long",
    message: `What the report waited for did not come within ${days} days.`,
    fix: "Nothing to do. Report the order if it should count at the service all the same.",
    params: { days: String(days) },
  }),
} as const

/** What a person has to look at. */
export const FAILED = {
  order_conflict: (said: string | null): Reason => ({
    code: "order_conflict",
    message: `The service refused the first report of this order number as a conflict (409).${said ? ` Answer: ${said}` : ""}`,
    fix: "Ask the service's support what the number belongs to. Report the order again when it is free.",
  }),
  order_number_used: (orderId: string): Reason => ({
    code: "order_number_used",
    message: "Another order was reported with this order number already.",
    fix: "Nothing to do, unless the other order was placed by mistake. This one counts among your results.",
    params: { order_id: orderId },
  }),
  order_number_shared: (campaignUid: string): Reason => ({
    code: "order_number_shared",
    message:
      "The service gave one order number for several campaigns, and this order is reported with it already.",
    fix: "Nothing to do. What was sold counts among the results of each campaign.",
    params: { campaign_uid: campaignUid },
  }),
  connection_not_found: (): Reason => ({
    code: "connection_not_found",
    message: "The connection of this order's show was deleted before the order was reported.",
    fix: "Nothing to do, unless the order should count for the show: the service has to be told by hand then.",
  }),
  report_fields_failed: (problem: string): Reason => ({
    code: "report_fields_failed",
    message: `The store's own reportFields failed: ${problem}`,
    fix: "Correct reportFields in medusa-config.ts. The order is reported again by itself.",
    params: { problem },
  }),
  report_store_error: (problem: string): Reason => ({
    code: "report_store_error",
    message: `The order could not be reported, because of a failure in the store's own database: ${problem}`,
    fix: "Nothing to do: we keep trying by ourselves. If it stays, look at the store's database.",
    params: { problem },
  }),
} as const

/** What differs between a line of an order and the proof of its price. */
export const FLAGS = {
  price_differs: (charged: number, proven: number): Reason => ({
    code: "price_differs",
    message: `A piece was charged ${charged}, and the show's price was ${proven}.`,
    fix: "Check the order. Another plugin or a change by hand may have set the price.",
    params: { charged: String(charged), proven: String(proven) },
  }),
  tax_basis_differs: (): Reason => ({
    code: "tax_basis_differs",
    message: "The show's price was proven with another tax basis than the line was charged with.",
    fix: "Check the tax of the order.",
  }),
  price_expired: (expiredAt: string): Reason => ({
    code: "price_expired",
    message: "The show's price no longer held when the order was placed.",
    fix: "Nothing to do, unless you do not want to sell at that price: a payment provider placed the order for a shopper who had left the checkout.",
    params: { expired_at: expiredAt },
  }),
  campaign_over: (): Reason => ({
    code: "campaign_over",
    message: "The show was over when the order was placed.",
    fix: "Nothing to do, unless you do not want to sell at that price.",
  }),
  price_unproven: (): Reason => ({
    code: "price_unproven",
    message: "The line says that it is a show's, and there is no proof of its price.",
    fix: "Check the price that was charged.",
  }),
} as const
