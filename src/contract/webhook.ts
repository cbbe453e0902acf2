import { z } from "zod"
import type { Topic } from "./delivery"
import { readId, readText } from "./fields"
import { serviceId } from "./ids"
import { isObject, type Json } from "./json"
import { isSaid, unwrapped } from "./layers"
import { readListing } from "./listing"

/** Subscribers a page may have (interface §2.4, §8). */
export const MAX_SUBSCRIBERS = 5
/** Custom headers a subscriber may have (interface §6.5). */
const MAX_CUSTOM_HEADERS = 5

const FORBIDDEN = new Set([
  "content-type",
  "content-length",
  "host",
  "user-agent",
  "transfer-encoding",
])

/** One custom header, by every rule of interface §6.5. */
const customHeader = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9-]+$/, "letters, digits and hyphens only")
    .refine(
      (name) => !name.toLowerCase().startsWith("x-svc-"),
      "X-Svc- is the service's own prefix",
    )
    .refine((name) => !FORBIDDEN.has(name.toLowerCase()), "this header is set by the service"),
  value: z
    .string()
    .min(1)
    .max(256)
    .refine((value) => !/[\r\n]/.test(value), "no line breaks"),
})
export const customHeaders = z.array(customHeader).max(MAX_CUSTOM_HEADERS)

/** Body of create; the schema is not shown: gap 13. */
export type CreateWebhookRequest = {
  name: string
  url: string
  topics: Topic[]
  customHeaders?: z.infer<typeof customHeaders> | undefined
}

/** An address in the one spelling in which two are compared: a service may write ours with another case, or with its port. */
export const spelled = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

/** Headers as a list of `{name, value}`, or as an object by name. */
const headersOf = (value: unknown): unknown =>
  isObject(value) ? Object.entries(value).map(([name, text]) => ({ name, value: text })) : value

/**
 * A subscriber as the service lists it. Unknown fields are kept, an unknown state is shown as it came. Only what tells it
 * from others has to be readable: one that nobody sees could be neither changed nor deleted.
 */
const subscriber = z.looseObject({
  webhookUid: z.preprocess(readId, serviceId),
  name: z.string().nullish().catch(null),
  url: z.string().transform(spelled),
  topics: z.array(z.string()).nullish().catch(null),
  /** `active`, `warning` or `disabled` (interface §3.2). */
  state: z.string().nullish().catch(null),
  customHeaders: z.preprocess(
    headersOf,
    z
      .array(z.looseObject({ name: z.string(), value: z.string().nullish().catch(null) }))
      .nullish()
      .catch(null),
  ),
})
export type Subscriber = z.infer<typeof subscriber>

/** Under which a subscriber may name its ids; the first that there is stands in addresses. */
const ID_NAMES = ["webhookUid", "webhook_uid", "uid", "id", "subscriberUid", "subscriber_uid"]
const URL_NAMES = ["url", "targetUrl", "target_url", "callbackUrl", "callback_url", "endpoint"]
const STATES = ["active", "warning", "disabled"]

const firstOf = (row: Json, names: string[]): unknown => names.map((name) => row[name]).find(isSaid)

/** `status` may be that of the answer around it: it is a state where it is one of interface §3.2. */
function stateOf({ state, status }: Json): unknown {
  const [known] = [state, status].flatMap((said) =>
    STATES.filter((one) => one === readText(said)?.toLowerCase()),
  )
  return known ?? state
}

/** Whether an id is the subscriber's: deliveries may name another than the list has for its address (gap 13). */
export const isNamed = (one: Json, uid: string | null): boolean =>
  uid !== null && ID_NAMES.some((name) => readId(one[name]) === uid)

/**
 * Reads one subscriber out of an answer, which may be the subscriber itself, or contain it under a name; its id has one of
 * several names (gap 13). `null` when none is in it.
 */
export function readSubscriber(body: unknown): Subscriber | null {
  const row = unwrapped(body)
  if (!row) return null
  const parsed = subscriber.safeParse({
    ...row,
    webhookUid: firstOf(row, ID_NAMES),
    url: firstOf(row, URL_NAMES),
    state: stateOf(row),
    customHeaders: row.customHeaders ?? row.custom_headers,
  })
  return parsed.success ? parsed.data : null
}

/** The subscribers of a page, and what could not be read as one. */
export type SubscriberList = { subscribers: Subscriber[]; unreadable: unknown[] }

/** Whether what could not be read may be the subscriber of this id: one that names another is somebody else's. */
export function mayBeNamed(unreadable: unknown, uid: string | null): boolean {
  const row = unwrapped(unreadable) ?? {}
  return uid === null || firstOf(row, ID_NAMES) === undefined || isNamed(row, uid)
}

/** Reads the list of subscribers; `null` when the answer is not a list. */
export function readSubscribers(body: unknown): SubscriberList | null {
  const entries = readListing(body)?.entries
  if (!entries) return null
  const list: SubscriberList = { subscribers: [], unreadable: [] }
  for (const entry of entries) {
    const read = readSubscriber(entry)
    if (read) list.subscribers.push(read)
    else list.unreadable.push(entry)
  }
  return list
}

/** The plaintext key in the answer of create and rotate (interface §2.4, §4.4). Shown once, so never logged. */
export function readSignatureKey(body: unknown): string | null {
  const row = unwrapped(body)
  const key = row?.signatureKey ?? row?.signature_key
  return typeof key === "string" && key.trim().length > 0 ? key.trim() : null
}
