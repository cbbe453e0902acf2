import type { MedusaContainer } from "@medusajs/framework/types"
import { readLastCheck, SVC_MODULE } from "../../modules/svc"
import { judgeSetup, readStorefrontCheck, type SetupStep } from "../../modules/svc/connections"
import { readReason } from "../../modules/svc/shared/reason"
import { readSync } from "../catalog"
import { addressProblem, findWebhook, lastRefusal, webhookProblem } from "../webhooks"

/**
 * How far a connection has come: its first steps, each with its state. Reads rows only; the service is not called.
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function readSetup(container: MedusaContainer, id: string): Promise<SetupStep[]> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(id)
  const [market, sync, webhook, refusal, seen] = await Promise.all([
    svc.connections.marketFits.read({
      channelId: connection.sales_channel_id,
      regionId: connection.region_id,
    }),
    readSync(container, id),
    findWebhook(svc, id),
    lastRefusal(svc, id),
    svc.connections.setup.read(connection),
  ])
  return judgeSetup({
    connection: {
      status: connection.status,
      last_error: readReason(connection.last_error),
      last_check: readLastCheck(connection),
      storefront_url: connection.storefront_url,
    },
    market,
    storefront: readStorefrontCheck(connection),
    sync: {
      status: sync.status,
      finished_at: sync.finished_at ? new Date(sync.finished_at) : null,
      reason: sync.reason,
    },
    webhook: {
      problem: (await webhookProblem(svc, id, webhook))?.reason ?? null,
      registered: Boolean(webhook?.webhook_uid || webhook?.signature_key),
      address_problem: addressProblem(svc),
      key_updated_at: webhook?.signature_key_updated_at ?? null,
      last_delivery_at: webhook?.last_delivery_at ?? null,
    },
    refusal,
    ...seen,
  })
}
