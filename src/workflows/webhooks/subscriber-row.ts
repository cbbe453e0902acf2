import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { FIX, SvcError, withoutLastSlashes } from "../../client"
import type { Subscriber } from "../../contract"
import { type SvcModuleService, SvcRefusal, type Webhook } from "../../modules/svc"
import type { Reason } from "../../modules/svc/shared/reason"
import { findingText } from "../../modules/svc/webhooks/reasons"
import type { KeyColumns } from "../../modules/svc/webhooks/signature-keys"
import type { ToldSubscriber } from "../../modules/svc/webhooks/subscriber-rows"

/** How long one change of a subscriber waits for another, in seconds: longer than the calls of a change take. */
const LOCK_SECONDS = 60
/** Milliseconds for a call while a person waits. */
export const CALL_TIMEOUT_MS = 10_000

/** Runs one change of a connection's subscriber at a time: of two rotations at once we could keep the dead key. */
export function withWebhookLock<T>(
  container: MedusaContainer,
  connectionId: string,
  change: () => Promise<T>,
): Promise<T> {
  return container
    .resolve(Modules.LOCKING)
    .execute(`svc-webhook:${connectionId}`, change, { timeout: LOCK_SECONDS })
}

/** The rotation as the row has it, to be put back where a call certainly changed nothing. */
export const rotationOf = (row: Webhook): Pick<KeyColumns, "rotation" | "rotating_until"> => ({
  rotation: row.rotation === "asked" || row.rotation === "answered" ? row.rotation : null,
  rotating_until: row.rotating_until,
})

/** The connection's subscriber row; null where there is none. */
export async function findWebhook(
  svc: SvcModuleService,
  connectionId: string,
): Promise<Webhook | null> {
  const [row] = await svc.listSvcWebhooks({ connection_id: connectionId })
  return row ?? null
}

/** @throws SvcRefusal `webhook_not_registered` */
export async function requireRegistered(
  svc: SvcModuleService,
  connectionId: string,
): Promise<Webhook & { webhook_uid: string }> {
  const row = await findWebhook(svc, connectionId)
  if (!row?.webhook_uid) {
    throw new SvcRefusal(
      "webhook_not_registered",
      "No webhook is registered from here. Register it first, or rotate the key in the service's dashboard and paste it.",
    )
  }
  return { ...row, webhook_uid: row.webhook_uid }
}

export async function createWebhookRow(
  svc: SvcModuleService,
  connectionId: string,
  url: string | null,
): Promise<Webhook> {
  return svc.createSvcWebhooks({
    connection_id: connectionId,
    url,
    topics: jsonList([]),
    custom_headers: jsonList([]),
  })
}

/**
 * Where the service has to send deliveries of a connection.
 * @throws SvcRefusal `backend_url_missing`, `insecure_url`
 */
export function deliveryUrl(svc: SvcModuleService, connectionId: string): string {
  const { backendUrl, allowInsecureUrls } = svc.options
  if (!backendUrl) {
    throw new SvcRefusal(
      "backend_url_missing",
      "The service must know this store's public address. Set SVC_BACKEND_URL (or the option backendUrl) to it, such as https://shop.example.com, and restart the store.",
    )
  }
  if (!backendUrl.startsWith("https://") && !allowInsecureUrls) {
    throw new SvcRefusal(
      "insecure_url",
      "The service delivers to https addresses only. Set SVC_BACKEND_URL to this store's https address and restart the store.",
    )
  }
  return hookUrl(backendUrl, connectionId)
}

/** Why no webhook can be registered: the store was not told its public address. Null where it was. */
export const addressProblem = ({ options }: SvcModuleService): Reason | null =>
  options.backendUrl ? null : findingText("backend_url_missing")

/** The receiver's address below the store's own. */
export const hookUrl = (backendUrl: string, connectionId: string): string =>
  `${withoutLastSlashes(backendUrl)}/hooks/svc/${connectionId}`

/** What the service says of a subscriber. Names of headers only: their values may be secrets. */
export const toldSubscriber = ({ state, topics, customHeaders }: Subscriber): ToldSubscriber => ({
  state: state ?? null,
  ...(topics ? { topics } : {}),
  ...(customHeaders ? { customHeaders: customHeaders.map(({ name }) => name) } : {}),
})

/** The model's JSON columns hold lists, which its types do not know. */
const jsonList = (list: string[]) => list as unknown as Record<string, unknown>
export const readList = (json: unknown): string[] =>
  Array.isArray(json) ? json.filter((item): item is string => typeof item === "string") : []

/** Turns a failed call into a refusal that a person can act on; other errors are returned as they are. */
export function callFailed(error: unknown, what: string): unknown {
  if (!(error instanceof SvcError)) return error
  const answer = error.said ? ` Its answer: ${error.said}` : ""
  const params = error.said ? { answer: error.said } : undefined
  return new SvcRefusal(
    "svc_call_failed",
    `${what} ${error.message}${answer} ${nextStep(error)}`,
    params,
  )
}

/** Unlike background work, what a person asked for is not tried again by itself. */
const nextStep = (error: SvcError): string => {
  if (error.failure !== "retry") return FIX[error.code]
  return error.code === "svc_unreachable"
    ? "Check the service address in the connection's settings, then try again."
    : "Try again in a moment."
}

/** Whether a failed call may have been carried out all the same: then only the service knows (gap 13). */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof SvcError) || (error.failure === "retry" && error.code !== "svc_rate_limited")
