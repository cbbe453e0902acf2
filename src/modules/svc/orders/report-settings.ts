import { z } from "zod"

/** Which orders are reported to the service, and when: what the store says, unless a connection says otherwise. */
export type ReportSettings = {
  /** `order_placed`: as soon as the payment is authorised. `payment_captured`: when it is captured. */
  reportOn: "order_placed" | "payment_captured"
  /** Hold reports back until the cart or the order says `svc_consent` in its metadata. */
  reportNeedsConsent: boolean
  /** Report an order in which nothing was sold at a show's price, too. */
  reportWithoutShowLines: boolean
  /** Addresses whose orders are left out; `*` stands for anything. */
  excludeEmails: string[]
  excludeSalesChannels: string[]
  excludeDraftOrders: boolean
  /** Orders with `svc_test` in their metadata, which is copied from the cart's. */
  excludeTestOrders: boolean
}

/** What a connection may say for itself, in its row and in the API; what is absent is as in the store. */
export const connectionReportSettings = z.strictObject({
  report_on: z.enum(["order_placed", "payment_captured"]).optional(),
  needs_consent: z.boolean().optional(),
  without_show_lines: z.boolean().optional(),
  exclude_emails: z.array(z.string().trim().min(1).max(320)).max(100).optional(),
})
export type ConnectionReportSettings = z.infer<typeof connectionReportSettings>

/** Reads the column of a connection; what cannot be read is as if nothing were said. */
export const readReportSettings = (column: unknown): ConnectionReportSettings | null =>
  connectionReportSettings.safeParse(column).data ?? null

export const settingsOf = (
  store: ReportSettings,
  connection: ConnectionReportSettings | null,
): ReportSettings => ({
  ...store,
  reportOn: connection?.report_on ?? store.reportOn,
  reportNeedsConsent: connection?.needs_consent ?? store.reportNeedsConsent,
  reportWithoutShowLines: connection?.without_show_lines ?? store.reportWithoutShowLines,
  excludeEmails: connection?.exclude_emails ?? store.excludeEmails,
})
