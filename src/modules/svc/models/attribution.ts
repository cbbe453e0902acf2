import type { InferTypeOf } from "@medusajs/framework/types"
import { model } from "@medusajs/framework/utils"
import { HOLDS_NUMBER } from "../shared/holds-number"

/**
 * An order that came from a campaign, and whether the service was told: one row per order and campaign (gap 48). Written
 * when the order is placed, sent off the checkout path, retried until accepted.
 *
 * waiting -> reported | failed | duplicate (the number belongs to another order already: gap 49) | excluded
 */
export const SvcAttribution = model
  .define("svc_attribution", {
    id: model.id({ prefix: "svcatt" }).primaryKey(),
    order_id: model.text().searchable(),
    display_id: model.number().nullable(),
    cart_id: model.text().nullable(),
    connection_id: model.text(),
    /** The page that gave the number (`pageOf`): no other one is told of it. */
    page: model.text(),
    campaign_uid: model.text(),
    svc_order_no: model.text().searchable(),
    state: model
      .enum(["waiting", "reported", "failed", "duplicate", "excluded"])
      .default("waiting"),
    currency_code: model.text(),
    /** Whether something in the order was sold at this campaign's price. What it earned says the ledger. */
    has_show_lines: model.boolean().default(true),
    placed_at: model.dateTime(),
    reason_code: model.text().nullable(),
    reason_message: model.text().nullable(),
    reason_fix: model.text().nullable(),
    /** What the reason's sentence was made with. */
    reason_params: model.json().nullable(),
    attempts: model.number().default(0),
    next_attempt_at: model.dateTime().nullable(),
    lease_token: model.text().nullable(),
    lease_until: model.dateTime().nullable(),
    reported_at: model.dateTime().nullable(),
    /** A person asked for the report: rules and waiting do not hold it up. */
    forced: model.boolean().default(false),
    /** What Medusa's event bus is still to be told. */
    announce: model.enum(["reported", "failed", "excluded"]).nullable(),
  })
  .indexes([
    {
      name: "IDX_svc_attribution_once_per_order",
      on: ["order_id", "svc_order_no", "connection_id", "campaign_uid"],
      unique: true,
    },
    { on: ["display_id"] },
    {
      name: "IDX_svc_attribution_number",
      on: ["page", "svc_order_no"],
      unique: true,
      where: HOLDS_NUMBER,
    },
    {
      name: "IDX_svc_attribution_waiting",
      on: ["connection_id", "next_attempt_at"],
      where: "state = 'waiting' AND deleted_at IS NULL",
    },
    // Health counts what needs somebody, without reading the others.
    {
      name: "IDX_svc_attribution_problem",
      on: ["connection_id", "state"],
      where: "state IN ('failed', 'duplicate') AND deleted_at IS NULL",
    },
    {
      name: "IDX_svc_attribution_announce",
      on: ["updated_at"],
      where: "announce IS NOT NULL AND deleted_at IS NULL",
    },
    { on: ["connection_id", "campaign_uid"] },
    {
      name: "IDX_svc_attribution_without_lines",
      on: ["connection_id", "campaign_uid"],
      where: "NOT has_show_lines AND deleted_at IS NULL",
    },
    { on: ["placed_at", "id"] },
  ])

export type Attribution = InferTypeOf<typeof SvcAttribution>
