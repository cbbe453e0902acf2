import { lookup } from "node:dns/promises"
import type { MedusaContainer } from "@medusajs/framework/types"
import { isNeighbour, SvcError } from "../../client"
import { SVC_MODULE, type Webhook } from "../../modules/svc"
import { diagnose, type Evidence, type Finding, readKeys } from "../../modules/svc/webhooks"
import { probeReceiver } from "./probe-receiver"
import { readReceivingProblems } from "./read-receiving"
import { noteListed } from "./refresh-webhook"
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
    subscribersOf(container, connectionId, row),
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
  const problems = await readReceivingProblems(svc, [connection])
  return diagnose({
    now: await svc.shows.projection.now(),
    url,
    allowInsecure: allowInsecureUrls,
    isPrivate,
    pageUid: connection.page_uid,
    maxBytes: svc.options.webhookMaxBytes,
    problems: problems.get(connectionId) ?? [],
    webhook: row && {
      webhookUid: row.webhook_uid,
      keyIsReadable:
        (row.signature_key ?? row.candidate_key) === null ? null : keys.readable.length > 0,
      lastDeliveryAt: row.last_delivery_at,
      keyUpdatedAt: row.signature_key_updated_at,
    },
    subscribers,
    refusals,
    probes,
  })
}

/** What the service lists; of our own it is written down. */
async function subscribersOf(
  container: MedusaContainer,
  connectionId: string,
  row: Webhook | null,
): Promise<Evidence["subscribers"]> {
  const { calls } = container.resolve(SVC_MODULE).connections
  try {
    const listed = await calls.now(connectionId, "webhooks", (client) =>
      client.listWebhooks({ timeoutMs: SERVICE_TIMEOUT_MS }),
    )
    if (row) await noteListed(container, row, listed)
    return listed.subscribers
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
