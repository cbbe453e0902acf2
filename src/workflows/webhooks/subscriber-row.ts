import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { type CallLimits, SvcError, withoutLastSlashes } from "../../client"
import { isNamed, mayBeNamed, type Subscriber, type SubscriberList, spelled } from "../../contract"
import {
  type Connection,
  messageOf,
  readLeftPage,
  refusalCode,
  refusalOf,
  SVC_MODULE,
  type SvcModuleService,
  SvcRefusal,
  type Webhook,
} from "../../modules/svc"
import { copyOf, hostOf } from "../../modules/svc/shared/copy-of"
import { type Reason, reasonFor, reasonOf } from "../../modules/svc/shared/reason"
import type { Circumstances, KeyColumns, ReceivingProblem } from "../../modules/svc/webhooks"
import { judgeClock, judgeSubscriber } from "../../modules/svc/webhooks"
import { REASONS } from "../../texts"
import { wakePulls } from "../shows"

/** How long one change of a subscriber waits for another, in seconds: longer than the calls of a change mostly take. */
const LOCK_SECONDS = 60
/**
 * While a person waits. Put off for a moment, too: the catalog's worker may be using up the calls that the service takes, and
 * half a change would be left.
 */
export const LIMITS = { timeoutMs: 10_000, patienceMs: 3_500 }

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

/** The connection's subscriber; null where there is none. */
export async function findWebhook(
  svc: SvcModuleService,
  connectionId: string,
): Promise<Webhook | null> {
  const [row] = await svc.listSvcWebhooks({ connection_id: connectionId })
  return row ?? null
}

/**
 * Runs one change of a connection's subscriber at a time, with the connection and the row as they are then. A page that is left is
 * left first: its webhook would be taken for one of the new page, and the new one would be forgotten with it.
 */
export const withSubscriber = <T>(
  container: MedusaContainer,
  connectionId: string,
  change: (svc: SvcModuleService, connection: Connection, row: Webhook | null) => Promise<T>,
): Promise<T> =>
  withWebhookLock(container, connectionId, async () => {
    const svc = container.resolve(SVC_MODULE)
    const connection = await svc.connection(connectionId)
    await forgetLeft(container, connection)
    return change(svc, connection, await findWebhook(svc, connectionId))
  })

/**
 * Leaves the page that the connection was moved away from: its shows, deliveries and webhook are not those of the new one.
 *
 * @returns the webhook that may still be there; null where it is gone, or where somebody has left the page already
 */
export const leavePage = (container: MedusaContainer, id: string): Promise<WebhookLeft | null> =>
  withWebhookLock(container, id, async () =>
    forgetLeft(container, await container.resolve(SVC_MODULE).connection(id)),
  )

/** To be called under the webhook's lock. */
async function forgetLeft(
  container: MedusaContainer,
  connection: Connection,
): Promise<WebhookLeft | null> {
  if (readLeftPage(connection) === null) return null
  const webhook = await leaveWebhook(container, connection)
  await container.resolve(SVC_MODULE).connections.rows.forgetPage(connection.id)
  wakePulls(container, [connection.id])
  return webhook
}

/**
 * Where the service has to send deliveries of a connection.
 * @throws SvcRefusal `backend_url_missing`, `insecure_url`
 */
export function deliveryUrl(svc: SvcModuleService, connectionId: string): string {
  const { backendUrl = "" } = svc.options
  const problem = addressProblem(svc)
  if (problem) throw refusalOf(problem.code)
  return hookUrl(backendUrl, connectionId)
}

/**
 * A copy of a database has the original's subscriber, whose deliveries would end with whatever the copy does to it. A store
 * that does not know its own address cannot tell.
 *
 * @throws SvcRefusal `webhook_of_another_store`: the subscriber leads to another store than this one
 */
export function assertOurs({ options }: SvcModuleService, { url }: Subscriber): void {
  const own = hostOf(options.backendUrl)
  if (own !== null && hostOf(url) === own) return
  throw new SvcRefusal(
    "webhook_of_another_store",
    `The webhook leads to another store, at ${url}, which would get no more deliveries. Only if this store has replaced that one, register the webhook with take_over: true. A connection that is deleted here leaves it alone.`,
    { url },
  )
}

/**
 * A copy makes no webhook of its own either, until a person says that it is the store.
 *
 * @throws SvcRefusal `webhook_of_another_store`
 */
export function assertNoCopy(svc: SvcModuleService, connection: Connection): void {
  const original = copyOf(connection, svc.options.backendUrl)
  if (original === null) return
  throw new SvcRefusal(
    "webhook_of_another_store",
    `This store is a copy of ${original}. Only if it has replaced that store, register the webhook with take_over: true.`,
    { url: original },
  )
}

/**
 * Our subscriber in the service's list: by an id that it names, else by our address. Deliveries, from which the id of a pasted
 * key's is known, may name another one than the list (gap 13).
 *
 * @throws SvcError `svc_unreadable` where none is ours, and one that could not be read may be
 */
export function findOurs(
  { options: { backendUrl } }: SvcModuleService,
  { connection_id, webhook_uid }: Pick<Webhook, "connection_id" | "webhook_uid">,
  { subscribers, unreadable }: SubscriberList,
): Subscriber | undefined {
  const own = backendUrl && hookUrl(backendUrl, connection_id)
  const ours =
    subscribers.find((one) => isNamed(one, webhook_uid)) ??
    subscribers.find(({ url }) => url === own)
  const others = unreadable.filter((entry) => mayBeNamed(entry, webhook_uid))
  if (ours || others.length === 0) return ours
  throw new SvcError({
    code: "svc_unreadable",
    failure: "dead",
    message: `The service lists ${others.length} webhooks that cannot be read, and this store's is none of the others.`,
  })
}

/**
 * Deletes our subscriber at the service, where it knows it. Where the answer to its creation was lost, its address tells it.
 *
 * @throws SvcRefusal `webhook_of_another_store`
 * @throws SvcError `svc_unreadable` where it may be one that cannot be read
 */
export async function deleteOurs(
  svc: SvcModuleService,
  connection: Connection,
  row: Webhook,
  limits: CallLimits = LIMITS,
): Promise<void> {
  // A key that a person pasted belongs to a subscriber that was made elsewhere.
  if (row.webhook_uid === null && row.url === null) return
  await svc.connections.calls.now(connection, "webhooks", async (client) => {
    const listed = await client.listWebhooks(limits)
    const ours = findOurs(svc, row, listed)
    const sameUrl = listed.subscribers.filter(({ url }) => url === row.url)
    for (const one of row.webhook_uid === null ? sameUrl : ours ? [ours] : []) {
      assertOurs(svc, one)
      await client.deleteWebhook(one.webhookUid, limits)
    }
  })
}

/**
 * A webhook that we made and cannot say to be gone, and why. `webhook_uid` is null where the answer to its creation was lost: then
 * nobody knows whether it is there, and its `url` tells it.
 */
export type WebhookLeft = Pick<Webhook, "webhook_uid" | "url"> & Omit<Reason, "fix">

/** Milliseconds for each call while a person waits for something else. */
const LEAVE_TIMEOUT_MS = 5_000

/**
 * Removes our subscriber of a page that is left, where the service answers. One that is not removed ends by itself: the
 * service disables a subscriber whose deliveries fail. While a page that the connection was moved away from is not forgotten, the
 * subscriber is there.
 *
 * @returns what may still be at the service; null where it is gone
 */
export async function leaveWebhook(
  container: MedusaContainer,
  connection: Connection,
): Promise<WebhookLeft | null> {
  const svc = container.resolve(SVC_MODULE)
  const row = await findWebhook(svc, connection.id)
  if (!row) return null
  try {
    const there = { ...connection, ...readLeftPage(connection) }
    await deleteOurs(svc, there, row, { timeoutMs: LEAVE_TIMEOUT_MS })
    return null
  } catch (error) {
    const { webhook_uid, url } = row
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: the webhook ${webhook_uid ?? url} was not removed: ${messageOf(error)}`)
    return { webhook_uid, url, ...whyLeft(error) }
  }
}

/** What we do next about a failed call is of no use here: nobody tries again. */
function whyLeft(error: unknown): Omit<Reason, "fix"> {
  if (error instanceof SvcRefusal && refusalCode(error) === "webhook_of_another_store") {
    return { code: "webhook_of_another_store", message: error.message, params: { ...error.params } }
  }
  if (!(error instanceof SvcError)) throw error
  const { fix: _ofAnotherTry, ...reason } = reasonOf(error)
  return reason
}

/** Why no webhook can be registered: the store was not told its public address, or one that is not https. Null where it was. */
export function addressProblem({ options }: SvcModuleService) {
  const { backendUrl, allowInsecureUrls } = options
  if (!backendUrl) return reasonFor("backend_url_missing")
  const isSafe = allowInsecureUrls || backendUrl.startsWith("https://")
  return isSafe ? null : reasonFor("insecure_url")
}

/** The receiver's address below the store's own. */
export const hookUrl = (backendUrl: string, connectionId: string): string =>
  spelled(`${withoutLastSlashes(backendUrl)}/hooks/svc/${connectionId}`)

/** The model's JSON columns hold lists, which its types do not know. */
export const readList = (json: unknown): string[] =>
  Array.isArray(json) ? json.filter((item): item is string => typeof item === "string") : []

/** What decides how a connection's webhook has to be, for `judgeSubscriber`. */
export async function readCircumstances(
  svc: SvcModuleService,
  connections: Pick<Connection, "id" | "store_host">[],
): Promise<Map<string, Circumstances>> {
  const { backendUrl } = svc.options
  const live = await svc.shows.queries.liveSince()
  return new Map(
    connections.map(({ id, store_host }) => [
      id,
      {
        url: backendUrl ? hookUrl(backendUrl, id) : null,
        copyOf: copyOf({ store_host }, backendUrl),
        liveSince: live.get(id) ?? null,
      },
    ]),
  )
}

/** What is wrong with a connection's webhook; null where all is well. */
export async function webhookProblem(
  svc: SvcModuleService,
  connectionId: string,
  webhook: Webhook | null,
): Promise<ReceivingProblem | null> {
  const circumstances = await readCircumstances(svc, [await svc.connection(connectionId)])
  const own = circumstances.get(connectionId)
  const { webhookToleranceSeconds } = svc.options
  return (
    (own && judgeSubscriber(webhook, own, await svc.shows.projection.now())) ??
    judgeClock(webhook, webhookToleranceSeconds * 1000)
  )
}

/**
 * Turns a failed call into a refusal that a person can act on; other errors are returned as they are.
 *
 * @param failed what was not done; or a code, where more is to be said than that
 */
export function callFailed(error: unknown, failed: string | { code: Failed }): unknown {
  if (!(error instanceof SvcError)) return error
  const answer = error.said ? `${error.message} Its answer: ${error.said}` : error.message
  const { code, message, fix } =
    typeof failed === "string"
      ? { code: "svc_call_failed" as const, message: failed, fix: nextStep(error) }
      : reasonFor(failed.code)
  return new SvcRefusal(code, `${message} ${answer} ${fix}`, { answer })
}

/** Calls of which it matters what may have been done. */
type Failed =
  | "webhook_registration_unsure"
  | "webhook_rotation_unsure"
  | "webhook_before_gone"
  | "webhook_before_left"

/** Unlike background work, what a person asked for is not tried again by itself. */
const nextStep = (error: SvcError): string => {
  if (error.failure !== "retry") return REASONS[error.code].fix
  return error.code === "svc_unreachable"
    ? "Check the service address in the connection's settings, then try again."
    : "Try again in a moment."
}

/** Whether a failed call may have been carried out all the same: then only the service knows (gap 13). */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof SvcError ? error.mayHaveBeenCarriedOut : !(error instanceof SvcRefusal)
