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
import { assertKeysCanBeKept, IN_FLIGHT_MS } from "../../modules/svc/webhooks"
import { readInput } from "../shared"
import { wakePulls } from "../shows"
import { changeKey, KEPT } from "./change-key"
import {
  assertNoCopy,
  assertOurs,
  CALL_TIMEOUT_MS,
  callFailed,
  deliveryUrl,
  findWebhook,
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
      const current = await svc.connection(connectionId)
      const claims = input.take_over === true
      if (!claims) assertNoCopy(svc, current)
      const known = await findWebhook(svc, connectionId)
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
  const row = known ?? (await svc.webhooks.subscribers.add(connectionId, request.url))
  const call = <T>(run: (client: SvcClient) => Promise<T>) =>
    svc.connections.calls.now(connectionId, "webhooks", run)
  let replaced: string[] = []
  const what = "The webhook was not registered."
  await changeKey(svc, row, { what, unsure: what, isNew: known === null }, async () => {
    const subscribed = await call((client) =>
      subscribe(client, request, row, (subscriber) => {
        if (!claims) assertOurs(svc, subscriber)
      }),
    )
    const { subscriber, key } = subscribed
    replaced = subscribed.replaced
    const host = hostOf(request.url)
    if (claims && host !== null) await svc.connections.rows.claim(host, connectionId)
    await svc.updateSvcWebhooks({
      id: row.id,
      name: request.name,
      url: request.url,
      webhook_uid: subscriber.webhookUid,
    })
    await svc.webhooks.subscribers.told(row.id, subscriber.webhookUid, toldSubscriber(subscriber))
    await svc.webhooks.lookUps.request([connectionId])
    // Changes from before the registration are never delivered: read the listings (interface §3.2, gap 20).
    await svc.shows.pulls.request("registered", [connectionId])
    // What the subscriber sent before, under a key that was replaced, may still be on its way.
    return { key, mismatchMs: subscribed.isFirst ? null : IN_FLIGHT_MS }
  })
  try {
    await call((client) => deleteAll(client, replaced))
  } catch (error) {
    throw callFailed(error, "The new webhook works, but the one before it was not deleted.")
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

/** A subscriber as it is to be, and what is left to do. */
type Subscribed = {
  subscriber: Subscriber
  /** Null where the answer had none. */
  key: string | null | typeof KEPT
  /** Nobody has delivered to us before. */
  isFirst: boolean
  /** Others that deliver to us, to be deleted now that this one does. */
  replaced: string[]
}

/**
 * Creates the subscriber, or takes over the one that has our URL already. Its key was shown once, to somebody else or
 * in an answer that was lost, so it is rotated. Further subscribers with our URL are deleted, because we could never
 * verify their deliveries; so is one that the service has disabled, or whose headers are to be others. It goes once the new
 * one is there, so that no delivery is lost between them, unless the page has no room for both.
 */
async function subscribe(
  client: SvcClient,
  request: CreateWebhookRequest,
  row: Webhook,
  assertIsOurs: (subscriber: Subscriber) => void,
): Promise<Subscribed> {
  const limits = { timeoutMs: CALL_TIMEOUT_MS }
  const existing = await client.listWebhooks(limits)
  const ours = existing.filter(({ url }) => url === request.url)
  // The subscriber that we registered may have our URL no more: the store has moved, or is a copy.
  const known = existing.find(({ webhookUid }) => webhookUid === row.webhook_uid) ?? ours[0]
  if (known) assertIsOurs(known)
  // Only a person in the service's dashboard can activate a disabled subscriber (interface §3.2). A new one is active
  // at once, and nothing is lost: what a disabled one missed is never sent.
  const disabled = known?.state === "disabled"
  if (disabled && !request.customHeaders && known.customHeaders?.length) throw headersUnknown()
  // Headers are set at creation alone (interface §6.5).
  const kept = disabled || (known && changesHeaders(request, known)) ? undefined : known
  const others = existing.filter((one) => one !== known && !ours.includes(one))
  const replaced = existing.flatMap((one) =>
    one === kept || others.includes(one) ? [] : one.webhookUid,
  )
  const isFirst = known === undefined

  if (kept) {
    const changed = await client.updateWebhook(
      kept.webhookUid,
      { name: request.name, url: request.url, topics: request.topics },
      limits,
    )
    const key = isKeyCertain(kept, row)
      ? KEPT
      : await client.rotateSignatureKey(kept.webhookUid, limits)
    return { subscriber: changed ?? kept, key, isFirst, replaced }
  }
  if (others.length >= MAX_SUBSCRIBERS) throw tooMany(others)
  const isFull = existing.length >= MAX_SUBSCRIBERS
  if (isFull) await deleteAll(client, replaced)
  const { subscriber, signatureKey } = await client.createWebhook(request, limits)
  return {
    subscriber: subscriber ?? (await findCreated(client, request.url, replaced)),
    key: signatureKey,
    isFirst,
    replaced: isFull ? [] : replaced,
  }
}

async function deleteAll(client: SvcClient, webhookUids: string[]): Promise<void> {
  for (const webhookUid of webhookUids) {
    await client.deleteWebhook(webhookUid, { timeoutMs: CALL_TIMEOUT_MS })
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

/**
 * For an answer to create that has no id: finds the new subscriber in the list. Once it was created, nothing says any more
 * that nothing was done: its row must keep waiting for its deliveries.
 */
async function findCreated(client: SvcClient, url: string, before: string[]): Promise<Subscriber> {
  const listed = await client.listWebhooks({ timeoutMs: CALL_TIMEOUT_MS }).catch(() => [])
  const found = listed.find((one) => one.url === url && !before.includes(one.webhookUid))
  if (!found) throw new Error("The webhook was created, and is not in the service's list yet.")
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
