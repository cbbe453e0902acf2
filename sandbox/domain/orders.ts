/**
 * Order numbers: issued when a checkout begins, converted when the shop reports the order
 * (interface §1, §4.3).
 */

import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { parse } from "../contract/input"
import { shaped } from "../simulation/identifiers"
import type { Context } from "../store/context"
import type { Order } from "../store/tables"
import { eventOfCampaign, getCampaign } from "./campaigns"

const orderNumberRequest = z.looseObject({
  campaign_uid: z.string().min(1),
  page_uid: z.string().optional(),
})

export type OrderNumberInput = { campaign_uid: string; page_uid?: string }

export function issueOrderNumber(context: Context, body: unknown): Order {
  const { campaign_uid, page_uid } = parse(orderNumberRequest, body)
  const campaign = getCampaign(context, campaign_uid, page_uid)
  if (eventOfCampaign(context, campaign_uid)?.deleted_at != null) {
    throw new SandboxError(404, "campaign_not_found", `Campaign "${campaign_uid}" was deleted.`)
  }
  const order: Order = {
    order_no: shaped(context, `SVC-${context.random.letters(10).toUpperCase()}`),
    campaign_uid,
    page_uid: campaign.page_uid,
    issued_at: context.clock.now(),
    converted_at: null,
    reports: 0,
  }
  context.tables.orders.set(order.order_no, order)
  context.changes.touch("orders")
  return order
}

/** Other fields are not shown (interface §4.3, gap 47). */
const orderReport = z.looseObject({ svcOrderNumber: z.string().min(1) })

/** interface §4.3: the order with this number was placed. A repeat is the same conversion. */
export function processOrder(
  context: Context,
  pageUid: string,
  body: unknown,
  idempotencyKey?: string,
): Order {
  const { svcOrderNumber } = parse(orderReport, body)
  const order = context.tables.orders.get(svcOrderNumber)
  if (!order || order.page_uid !== pageUid) {
    throw new SandboxError(404, "order_not_found", `There is no order number "${svcOrderNumber}".`)
  }
  order.reports++
  context.changes.touch("orders")
  const profile = context.profiles.get("process_orders")
  order.idempotency_key ??= idempotencyKey
  if (profile === "keyed" && order.idempotency_key !== idempotencyKey) {
    const message = `"${svcOrderNumber}" was reported under another Idempotency-Key.`
    throw new SandboxError(422, "idempotency_key_differs", message)
  }
  if (order.converted_at !== null && profile === "conflict") {
    throw new SandboxError(409, "order_processed", `"${svcOrderNumber}" was reported before.`)
  }
  if (order.reports === 1 && profile === "conflict_first") {
    throw new SandboxError(409, "order_conflict", `"${svcOrderNumber}" is not this order's.`)
  }
  order.converted_at ??= context.clock.now()
  return order
}
