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
  isNamed,
  MAX_SUBSCRIBERS,
  type Subscriber,
  TEST_TOPIC,
  TOPICS,
} from "../../contract"
import {
  type Connection,
  refusalOf,
  type SvcModuleService,
  SvcRefusal,
  type Webhook,
} from "../../modules/svc"
import { storeHostOf } from "../../modules/svc/shared/copy-of"
import {
  assertKeysCanBeKept,
  IN_FLIGHT_MS,
  type KeyColumns,
  keyTold,
  keyUntold,
  ROTATION_MS,
  rotationAsked,
} from "../../modules/svc/webhooks"
import { readInput } from "../shared"
import { wakePulls } from "../shows"
import {
  assertNoCopy,
  assertOurs,
  callFailed,
  deleteOurs,
  deliveryUrl,
  findOurs,
  isOutcomeUnknown,
  LIMITS,
  readList,
  rotationOf,
  withSubscriber,
} from "./subscriber-row"

/** Body of `POST /admin/svc/connections/:id/webhook`. Values of custom headers go to the service only. */
export const registerWebhookInput = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  topics: z.array(z.enum(TOPICS)).min(1).optional(),
  custom_headers: customHeaders.optional(),
  /** Takes the webhook from the store that it leads to: this one has replaced it. */
  take_over: z.boolean().optional(),
})

type RegisterInput = { connection_id: string } & z.input<typeof registerWebhookInput>

/**
 * Every topic of a change. Whether a test has to be chosen too is not shown (gap 16): a merchant fires it at a subscriber,
 * and a service that does not take it for a choice would refuse the whole webhook.
 */
const EVERY_CHANGE = TOPICS.filter((topic) => topic !== TEST_TOPIC)

/** How our subscriber is to be. */
type Wanted = {
  request: CreateWebhookRequest
  /** Also where it leads to another store. */
  claims: boolean
}

/** What was done at the service, and what is left to do. */
type Done = {
  /** Null where only the key is another one, or where nothing is known of a new subscriber but its key. */
  subscriber: Subscriber | null
  /** Undefined where it is still the one that we have, null where the answer had none. */
  key?: string | null
  /** For how long deliveries may come that another key signed; null where nobody has delivered to us before. */
  mismatchMs: number | null
  /** Others that deliver to us, to be deleted now that this one does. */
  replaced: string[]
}

/**
 * Makes our subscriber at the service what a person wants it to be: looks at what is there, makes the one change that it
 * takes, and writes down what came of it. While that is open what does not verify is answered 503, not 401 (gap 12): also
 * where nobody knows whether it was carried out.
 *
 * @param wanted null: as it is, with another key
 * @throws SvcRefusal `encryption_key_missing`, `webhook_limit`, `webhook_of_another_store`, `webhook_key_unknown`,
 *   `webhook_headers_unknown`, `svc_call_failed`, `webhook_registration_unsure`, `webhook_rotation_unsure`, `webhook_before_gone`,
 *   `webhook_before_left`
 */
async function change(
  svc: SvcModuleService,
  connection: Connection,
  known: Webhook | null,
  wanted: Wanted | null,
): Promise<void> {
  const rows = svc.webhooks.subscribers
  const call = <T>(run: (client: SvcClient) => Promise<T>) =>
    svc.connections.calls.now(connection.id, "webhooks", run)
  const what = wanted ? "The webhook was not registered." : "The key was not rotated."
  // The service shows a key only once. Find out before the call whether we can store it.
  assertKeysCanBeKept(svc.keyring)
  const { listed, found } = await call(async (client) => {
    const list = await client.listWebhooks(LIMITS)
    return { listed: list.subscribers, found: known && findOurs(svc, known, list) }
  }).catch((error: unknown) => {
    throw callFailed(error, what)
  })
  const sameUrl = listed.filter(({ url }) => url === wanted?.request.url)
  // The subscriber that we registered may have our URL no more: the store has moved, or is a copy.
  const ours = found ?? sameUrl[0]
  if (ours && !wanted?.claims) assertOurs(svc, ours)

  const row = known ?? (await rows.add(connection.id, wanted?.request.url ?? null))
  const isSameKey = wanted && ours && isKept(wanted.request, ours) && isKeyCertain(ours, row)
  if (!isSameKey) await rows.changeKeys(row.id, rotationAsked(await svc.shows.projection.now()))
  const deleted: string[] = []
  let done: Done
  try {
    done = await call((client) =>
      wanted
        ? subscribe(client, wanted.request, row, { listed, sameUrl, ours, deleted })
        : rotate(client, ours?.webhookUid ?? row.webhook_uid ?? ""),
    )
  } catch (error) {
    const uid = known?.webhook_uid
    const isGone = known && uid && ours && deleted.includes(ours.webhookUid)
    // Else page and health would call a webhook well for minutes that is deleted.
    if (isGone) await rows.told(known.id, uid, null)
    // Not repeated (gap 13): the service may have done it already. A person decides.
    if (isOutcomeUnknown(error)) {
      const code = wanted ? "webhook_registration_unsure" : "webhook_rotation_unsure"
      throw callFailed(error, { code })
    }
    // As it was before, which may have been a rotation of which nobody knows what came of it.
    if (known) await rows.changeKeys(row.id, rotationOf(row))
    else await rows.remove(row.id)
    throw callFailed(error, isGone ? { code: "webhook_before_gone" } : what)
  }
  // First of all: the service does not show the key again. Together with whose it is, or the next change would take it for
  // that of the subscriber before, and delete the one that it belongs to.
  const uid = done.subscriber?.webhookUid ?? null
  const whose = wanted ? { webhook_uid: uid, subscriber_uid: null } : {}
  await rows.changeKeys(row.id, { ...(await keyColumns(svc, row, done)), ...whose })
  if (wanted) await registered(svc, connection, row, wanted, done.subscriber)
  if (done.key === null) throw refusalOf("webhook_key_unknown")
  try {
    await call((client) => deleteAll(client, done.replaced))
  } catch (error) {
    throw callFailed(error, { code: "webhook_before_left" })
  }
}

async function registered(
  svc: SvcModuleService,
  { id: connectionId }: Connection,
  row: Webhook,
  { request: { name, url, topics }, claims }: Wanted,
  subscriber: Subscriber | null,
): Promise<void> {
  if (claims) await svc.connections.rows.claim(storeHostOf(url), connectionId)
  await svc.updateSvcWebhooks({
    id: row.id,
    name,
    url,
    // No choice, where all were asked for: a later version may know more of them.
    asked_topics: EVERY_CHANGE.every((topic) => topics.includes(topic))
      ? null
      : (topics as unknown as Record<string, unknown>),
  })
  // Where it is not known yet, the first delivery tells it.
  if (subscriber) await svc.webhooks.subscribers.told(row.id, subscriber.webhookUid, subscriber)
  await svc.webhooks.lookUps.request([connectionId])
  // Changes from before the registration are never delivered: read the listings (interface §3.2, gap 20).
  await svc.shows.pulls.request("registered", [connectionId])
}

/** The key columns of the row, after what was done. */
async function keyColumns(
  svc: SvcModuleService,
  row: Webhook,
  { key, mismatchMs }: Done,
): Promise<Partial<KeyColumns>> {
  if (key === undefined) return rotationOf(row)
  if (key === null) return keyUntold()
  const now = await svc.shows.projection.now()
  const mismatchUntil = mismatchMs === null ? null : now + mismatchMs
  return keyTold(svc.keyring, row.id, key, now, mismatchUntil)
}

async function rotate(client: SvcClient, webhookUid: string): Promise<Done> {
  const key = await client.rotateSignatureKey(webhookUid, LIMITS)
  return { subscriber: null, key, mismatchMs: ROTATION_MS, replaced: [] }
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
  page: {
    listed: Subscriber[]
    sameUrl: Subscriber[]
    ours: Subscriber | undefined
    /** The ids of those that are deleted to make room are added here. */
    deleted: string[]
  },
): Promise<Done> {
  const { listed, sameUrl, ours, deleted } = page
  const kept = ours && isKept(request, ours) ? ours : undefined
  // We keep only the names of headers, because their values may be secrets, and the service may not show the values either.
  const headers = ours?.customHeaders ?? readList(row.custom_headers)
  if (!kept && !request.customHeaders && headers.length > 0) {
    throw refusalOf("webhook_headers_unknown")
  }
  const others = listed.filter((one) => one !== ours && !sameUrl.includes(one))
  const replaced = listed.flatMap((one) =>
    one === kept || others.includes(one) ? [] : one.webhookUid,
  )
  // What the subscriber sent before, under a key that was replaced, may still be on its way.
  const mismatchMs = ours ? IN_FLIGHT_MS : null

  if (kept) {
    const { name, url, topics } = request
    const changed = await client.updateWebhook(kept.webhookUid, { name, url, topics }, LIMITS)
    const key = isKeyCertain(kept, row)
      ? undefined
      : await client.rotateSignatureKey(kept.webhookUid, LIMITS)
    return { subscriber: changed ?? kept, key, mismatchMs, replaced }
  }
  if (others.length >= MAX_SUBSCRIBERS) throw tooMany(others)
  const isFull = listed.length >= MAX_SUBSCRIBERS
  if (isFull) await deleteAll(client, replaced, deleted)
  const { subscriber, signatureKey: key } = await client.createWebhook(request, LIMITS)
  return {
    subscriber: subscriber ?? (await findCreated(client, request.url, { replaced, key })),
    key,
    mismatchMs,
    replaced: isFull ? [] : replaced,
  }
}

/**
 * Only a person in the service's dashboard can activate a disabled subscriber (interface §3.2). A new one is active at once,
 * and nothing is lost: what a disabled one missed is never sent.
 */
const isDisabled = ({ state }: Subscriber): boolean => state === "disabled"

/** Whether it stays the one that it is. Headers are set at creation alone (interface §6.5). */
const isKept = (request: CreateWebhookRequest, ours: Subscriber): boolean =>
  !isDisabled(ours) && !changesHeaders(request, ours)

/** A value that the service does not show counts as another one. */
const changesHeaders = ({ customHeaders }: CreateWebhookRequest, known: Subscriber): boolean => {
  if (!customHeaders) return false
  const before = new Map(known.customHeaders?.map(({ name, value }) => [name, value]))
  return (
    before.size !== customHeaders.length ||
    customHeaders.some(({ name, value }) => before.get(name) !== value)
  )
}

async function deleteAll(
  client: SvcClient,
  webhookUids: string[],
  deleted: string[] = [],
): Promise<void> {
  for (const webhookUid of webhookUids) {
    await client.deleteWebhook(webhookUid, LIMITS)
    deleted.push(webhookUid)
  }
}

/**
 * Whether the key that we have is the service's: not where a rotation's answer was lost, nor where a person pasted
 * another one that has not verified anything yet.
 */
const isKeyCertain = (subscriber: Subscriber, row: Webhook): boolean =>
  isNamed(subscriber, row.webhook_uid) &&
  row.signature_key !== null &&
  row.candidate_key === null &&
  row.rotation !== "asked"

/**
 * For an answer to create that has no id: finds the new subscriber in the list. Once it was created, nothing says any more
 * that nothing was done: its row must keep waiting for its deliveries. A key that the answer had is shown to nobody again, so
 * it is kept even where the list does not have the subscriber.
 */
async function findCreated(
  client: SvcClient,
  url: string,
  { replaced, key }: { replaced: string[]; key: string | null },
): Promise<Subscriber | null> {
  const listed = await client.listWebhooks(LIMITS).catch(() => null)
  const found = listed?.subscribers.find(
    (one) => one.url === url && !replaced.includes(one.webhookUid),
  )
  if (found) return found
  if (key !== null) return null
  throw new Error("The webhook was created, and is not in the service's list yet.")
}

function tooMany(existing: Subscriber[]): SvcRefusal {
  const answer = existing
    .map(({ name, url, state }) => [name, url, state].filter(Boolean).join(", "))
    .join("; ")
  return new SvcRefusal(
    "webhook_limit",
    `The page has ${existing.length} webhooks already and may have ${MAX_SUBSCRIBERS}, and none of them is this store's. Delete one that is not used any more in the service's dashboard, then register again: ${answer}.`,
    { answer },
  )
}

/** The topics that were chosen here when it was registered last; null where none were. */
const askedBefore = (known: Webhook | null) =>
  known?.asked_topics
    ? TOPICS.filter((topic) => readList(known.asked_topics).includes(topic))
    : null

const registerWebhookStep = createStep(
  "svc-register-webhook",
  async ({ connection_id: connectionId, ...given }: RegisterInput, { container }) => {
    const input = readInput(registerWebhookInput, given)
    await withSubscriber(container, connectionId, async (svc, connection, known) => {
      const url = deliveryUrl(svc, connectionId)
      const claims = input.take_over === true
      if (!claims) assertNoCopy(svc, connection)
      const request = {
        name: input.name ?? known?.name ?? `Medusa: ${connection.name}`,
        url,
        topics: input.topics ?? askedBefore(known) ?? EVERY_CHANGE,
        ...(input.custom_headers ? { customHeaders: input.custom_headers } : {}),
      }
      await change(svc, connection, known, { request, claims })
    })
    wakePulls(container, [connectionId])
    return new StepResponse(connectionId)
  },
)

/**
 * Registers this store's webhook at the service, or takes over and updates the one that is there.
 *
 * No compensation: the service shows a key only once and its record may have replaced another one, whose key is dead by
 * then. Removing the new record would leave the store with none. What failed before the service was reached is undone
 * here, and a call whose outcome is unknown leaves the row as a rotation, so that deliveries are answered 503.
 *
 * @throws SvcRefusal `connection_not_found`, `backend_url_missing`, `insecure_url`, `encryption_key_missing`,
 *   `webhook_limit`, `webhook_of_another_store`, `webhook_key_unknown`, `webhook_headers_unknown`, `svc_call_failed`,
 *   `webhook_registration_unsure`, `webhook_before_gone`, `webhook_before_left`
 */
export const registerWebhookWorkflow = createWorkflow(
  "svc-register-webhook",
  (input: RegisterInput) => new WorkflowResponse(registerWebhookStep(input)),
)

const rotateWebhookKeyStep = createStep(
  "svc-rotate-webhook-key",
  async (connectionId: string, { container }) => {
    await withSubscriber(container, connectionId, async (svc, connection, known) => {
      if (!known?.webhook_uid) {
        throw new SvcRefusal(
          "webhook_not_registered",
          "No webhook is registered from here. Register it first, or rotate the key in the service's dashboard and paste it.",
        )
      }
      await change(svc, connection, known, null)
    })
    return new StepResponse(connectionId)
  },
)

/**
 * Asks the service for a new key. The old one stops verifying there at once (interface §5 rule 4), and here as soon as
 * the answer is there; deliveries that were signed with it before are asked to come again, and are signed anew. No
 * compensation: the old key cannot be brought back.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_not_registered`, `encryption_key_missing`,
 *   `webhook_of_another_store`, `webhook_key_unknown`, `svc_call_failed`, `webhook_rotation_unsure`
 */
export const rotateWebhookKeyWorkflow = createWorkflow(
  "svc-rotate-webhook-key",
  (connectionId: string) => new WorkflowResponse(rotateWebhookKeyStep(connectionId)),
)

const removeWebhookStep = createStep(
  "svc-remove-webhook",
  async (connectionId: string, { container }) => {
    await withSubscriber(container, connectionId, async (svc, connection, known) => {
      if (!known) return
      await deleteOurs(svc, connection, known).catch((error: unknown) => {
        throw callFailed(error, "The webhook was not removed.")
      })
      // No copy of its keys stays.
      await svc.webhooks.subscribers.remove(known.id)
    })
    return new StepResponse(connectionId)
  },
)

/**
 * Removes the webhook at the service and here. Its inbox and what was learned from it stay. No compensation: the record
 * at the service is gone, and a new one has another key.
 *
 * @throws SvcRefusal `connection_not_found`, `webhook_of_another_store`, `svc_call_failed`
 */
export const removeWebhookWorkflow = createWorkflow(
  "svc-remove-webhook",
  (connectionId: string) => new WorkflowResponse(removeWebhookStep(connectionId)),
)
