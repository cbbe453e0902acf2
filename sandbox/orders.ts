/**
 * Order numbers: issued when a checkout begins, converted when the shop reports the order
 * (interface §1, §4.3).
 */

import { z } from "zod"
import { getCampaign } from "./campaigns"
import { SandboxError } from "./errors"
import { parse } from "./input"
import type { Order } from "./state"
import type { World } from "./world"

const issue = z.looseObject({ campaign_uid: z.string().min(1), page_uid: z.string().optional() })

export function issueOrderNumber(world: World, body: unknown): Order {
  const { campaign_uid, page_uid } = parse(issue, body)
  const campaign = getCampaign(world, campaign_uid, page_uid)
  const order: Order = {
    order_no: `SVC-${world.random.letters(10).toUpperCase()}`,
    campaign_uid,
    page_uid: campaign.page_uid,
    issued_at: world.clock.now(),
    converted_at: null,
    reports: 0,
  }
  world.tables.orders.set(order.order_no, order)
  world.changes.touch("orders", campaign_uid)
  return order
}

const report = z.looseObject({ svcOrderNumber: z.string().min(1) })

/** interface §4.3: the order with this number was placed. A repeat is the same conversion. */
export function processOrder(world: World, pageUid: string, body: unknown): Order {
  const { svcOrderNumber } = parse(report, body)
  const order = world.tables.orders.get(svcOrderNumber)
  if (!order || order.page_uid !== pageUid) {
    throw new SandboxError(404, "order_not_found", `There is no order number "${svcOrderNumber}".`)
  }
  order.reports++
  world.changes.touch("orders", order.campaign_uid)
  if (order.converted_at !== null && world.profiles.get("process_orders") === "conflict") {
    throw new SandboxError(409, "order_processed", `"${svcOrderNumber}" was reported before.`)
  }
  order.converted_at ??= world.clock.now()
  return order
}
