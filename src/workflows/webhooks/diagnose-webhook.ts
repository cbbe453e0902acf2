import { lookup } from "node:dns/promises"
import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import type { MedusaContainer } from "@medusajs/framework/types"
import { isNeighbour, SvcError } from "../../client"
import { HEADERS, isObject, signDelivery, TEST_TOPIC, TOPICS } from "../../contract"
import { type Connection, SVC_MODULE, type SvcModuleService, type Webhook } from "../../modules/svc"
import { PROBE_TOPIC } from "../../modules/svc/webhooks/admission"
import {
  diagnose,
  type Evidence,
  type Finding,
  type ProbeResult,
} from "../../modules/svc/webhooks/doctor"
import { type ReadableKey, readKeys } from "../../modules/svc/webhooks/signature-keys"
import { findWebhook, hookUrl } from "./subscriber-row"

const SERVICE_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 8_000
/** Room for the envelope of the large probe. */
const MARGIN_BYTES = 1_024

export type { Finding } from "../../modules/svc/webhooks/doctor"

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
  await svc.admission.writeRefusals()
  const row = await findWebhook(svc, connectionId)
  const keys = row
    ? readKeys(svc.keyring, { ...row, webhook_id: row.id, rotation_over: false })
    : { readable: [], unreadable: false }
  const { backendUrl, allowInsecureUrls } = svc.options
  const url = backendUrl ? hookUrl(backendUrl, connectionId) : null
  const [subscribers, isPrivate, probes, refusals] = await Promise.all([
    subscribersOf(svc, connection),
    url === null ? null : leadsInside(new URL(url).hostname),
    url === null ? null : probe(url, connection, keys.readable[0], svc.options.webhookMaxBytes),
    svc.refusals.ofConnection(connectionId),
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
    refusals: refusals.map(({ reason, count, last_at, samples }) => ({
      reason,
      count,
      last_at,
      off_ms: samples[0]?.off_ms ?? null,
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
    return await svc.calls.now(connection.id, (client) =>
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

/** Sends two signed bodies the way that the service's deliveries come. They are verified and kept nowhere. */
async function probe(
  url: string,
  connection: Connection,
  key: ReadableKey | undefined,
  maxBytes: number,
): Promise<Evidence["probes"]> {
  if (!key) return null
  const bodyOf = (filling: string) =>
    Buffer.from(
      JSON.stringify({
        version: "v1",
        topic: PROBE_TOPIC,
        metadata: { pageUid: connection.page_uid },
        // Spaces, escapes and letters beyond ASCII are what rewriters of bodies change.
        data: { text: "Æblegrød  \u2028 é", filling },
      }).replace("{", "{ "),
    )
  const small = await send(url, key.key, bodyOf(""))
  const large = bodyOf("x".repeat(Math.max(0, maxBytes - MARGIN_BYTES)))
  const answered = small.kind === "accepted" ? await send(url, key.key, large) : small
  return {
    small,
    large: {
      ...answered,
      bytes: large.length,
      ...(answered.kind === "foreign" ? { status: answered.status } : {}),
    },
  }
}

function send(url: string, key: string, body: Buffer): Promise<ProbeResult> {
  const timestamp = String(Date.now())
  const request = url.startsWith("https:") ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const call = request(
      url,
      {
        method: "POST",
        timeout: PROBE_TIMEOUT_MS,
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          "user-agent": "Svc-Webhooks/1 (probe of medusa-plugin-svc)",
          [HEADERS.timestamp]: timestamp,
          [HEADERS.signature]: signDelivery(key, timestamp, body),
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.once("error", (error) => resolve({ kind: "unreachable", problem: error.message }))
        answer.once("end", () =>
          resolve(resultOf(answer.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))),
        )
      },
    )
    call.once("timeout", () => call.destroy(new Error("It did not answer in time.")))
    call.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ kind: "unreachable", problem: error.code ?? error.message }),
    )
    call.end(body)
  })
}

/** Whose answer it is: ours names a code, or what it did. */
function resultOf(status: number, text: string): ProbeResult {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { kind: "foreign", status }
  }
  if (!isObject(body)) return { kind: "foreign", status }
  if (body.received === true && body.outcome === "probe") return { kind: "accepted" }
  if (body.code === "not_verified") return { kind: "not_verified" }
  if (body.code === "try_again" || body.code === "too_many_requests") return { kind: "not_ready" }
  return { kind: "foreign", status }
}
