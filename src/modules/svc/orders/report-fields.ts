import { z } from "zod"
import { within } from "../shared/within"

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
  /** Pieces that were sold at the show's price, and amounts in major units with tax, as the results have them. */
  units: number
  gross: number
  discounts: number
  /** `gross` less `discounts` and what was given back. */
  net: number
}

/**
 * Option `reportFields`: further fields of `POST /processOrders` (gap 47). Off by default, so that nothing but the order
 * number leaves the store. Whatever the function returns is sent.
 */
export type ReportFields = (
  order: ReportedOrder,
) => Record<string, unknown> | Promise<Record<string, unknown>>

const plain = z.record(z.string(), z.json())

/** A function that waits for something which never comes would keep every report of the connection waiting. */
const LIMIT_MS = 5_000

/**
 * Asks the store's function.
 * @throws Error where it fails, takes longer than five seconds, or returns what is not plain JSON
 */
export async function fieldsOf(
  reportFields: ReportFields,
  order: ReportedOrder,
): Promise<Record<string, unknown>> {
  const late = `It did not answer within ${LIMIT_MS / 1_000} s.`
  return plain.parse(await within(LIMIT_MS, late, () => reportFields(order)))
}
