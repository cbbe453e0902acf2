/** When a connection's orders are reported to the service: what its row says, and the API. */
import { z } from "zod"
import { readStored } from "../shared/stored-settings"

export const reportSettings = z.strictObject({
  /** `order_placed`: as soon as the payment is authorised. `payment_captured`: when it is captured (gap 50). */
  report_on: z.enum(["order_placed", "payment_captured"]).optional(),
  /** Hold reports back until the cart or the order says `svc_consent` in its metadata. */
  needs_consent: z.boolean().optional(),
})
export type ReportSettings = z.infer<typeof reportSettings>

/** Settings as a connection's row holds them; null is none. Neither is guessed: an order that was told stays told. */
export const readReportSettings = (
  stored: unknown,
): { settings: ReportSettings; unreadable: string | null } =>
  readStored("report_settings", stored, reportSettings, ["report_on", "needs_consent"])
