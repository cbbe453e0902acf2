import { z } from "zod"

/** What the option `reportFields` is given of an order. */
export type ReportedOrder = {
  order_id: string
  display_id: number | null
  /** Personal: it leaves the store only if your function returns it. */
  email: string | null
  currency_code: string
  placed_at: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  /** Pieces and amount (major units, with tax) of what was sold at the show's price. */
  units: number
  gross: number
}

/**
 * Option `reportFields`: further fields of `POST /processOrders` (gap 47). Off by default, so that nothing but the order
 * number leaves the store. Whatever the function returns is sent.
 */
export type ReportFields = (
  order: ReportedOrder,
) => Record<string, unknown> | Promise<Record<string, unknown>>

const plain = z.record(z.string(), z.json())

/**
 * Asks the store's function.
 * @throws Error where it fails or returns what is not plain JSON
 */
export async function fieldsOf(
  reportFields: ReportFields | undefined,
  order: ReportedOrder,
): Promise<Record<string, unknown>> {
  if (!reportFields) return {}
  return plain.parse(await reportFields(order))
}
