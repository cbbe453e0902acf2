import { lookup } from "node:dns/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { isNeighbour, SvcError } from "../../client"
import { TEST_TOPIC, TOPICS } from "../../contract"
import { type Connection, SVC_MODULE, type SvcModuleService, type Webhook } from "../../modules/svc"
import {
  diagnose,
  type Evidence,
  type Finding,
  type ReadableKey,
  readKeys,
} from "../../modules/svc/webhooks"
import { probeReceiver } from "./probe-receiver"
import { findWebhook, hookUrl } from "./subscriber-row"

const SERVICE_TIMEOUT_MS = 5_000

export type { Finding } from "../../modules/svc/webhooks"

/**
 * Finds out why deliveries do not arrive, or says that they do. Asks the service about its record of us, looks at what
 * was refused, and sends a signed body to this store's own public address.
 *
 * @throws SvcRefusal `connection_not_found`
 */
export async function diagnoseWebhook(
  container: MedusaContainer,
  connectionId: string,
): Promise<Finding[]> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(connectionId)
  await svc.webhooks.admission.writeNotes()
  const row = await findWebhook(svc, connectionId)
  const keys = row
    ? readKeys(svc.keyring, { ...row, webhook_id: row.id, rotation_over: false })
    : { readable: [], unreadable: false }
  const [key] = keys.readable
  const { backendUrl, allowInsecureUrls } = svc.options
  const url = backendUrl ? hookUrl(backendUrl, connectionId) : null
  const [subscribers, isPrivate, probes, refusals] = await Promise.all([
    subscribersOf(svc, connection),
    url === null ? null : leadsInside(new URL(url).hostname),
    url === null || key === undefined
      ? null
      : probeReceiver(url, {
          pageUid: connection.page_uid,
          key: key.key,
          maxBytes: svc.options.webhookMaxBytes,
        }),
    svc.webhooks.refusals.ofConnection(connectionId),
  ])
  return diagnose({
    now: Date.now(),
    url,
    allowInsecure: allowInsecureUrls,
    isPrivate,
    pageUid: connection.page_uid,
    maxBytes: svc.options.webhookMaxBytes,
    wantedTopics: TOPICS.filter((topic) => topic !== TEST_TOPIC),
    webhook: row && webhookEvidence(row, keys.readable),
    subscribers,
    refusals: refusals.map(({ reason, count, last_at, sample }) => ({
      reason,
      count,
      last_at,
      off_ms: sample.off_ms,
    })),
    probes,
  })
}

const webhookEvidence = (row: Webhook, readable: ReadableKey[]): Evidence["webhook"] => ({
  webhookUid: row.webhook_uid,
  hasKey: row.signature_key !== null || row.candidate_key !== null,
  keyIsReadable: readable.length > 0,
  lastDeliveryAt: row.last_delivery_at,
  pausedAt: row.applying_paused_at,
})

async function subscribersOf(
  svc: SvcModuleService,
  connection: Connection,
): Promise<Evidence["subscribers"]> {
  try {
    return await svc.connections.calls.now(connection.id, "webhooks", (client) =>
      client.listWebhooks({ timeoutMs: SERVICE_TIMEOUT_MS }),
    )
  } catch (error) {
    if (error instanceof SvcError) return { problem: error.message }
    throw error
  }
}

/** Whether a name leads into a private network; null where it cannot be resolved. */
async function leadsInside(host: string): Promise<boolean | null> {
  try {
    const addresses = await lookup(host.replace(/^\[|\]$/g, ""), { all: true })
    return addresses.some(({ address }) => isNeighbour(address))
  } catch {
    return null
  }
}
