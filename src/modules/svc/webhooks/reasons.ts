/** What the receiver refuses, and how grave what the doctor finds is. Sentences are in the catalogue of all texts. */
import type { FindingCode } from "../../../texts"

/** Why a request at the receiver was not taken, with the status that it is answered with (gap 15). */
export const DELIVERY_REFUSALS = {
  signature_missing: { status: 401, label: "no signature" },
  signature_malformed: { status: 401, label: "a signature or time that is none" },
  wrong_key: { status: 401, label: "signed with another key, or changed on the way" },
  stranger: { status: 401, label: "not signed with our key, and without the names of our webhook" },
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
export type RefusalReason = keyof typeof DELIVERY_REFUSALS

/** Well signed, so it is never asked to wait for the sake of its address. */
const WELL_SIGNED: readonly RefusalReason[] = ["too_old", "wrong_page", "not_an_envelope"]
/** For a reason of ours, which says nothing of the sender. */
export const isOurFault = (reason: RefusalReason): boolean =>
  DELIVERY_REFUSALS[reason].status === 503 && reason !== "rotating"
/** Answered 429 where too much of the address was not verified. */
export const isLimited = (reason: RefusalReason): boolean =>
  !isOurFault(reason) && !WELL_SIGNED.includes(reason)
/** A delivery of the service is lost: what was refused named us, or was well signed. */
export const isLoss = (reason: RefusalReason): boolean =>
  ["wrong_key", "too_old", "wrong_page", "key_unreadable"].includes(reason)

/**
 * When what was refused for a reason has passed: with a delivery that is accepted, and what the key did not verify with another
 * key.
 */
export const passedAt = (
  reason: RefusalReason,
  webhook: { last_delivery_at: Date | null; signature_key_updated_at: Date | null } | null,
): number => {
  const heardAt = webhook?.last_delivery_at?.getTime() ?? 0
  const keyAt = webhook?.signature_key_updated_at?.getTime() ?? 0
  return OF_THE_KEY.includes(reason) ? Math.max(heardAt, keyAt) : heardAt
}
const OF_THE_KEY: readonly RefusalReason[] = ["wrong_key", "rotating", "key_unreadable"]

/** What the doctor finds, from evidence; `info` is no fault. */
export const FINDINGS: Readonly<Record<FindingCode, "critical" | "warning" | "info">> = {
  address_not_public: "critical",
  address_insecure: "critical",
  other_subscribers: "info",
  service_unreachable: "warning",
  key_unreadable: "critical",
  not_reached: "warning",
  not_this_store: "critical",
  body_limit: "warning",
  body_changed: "critical",
  signature_stripped: "critical",
  wrong_key: "critical",
  clock: "critical",
  wrong_page: "critical",
  wrong_type: "warning",
  too_large: "warning",
  store_overloaded: "warning",
  silent: "warning",
  never_heard: "warning",
  well: "info",
}
