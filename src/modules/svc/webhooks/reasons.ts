/**
 * Every reason that receiving, applying and reading listings can give, each once: a stable code, a sentence that says
 * what happened, one that says what to do. `{name}` stands for a parameter of the reason.
 */
import { type Reason, type ReasonParams, type ReasonText, reasonFrom } from "../shared/reason"

const NOTHING = "Nothing to do."
const WAIT_FOR_TEST =
  'Press "Wait for a test" here, then send the test in the service\'s webhook settings.'

/** Why a delivery in the inbox is what it is. */
export const DELIVERY_REASONS = {
  no_time: {
    message: "It does not say when the change happened, so it cannot be put in order.",
    fix: "Re-send it from the service's dashboard, or wait: the listings are read each night.",
  },
  from_the_future: {
    message: "It says that the change happens on {at}, after it was sent.",
    fix: "Replay it when that time has come. Applied now, it would hide every later change.",
  },
  ids_missing: {
    message: "It does not say what it is about: {fields} is missing.",
    fix: "Report it to the service, with the payload. Other deliveries are not affected.",
  },
  unknown_topic: {
    message: 'The topic "{topic}" is not known to this version of the plugin.',
    fix: "Update the plugin, then replay the delivery.",
  },
  unknown_version: {
    message: 'The payload version "{version}" is not known; this version of the plugin reads v1.',
    fix: "Set the subscriber to v1 at the service, or update the plugin, then replay the delivery.",
  },
  not_readable: {
    message: "The stored payload cannot be read any more.",
    fix: "Report it: a delivery that was kept once can be read always.",
  },
  not_applied: {
    message: "It could not be applied: {problem}",
    fix: "It is tried again by itself for a day; after that, replay it.",
  },
  given_up: {
    message: "It could not be applied for a day: {problem}",
    fix: "Replay it when the database is well again.",
  },
  resent: {
    message: "It repeats a delivery that was known, only with another time.",
    fix: NOTHING,
  },
  fields_unread: {
    message: "It was applied without {fields}, which could not be read.",
    fix: "Report it to the service, with the payload.",
  },
  fields_missing: {
    message:
      "It was applied without {fields}, which it lacks: without a status a show counts as planned, without isPublished as not published.",
    fix: "Report it to the service, with the payload. The next delivery that has them sets it right.",
  },
  alias_differs: {
    message: 'Its {name} is "{value}", but it belongs to "{record}".',
    fix: NOTHING,
  },
} as const satisfies Record<string, ReasonText>

/** Why a request at the receiver was not taken, by what it was answered with. */
export const REFUSAL_REASONS = {
  signature_missing: { status: 401, label: "no signature" },
  signature_malformed: { status: 401, label: "a signature or time that is none" },
  wrong_key: { status: 401, label: "signed with another key, or changed on the way" },
  too_old: { status: 401, label: "well signed, but too old or from the future" },
  wrong_page: { status: 401, label: "well signed, but for another page" },
  not_an_envelope: { status: 400, label: "well signed, but not a delivery" },
  not_plain_json: { status: 415, label: "another content type, charset or encoding" },
  too_large: { status: 413, label: "larger than we take" },
  too_slow: { status: 408, label: "the body did not arrive in time" },
  no_room: { status: 503, label: "too many bodies at a time" },
  rotating: { status: 503, label: "signed with another key while the key changes" },
  key_unreadable: { status: 503, label: "the signature key cannot be read here" },
  database: { status: 503, label: "the database did not take it in time" },
  too_many: { status: 429, label: "too many that were not verified" },
} as const
export type RefusalReason = keyof typeof REFUSAL_REASONS

/** What is wrong with a subscriber, with receiving or with what was received. */
export const WEBHOOK_PROBLEMS = {
  webhook_not_registered: {
    message: "The service does not tell this store about shows: no webhook is registered.",
    fix: "Register the webhook.",
  },
  webhook_key_unknown: {
    message: "The webhook has no signature key, so its deliveries are refused.",
    fix: "Rotate the key, or paste it by hand.",
  },
  webhook_warning: {
    message: "The service reports failing deliveries for 30 minutes and more.",
    fix: "Check that this store's address is reachable from outside. After 60 minutes the service stops sending.",
  },
  webhook_disabled: {
    message: "The service stopped sending after 60 minutes of failing deliveries.",
    fix: "Check that this store's address is reachable from outside, then register the webhook again, or press Activate in the service's dashboard. What was missed is read by itself.",
  },
  webhook_missing: {
    message: "The service does not know this webhook any more.",
    fix: "Register the webhook again.",
  },
  applying_paused: {
    message: "Deliveries are kept, but not applied: applying was paused on {at}.",
    fix: "Resume applying. Nothing is lost meanwhile.",
  },
  clock_skew: {
    message: "The clocks of this store and of the service are {seconds} seconds apart.",
    fix: "Set this store's clock (NTP). Deliveries more than {tolerance} seconds off are refused.",
  },
  deliveries_refused: {
    message:
      "Since {since} no delivery was accepted and others were refused, the last at {at}: {why}.",
    fix: "Open the webhook's check in the connection's settings: it says what to do.",
  },
  deliveries_quarantined: {
    message: "{count} deliveries were put aside, because they cannot be put in order or placed.",
    fix: 'Open "Deliveries", read the reason and press "Replay".',
  },
  deliveries_unknown: {
    message:
      "{count} deliveries have a topic or version that this version of the plugin does not know.",
    fix: "Update the plugin, then replay them.",
  },
  deliveries_failed: {
    message: "{count} deliveries of the service could not be applied.",
    fix: 'Open "Deliveries", read the reason and press "Replay".',
  },
  listing_incomplete: {
    message: "The service's list of events was not whole, so it says nothing about what it lacks.",
    fix: "Nothing to do: it is read again. If this stays, report it to the service.",
  },
} as const satisfies Record<string, ReasonText>

/** What the doctor finds, from evidence. `severity` orders the findings; `info` is no fault. */
export const FINDINGS = {
  backend_url_missing: {
    severity: "critical",
    message: "This store does not know its own public address, so no webhook can be registered.",
    fix: "Set SVC_BACKEND_URL (or the option backendUrl) to it, such as https://shop.example.com, and restart the store.",
  },
  address_not_public: {
    severity: "critical",
    message:
      "The store's address {url} leads into a private network, where the service cannot reach it.",
    fix: "Set SVC_BACKEND_URL to a public https address of this store, then register the webhook again.",
  },
  address_insecure: {
    severity: "critical",
    message:
      "The store's address {url} is not https, and the service delivers to https addresses only.",
    fix: "Put the store behind https and set SVC_BACKEND_URL to that address, then register the webhook again.",
  },
  not_registered: {
    severity: "critical",
    ...WEBHOOK_PROBLEMS.webhook_not_registered,
  },
  subscriber_gone: {
    severity: "critical",
    ...WEBHOOK_PROBLEMS.webhook_missing,
  },
  subscriber_disabled: {
    severity: "critical",
    ...WEBHOOK_PROBLEMS.webhook_disabled,
  },
  subscriber_warning: {
    severity: "warning",
    ...WEBHOOK_PROBLEMS.webhook_warning,
  },
  other_address: {
    severity: "critical",
    message: "The service delivers to {registered}, but this store receives at {expected}.",
    fix: "Register the webhook again: it is moved to the right address.",
  },
  topics_missing: {
    severity: "warning",
    message: "The service does not send these topics: {topics}.",
    fix: "Register the webhook again without a choice of topics, so that every change is sent.",
  },
  other_subscribers: {
    severity: "info",
    message:
      "The page has {count} other webhooks: {names}. Each gets deliveries of its own, signed with a key of its own; a page may have {limit} in all.",
    fix: "Nothing to do, unless one of them is an old one of this store: delete it in the service's dashboard.",
  },
  service_unreachable: {
    severity: "warning",
    message: "The service could not be asked about the webhook: {problem}",
    fix: "Check the connection's address and token.",
  },
  key_missing: {
    severity: "critical",
    ...WEBHOOK_PROBLEMS.webhook_key_unknown,
  },
  key_unreadable: {
    severity: "critical",
    message: "The signature key is stored, but cannot be decrypted here.",
    fix: "Put the key that it was encrypted with back into SVC_ENCRYPTION_KEYS, or rotate the signature key.",
  },
  not_reached: {
    severity: "warning",
    message: "The store's own address did not answer us: {problem}",
    fix: "Open {url} from another network. If it does not answer there either, check DNS, firewall and proxy.",
  },
  not_this_store: {
    severity: "critical",
    message:
      "{url} answers {status}, and not by this plugin: something in front of the store answers for it.",
    fix: "Let your proxy or host pass POST requests to /hooks/svc/ on to the store, without a log-in and unchanged.",
  },
  body_limit: {
    severity: "warning",
    message: "Something in front of the store refuses bodies of {bytes} bytes with {status}.",
    fix: "Raise the limit for request bodies of your proxy to 1 MiB for /hooks/svc/ (nginx: client_max_body_size).",
  },
  body_changed: {
    severity: "critical",
    message:
      "A body that we signed ourselves did not verify after the way through {url}: something rewrites it.",
    fix: "Turn off what changes request bodies or headers for /hooks/svc/ (a firewall that sanitises JSON, a gateway that parses it).",
  },
  signature_stripped: {
    severity: "critical",
    message: "{count} requests came without the signature headers, the last at {last_at}.",
    fix: "Let your proxy pass the headers X-Svc-Signature and X-Svc-Timestamp on. Requests of strangers look the same: only act if nothing verified arrives.",
  },
  wrong_key: {
    severity: "critical",
    message:
      "{count} requests were signed with another key or changed on the way, the last at {last_at}.",
    fix: "Rotate the key, or paste the one that the service's dashboard showed.",
  },
  clock: {
    severity: "critical",
    message:
      "{count} well signed deliveries were refused as too old or too early, the last by {seconds} seconds.",
    fix: "Set this store's clock (NTP). Behind a gateway that queues, set SVC_WEBHOOK_TOLERANCE_SECONDS to what it may take.",
  },
  wrong_page: {
    severity: "critical",
    message: "{count} well signed deliveries were for another page than {page}.",
    fix: "Check the page id in the connection's settings.",
  },
  wrong_type: {
    severity: "warning",
    message:
      "{count} requests had another content type or encoding than plain JSON, the last at {last_at}.",
    fix: "Let your proxy pass the body on as it is, without compressing or converting it.",
  },
  too_large: {
    severity: "warning",
    message: "{count} requests were larger than {bytes} bytes, the last at {last_at}.",
    fix: "Raise SVC_WEBHOOK_MAX_BYTES if the service sends such deliveries.",
  },
  store_overloaded: {
    severity: "warning",
    message:
      "{count} deliveries were asked to come again, because the store could not take them in time, the last at {last_at}.",
    fix: "Check the database: its answer times, its disk and its number of connections.",
  },
  silent: {
    severity: "warning",
    message: "No delivery has come since {last_at}.",
    fix: WAIT_FOR_TEST,
  },
  never_heard: {
    severity: "warning",
    message: "No delivery has come since the webhook was registered.",
    fix: WAIT_FOR_TEST,
  },
  applying_paused: {
    severity: "warning",
    ...WEBHOOK_PROBLEMS.applying_paused,
  },
  well: {
    severity: "info",
    message: "Deliveries arrive and are verified; the last one at {last_at}.",
    fix: NOTHING,
  },
} as const satisfies Record<string, ReasonText & { severity: "critical" | "warning" | "info" }>

export const deliveryReason = (
  code: keyof typeof DELIVERY_REASONS,
  params?: ReasonParams,
): Reason => reasonFrom(DELIVERY_REASONS, code, params)

export const problem = (code: keyof typeof WEBHOOK_PROBLEMS, params?: ReasonParams): Reason =>
  reasonFrom(WEBHOOK_PROBLEMS, code, params)

export type FindingCode = keyof typeof FINDINGS
export const findingText = (code: FindingCode, params?: ReasonParams): Reason =>
  reasonFrom(FINDINGS, code, params)
