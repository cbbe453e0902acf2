/**
 * Webhook subscribers: the six operations (interface §4.4, paths by gap 13), the key that is shown
 * once (§2.4, §5 rule 4) and the state ladder (§3.2).
 */

import { z } from "zod"
import { type FieldError, notFound, SandboxError } from "../contract/errors"
import { parse } from "../contract/input"
import { ENVELOPE_VERSION, LIMITS } from "../contract/interface"
import { type CustomHeader, topicName } from "../contract/payloads"
import type { Context, ContextOfQueue } from "../store/context"
import type { Attempt, Subscriber } from "../store/tables"
import { checkCustomHeaders, readCustomHeaders } from "./custom-headers"
import { stateAfterSuccess, stepAtFailure } from "./subscriber-ladder"

/** The request is not shown (interface §4.4, gap 13). */
const webhookSettings = z.looseObject({
  name: z.string().min(1).max(255),
  url: z.string(),
  topics: z.array(topicName).min(1),
  // Read by `readCustomHeaders`, which says of each header what is wrong with it.
  customHeaders: z.unknown().optional(),
  version: z.string().optional(),
})
const webhookChanges = webhookSettings.partial()

/** The request is not shown, so nobody knows which fields there are; but a misspelt one must not pass in silence. */
function refuseUnknownFields(input: object): void {
  const known = Object.keys(webhookSettings.shape)
  const fields = Object.keys(input)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: `A webhook has ${known.join(", ")}.` }))
  const [first] = fields
  if (first) {
    const message = `${first.field}: ${first.message}`
    throw new SandboxError(400, "invalid_request", message, fields)
  }
}

export function createSubscriber(context: Context, pageUid: string, body: unknown): Subscriber {
  const input = parse(webhookSettings, body)
  refuseUnknownFields(input)
  const customHeaders = checked(context, input)
  const owned = listSubscribers(context, pageUid)
  if (owned.length >= LIMITS.subscribersPerPage) {
    throw new SandboxError(
      409,
      "subscriber_limit",
      `A page has at most ${LIMITS.subscribersPerPage} webhook subscribers (interface §8).`,
    )
  }
  const now = context.clock.now()
  const subscriber: Subscriber = {
    uid: context.random.id("whk"),
    page_uid: pageUid,
    name: input.name,
    url: input.url,
    topics: [...new Set(input.topics)],
    custom_headers: customHeaders ?? [],
    version: input.version ?? ENVELOPE_VERSION,
    signature_key: newKey(context),
    state: "active",
    failing_since: null,
    consecutive_failures: 0,
    last_delivery_at: null,
    last_success_at: null,
    created_at: now,
    updated_at: now,
  }
  context.tables.subscribers.set(subscriber.uid, subscriber)
  context.changes.touch("subscribers")
  return subscriber
}

export function listSubscribers(context: Context, pageUid: string): Subscriber[] {
  return [...context.tables.subscribers.values()].filter(({ page_uid }) => page_uid === pageUid)
}

/** @param pageUid  the page that asks; another page's subscriber is not there for it */
export function getSubscriber(context: Context, uid: string, pageUid?: string): Subscriber {
  const subscriber = context.tables.subscribers.get(uid)
  if (!subscriber || (pageUid !== undefined && subscriber.page_uid !== pageUid)) {
    throw notFound("webhook", uid)
  }
  return subscriber
}

/** Neither state nor key can be set: the state follows §3.2, the key is rotated. */
export function updateSubscriber(
  context: Context,
  pageUid: string,
  uid: string,
  body: unknown,
): Subscriber {
  const subscriber = getSubscriber(context, uid, pageUid)
  const input = parse(webhookChanges, body)
  refuseUnknownFields(input)
  const version = subscriber.version ?? ENVELOPE_VERSION
  if (input.version !== undefined && input.version !== version) {
    const message = `An existing subscriber stays on ${version} (interface §9 rule 1).`
    throw new SandboxError(400, "invalid_request", message, [{ field: "version", message }])
  }
  if (input.customHeaders !== undefined && context.profiles.get("custom_headers") === "fixed") {
    const message = "Custom headers are set at creation (interface §6.5)."
    throw new SandboxError(400, "invalid_request", message, [{ field: "customHeaders", message }])
  }
  const customHeaders = checked(context, { ...input, url: input.url ?? subscriber.url })
  subscriber.name = input.name ?? subscriber.name
  subscriber.url = input.url ?? subscriber.url
  subscriber.topics = input.topics ? [...new Set(input.topics)] : subscriber.topics
  subscriber.custom_headers = customHeaders ?? subscriber.custom_headers
  subscriber.updated_at = context.clock.now()
  context.changes.touch("subscribers")
  return subscriber
}

export function deleteSubscriber(context: Context, pageUid: string, uid: string): void {
  const subscriber = getSubscriber(context, uid, pageUid)
  context.tables.subscribers.delete(uid)
  dropPending(context, subscriber)
  context.changes.touch("subscribers")
}

/** interface §4.4, §5 rule 4: from now on only the new key signs. */
export function rotateKey(context: Context, pageUid: string, uid: string): Subscriber {
  const subscriber = getSubscriber(context, uid, pageUid)
  subscriber.signature_key = newKey(context)
  subscriber.updated_at = context.clock.now()
  context.changes.touch("subscribers")
  return subscriber
}

/**
 * interface §3.2: sending resumes at once; what happened meanwhile is never sent. The table knows
 * Activate from `disabled` alone: `warning` ends by itself, with the first success.
 */
export function activateSubscriber(context: Context, uid: string): Subscriber {
  const subscriber = getSubscriber(context, uid)
  if (subscriber.state !== "disabled") {
    const message = `The subscriber is ${subscriber.state}: only a disabled one is activated.`
    throw new SandboxError(409, "not_disabled", message)
  }
  subscriber.state = "active"
  subscriber.failing_since = null
  subscriber.consecutive_failures = 0
  subscriber.updated_at = context.clock.now()
  context.changes.touch("subscribers")
  return subscriber
}

/** Counts an attempt for the ladder of interface §3.2 and notifies the merchant (§6.3). */
export function recordOutcome(
  context: ContextOfQueue,
  subscriber: Subscriber,
  attempt: Attempt,
): void {
  const now = context.clock.now()
  subscriber.last_delivery_at = now
  if (attempt.outcome === "success") {
    subscriber.last_success_at = now
    subscriber.failing_since = null
    subscriber.consecutive_failures = 0
    const state = stateAfterSuccess(subscriber.state)
    if (state !== subscriber.state) context.changes.touch("subscribers")
    subscriber.state = state
    return
  }
  // A test or a re-send that fails says that the merchant tries something out, not that deliveries
  // are failing.
  if (attempt.trigger === "test" || attempt.trigger === "resend") return
  subscriber.failing_since ??= attempt.at
  subscriber.consecutive_failures++
  const step = stepAtFailure(subscriber.state, now - subscriber.failing_since)
  if (step) {
    subscriber.state = step
    notify(context, subscriber, step)
    if (step === "disabled") dropPending(context, subscriber)
  }
  context.changes.touch("subscribers")
}

function notify(
  context: ContextOfQueue,
  subscriber: Subscriber,
  kind: "warning" | "disabled",
): void {
  const message =
    kind === "warning"
      ? `Deliveries to "${subscriber.name}" have been failing for 30 minutes.`
      : `"${subscriber.name}" was disabled after 60 minutes of failed deliveries. Activate it when it answers again.`
  const streak = [subscriber.uid, kind, context.tables.notifications.size]
  const id = context.random.stream("notification", ...streak).id("ntf")
  const { page_uid, uid } = subscriber
  context.tables.notifications.set(id, {
    id,
    page_uid,
    subscriber_uid: uid,
    kind,
    at: context.clock.now(),
    message,
  })
  context.changes.touch("notifications")
}

/** Nothing further goes to a disabled subscriber, retries included (interface §3.2), nor to one that is deleted. */
function dropPending(context: ContextOfQueue, subscriber: Subscriber): void {
  for (const delivery of context.tables.deliveries.values()) {
    if (delivery.subscriber_uid === subscriber.uid && delivery.state === "pending") {
      delivery.state = "dropped"
      delivery.next_attempt_at = null
    }
  }
}

function newKey(context: Context): string {
  return context.random.bytes(32).toString("base64")
}

function checked(
  { allowHttp, profiles }: Context,
  { url, customHeaders, version }: { url: string; customHeaders?: unknown; version?: string },
): CustomHeader[] | null {
  const errors: FieldError[] = []
  const reason = urlProblem(url, allowHttp)
  if (reason) errors.push({ field: "url", message: reason })
  // interface §9 rule 1: another version is opt-in, once there is one.
  const versions = [...new Set<string>([ENVELOPE_VERSION, profiles.get("version")])]
  if (version !== undefined && !versions.includes(version)) {
    errors.push({ field: "version", message: `One of: ${versions.join(", ")}.` })
  }
  const headers = readCustomHeaders(customHeaders)
  if (headers) errors.push(...checkCustomHeaders(headers))
  else errors.push({ field: "customHeaders", message: "A list of {name, value}." })
  const first = errors[0]
  if (first) {
    throw new SandboxError(400, "invalid_request", `${first.field}: ${first.message}`, errors)
  }
  return customHeaders === undefined ? null : headers
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * interface §2.4: HTTPS. Loopback may be plain, because sandbox and shop share a machine; other
 * addresses with the option for it, for containers that share a network.
 */
function urlProblem(text: string, allowHttp: boolean): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return "A whole https address."
  }
  if (url.protocol === "https:") return null
  if (url.protocol === "http:" && (allowHttp || LOOPBACK.test(url.hostname))) return null
  return "Must begin with https:// (http for addresses of this machine, or with --allow-http)."
}

/** A webhook as the API answers it, without the key: the properties of §2.4, whose answer is not shown (§4.4). */
export function webhookView(subscriber: Subscriber) {
  return {
    webhookUid: subscriber.uid,
    name: subscriber.name,
    url: subscriber.url,
    topics: subscriber.topics,
    customHeaders: subscriber.custom_headers,
    state: subscriber.state,
    createdAt: subscriber.created_at,
    updatedAt: subscriber.updated_at,
  }
}
