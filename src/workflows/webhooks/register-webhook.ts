import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { z } from "zod"
import type { SvcClient } from "../../client"
import {
  type CreateWebhookRequest,
  customHeaders,
  MAX_SUBSCRIBERS,
  type Subscriber,
  TEST_TOPIC,
  TOPICS,
} from "../../contract"
import {
  refusalOf,
  SVC_MODULE,
  type SvcModuleService,
  SvcRefusal,
  type Webhook,
} from "../../modules/svc"
import { hostOf } from "../../modules/svc/shared/copy-of"
import {
  assertKeysCanBeKept,
  IN_FLIGHT_MS,
  keyTold,
  keyUntold,
  rotationAsked,
} from "../../modules/svc/webhooks"
import { readInput } from "../shared"
import { wakePulls } from "../shows"
import {
  CALL_TIMEOUT_MS,
  callFailed,
  deliveryUrl,
  findWebhook,
  isOutcomeUnknown,
  leadsElsewhere,
  ofAnotherStore,
  rotationOf,
  takeWebhookRow,
  toldSubscriber,
  withWebhookLock,
} from "./subscriber-row"

const topics = z.array(z.enum(TOPICS)).min(1)

/** Body of `POST /admin/svc/connections/:id/webhook`. Values of custom headers go to the service only. */
export const registerWebhookInput = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  topics: topics.optional(),
  custom_headers: customHeaders.optional(),
  /** Takes the webhook from the store that it leads to: this one has replaced it. */
  take_over: z.boolean().optional(),
})
type RegisterWebhookInput = z.input<typeof registerWebhookInput>

/** Every topic of a change. Test deliveries come whatever topics were chosen (interface §6.2 rule 4). */
const EVERY_CHANGE = TOPICS.filter((topic) => topic !== TEST_TOPIC)

type Input = { connection_id: string } & RegisterWebhookInput

const registerWebhookStep = createStep(
  "svc-register-webhook",
  async ({ connection_id: connectionId, ...given }: Input, { container }) => {
    const input = readInput(registerWebhookInput, given)
    const svc = container.resolve(SVC_MODULE)
    const connection = await svc.connection(connectionId)
    const url = deliveryUrl(svc, connectionId)
    // The service shows a key only once. Find out before the call whether we can store it.
    assertKeysCanBeKept(svc.keyring)

    await withWebhookLock(container, connectionId, async () => {
      // Asked again under the lock: the connection may have been deleted while we waited for it.
      await svc.connection(connectionId)
      const known = await findWebhook(svc, connectionId)
      const claims = input.take_over === true
      await register(svc, connectionId, known, claims, {
        name: input.name ?? known?.name ?? `Medusa: ${connection.name}`,
        url,
        topics: input.topics ?? EVERY_CHANGE,
        ...(input.custom_headers ? { customHeaders: input.custom_headers } : {}),
      })
    })
    wakePulls(container, [connectionId])
    return new StepResponse(connectionId)
  },
)

async function register(
  svc: SvcModuleService,
  connectionId: string,
  known: Webhook | null,
  claims: boolean,
  request: CreateWebhookRequest,
): Promise<void> {
  const rows = svc.webhooks.subscribers
  const row = known ?? (await takeWebhookRow(svc, connectionId, request.url))
  // From here on the service may sign with a key that has not reached us: 503, not 401 (gap 12).
  await rows.changeKeys(row.id, rotationAsked(await svc.shows.projection.now()))
  try {
    const { subscriber, key, isNew } = await svc.connections.calls.now(
      connectionId,
      "webhooks",
      (client) =>
        subscribe(client, request, row, (subscriber) => {
          if (!claims && leadsElsewhere(svc, subscriber)) throw ofAnotherStore(subscriber)
        }),
    )
    const host = hostOf(request.url)
    if (claims && host !== null) await svc.connections.rows.claim(host, connectionId)
    await svc.updateSvcWebhooks({
      id: row.id,
      name: request.name,
      url: request.url,
      webhook_uid: subscriber.webhookUid,
    })
    await rows.told(row.id, subscriber.webhookUid, toldSubscriber(subscriber))
    if (key === KEPT) await rows.changeKeys(row.id, rotationOf(row))
    else if (key === null) await rows.changeKeys(row.id, keyUntold())
    else {
      const now = await svc.shows.projection.now()
      // What the subscriber sent before, under a key that was replaced, may still be on its way.
      const mismatchUntil = isNew ? null : now + IN_FLIGHT_MS
      await rows.changeKeys(row.id, keyTold(svc.keyring, row.id, key, now, mismatchUntil))
    }
    // Changes from before the registration are never delivered: read the listings (interface §3.2, gap 20).
    await svc.shows.pulls.request("registered", [connectionId])
  } catch (error) {
    if (!isOutcomeUnknown(error) || error instanceof SvcRefusal) {
      // A rotation of which nobody knows what came of it stays one.
      if (known) await rows.changeKeys(row.id, rotationOf(known))
      else await rows.clear(row.id)
    }
    throw callFailed(error, "The webhook was not registered.")
  }
  const saved = await findWebhook(svc, connectionId)
  if (!saved?.signature_key) {
    throw new SvcRefusal(
      "webhook_key_unknown",
      "The webhook is registered, but the service did not show its key. Rotate the key, or paste it by hand.",
    )
  }
}

/** A value that the service does not show counts as another one. */
const changesHeaders = ({ customHeaders }: CreateWebhookRequest, known: Subscriber): boolean => {
  if (!customHeaders) return false
  const before = new Map(known.customHeaders?.map(({ name, value }) => [name, value]))
  return (
    before.size !== customHeaders.length ||
    customHeaders.some(({ name, value }) => before.get(name) !== value)
  )
}

/** Says that the key that we have is still the right one. */
const KEPT = Symbol("kept")

/**
 * Creates the subscriber, or takes over the one that has our URL already. Its key was shown once, to somebody else or
 * in an answer that was lost, so it is rotated. Further subscribers with our URL are deleted, because we could never
 * verify their deliveries; so is one that the service has disabled, or whose headers are to be others.
 *
 * @returns `key: null` where the answer had none
 */
async function subscribe(
  client: SvcClient,
  request: CreateWebhookRequest,
  row: Webhook,
  assertOurs: (subscriber: Subscriber) => void,
): Promise<{ subscriber: Subscriber; key: string | null | typeof KEPT; isNew: boolean }> {
  const limits = { timeoutMs: CALL_TIMEOUT_MS }
  const existing = await client.listWebhooks(limits)
  const ours = existing.filter(({ url }) => url === request.url)
  // The subscriber that we registered may have our URL no more: the store has moved, or is a copy.
  const known = existing.find(({ webhookUid }) => webhookUid === row.webhook_uid) ?? ours[0]
  if (known) assertOurs(known)
  // Only a person in the service's dashboard can activate a disabled subscriber (interface §3.2). A new one is active
  // at once, and nothing is lost: what a disabled one missed is never sent.
  const disabled = known?.state === "disabled"
  if (disabled && !request.customHeaders && known.customHeaders?.length) throw headersUnknown()
  // Headers are set at creation alone (interface §6.5).
  const kept = disabled || (known && changesHeaders(request, known)) ? undefined : known
  for (const { webhookUid } of new Set([...ours, ...(known ? [known] : [])])) {
    if (webhookUid !== kept?.webhookUid) await client.deleteWebhook(webhookUid, limits)
  }

  if (!kept) {
    const others = existing.filter((one) => one !== known && !ours.includes(one))
    if (others.length >= MAX_SUBSCRIBERS) throw tooMany(others)
    const { subscriber, signatureKey } = await client.createWebhook(request, limits)
    return {
      subscriber: subscriber ?? (await findCreated(client, request.url)),
      key: signatureKey,
      isNew: true,
    }
  }
  const changed = await client.updateWebhook(
    kept.webhookUid,
    { name: request.name, url: request.url, topics: request.topics },
    limits,
  )
  return {
    subscriber: changed ?? kept,
    key: isKeyCertain(kept, row) ? KEPT : await client.rotateSignatureKey(kept.webhookUid, limits),
    isNew: false,
  }
}

/**
 * Whether the key that we have is the service's: not where a rotation's answer was lost, nor where a person pasted
 * another one that has not verified anything yet.
 */
const isKeyCertain = (subscriber: Subscriber, row: Webhook): boolean =>
  subscriber.webhookUid === row.webhook_uid &&
  row.signature_key !== null &&
  row.candidate_key === null &&
  row.rotation !== "asked"

/** Once it was created, nothing says any more that nothing was done: its row must keep waiting for its deliveries. */
const findCreated = (client: SvcClient, url: string): Promise<Subscriber> =>
  findByUrl(client, url).catch((cause: unknown) => {
    throw new Error("The webhook was created, and is not in the service's list yet.", { cause })
  })

/** For an answer to create that has no id: finds the new subscriber in the list. */
async function findByUrl(client: SvcClient, url: string): Promise<Subscriber> {
  const found = (await client.listWebhooks({ timeoutMs: CALL_TIMEOUT_MS })).find(
    (subscriber) => subscriber.url === url,
  )
  if (!found) {
    throw new SvcRefusal(
      "svc_call_failed",
      "The service said that the webhook is created, but does not list it. Try again in a moment.",
    )
  }
  return found
}

/**
 * We keep only the names of headers, because their values may be secrets, and the service may not show the values
 * either.
 */
const headersUnknown = () => refusalOf("webhook_headers_unknown")

const tooMany = (existing: Subscriber[]): SvcRefusal =>
  new SvcRefusal(
    "webhook_limit",
    `The page has ${existing.length} webhooks already and may have ${MAX_SUBSCRIBERS}, and none of them is this store's. Delete one that is not used any more in the service's dashboard, then register again: ${existing
      .map(({ name, url, state }) => [name, url, state].filter(Boolean).join(", "))
      .join("; ")}.`,
  )

/**
 * Registers this store's webhook at the service, or takes over and updates the one that is there.
 *
 * No compensation: the service shows a key only once and its record may have replaced another one, whose key is dead by
 * then. Removing the new record would leave the store with none. What failed before the service was reached is undone
 * here, and a call whose outcome is unknown leaves the row as a rotation, so that deliveries are answered 503.
 *
 * @throws SvcRefusal `connection_not_found`, `backend_url_missing`, `insecure_url`, `encryption_key_missing`,
 *   `webhook_limit`, `webhook_of_another_store`, `webhook_key_unknown`, `webhook_headers_unknown`, `svc_call_failed`
 */
export const registerWebhookWorkflow = createWorkflow(
  "svc-register-webhook",
  (input: Input) => new WorkflowResponse(registerWebhookStep(input)),
)
