/**
 * How the service could differ where the interface is silent, or says two things.
 *
 * Each profile is one gap; its first value is what the sandbox does unless told otherwise.
 */

import { SandboxError } from "../contract/errors"

type Choice = { gap: string; description: string; values: readonly [string, ...string[]] }
type Amount = { gap: string; description: string; values: "number" }

const PROFILES = {
  event_uid: {
    gap: "1",
    description:
      "On product topics metadata.eventUid is the record's id (§6.2 rule 2) or new for each change (§2.5)",
    values: ["per_record", "per_emission"],
  },
  timestamps: {
    gap: "7",
    description:
      "occurredAt, deliveryAt and X-Svc-Timestamp are the receiver's time, or what the sandbox's clock shows",
    values: ["receiver", "clock"],
  },
  occurred_at: {
    gap: "2, 19",
    description: "A retry or re-send keeps occurredAt, has a new one, or all lie an hour ahead",
    values: ["stable", "unstable", "future"],
  },
  ties: {
    gap: "3",
    description: "All changes within one second bear the same occurredAt",
    values: ["off", "same_ms"],
  },
  event_campaign: {
    gap: "6.2 rule 2",
    description: "An event names its campaign, or has none: in deliveries and listings alike",
    values: ["named", "missing"],
  },
  ids: {
    gap: "4",
    description: "The id at the top of a payload equals event.id and uid, or is another one",
    values: ["aligned", "aliased"],
  },
  identifiers: {
    gap: "§2.3",
    description:
      "Campaigns and order numbers are letters, digits, - and _, or have spaces, slashes and other letters",
    values: ["plain", "any"],
  },
  order: {
    gap: "5",
    description: "First attempts within half a second overtake each other",
    values: ["in_order", "shuffled"],
  },
  duplicates: {
    gap: "1",
    description: "Each delivery that succeeds is sent two to four times more (§6.1)",
    values: ["off", "storm"],
  },
  late_2xx: {
    gap: "1",
    description: "A 2xx to the first attempt counts as too late, so it is retried (§6.1)",
    values: ["off", "on"],
  },
  resend_signing: {
    gap: "8",
    description: "A manual re-send is signed afresh, or bears the old timestamp and signature",
    values: ["fresh", "frozen"],
  },
  key_encoding: {
    gap: "10",
    description: "The signature key signs as its UTF-8 bytes or as its base64-decoded bytes",
    values: ["utf8", "base64"],
  },
  rotation: {
    gap: "12",
    description:
      "The answer of a rotation comes at once, half a second after the new key is in use, or never",
    values: ["immediate", "answer_late", "answer_lost"],
  },
  timestamp_header: {
    gap: "18",
    description: "X-Svc-Timestamp equals deliveryAt, or differs from it and is what is signed",
    values: ["delivery_at", "differs"],
  },
  hint_headers: {
    gap: "9",
    description:
      "The X-Svc-* headers that are not signed equal the body, are absent, or contradict it",
    values: ["as_documented", "missing", "contradicting"],
  },
  test_body: {
    gap: "16",
    description: "svc.test carries the ids of an ordinary delivery, or none",
    values: ["full", "bare"],
  },
  body_format: {
    gap: "§5 rule 3",
    description: "Other bytes for the same JSON: indented, non-ASCII escaped, spaced",
    values: ["compact", "pretty", "escaped", "spaced"],
  },
  unknowns: {
    gap: "§9 rule 2",
    description: "Payloads carry fields and values that no document names",
    values: ["off", "on"],
  },
  field_types: {
    gap: "§9 rule 2",
    description:
      "Fields of a product in deliveries have the types of §2.7, or others: a price as text, 1 for true, null, words and fractions for quantities",
    values: ["documented", "other"],
  },
  version: {
    gap: "14",
    description: "Versions of the envelope: v1 alone, or a v2 that a subscriber may opt in to",
    values: ["v1", "v2"],
  },
  custom_headers: {
    gap: "13",
    description: "Custom headers are set at creation, or can be changed later",
    values: ["fixed", "changeable"],
  },
  webhook_answers: {
    gap: "13",
    description:
      "Shape of the webhook management answers; `other_types` has custom headers by name and topics as objects, `key_alone` answers a creation with nothing but the key, `items` lists them under another name",
    values: ["flat", "wrapped", "snake_case", "other_types", "key_alone", "items"],
  },
  subscriber_ids: {
    gap: "13",
    description:
      "Deliveries name a subscriber by the id that webhook management has for it, or by another one, which it shows nowhere",
    values: ["same", "own"],
  },
  listing: {
    gap: "20",
    description: "Shape of the event listings; `page_count` counts the events of the page",
    values: ["data", "array", "items", "named", "uncounted", "page_count"],
  },
  listing_items: {
    gap: "20",
    description:
      "The listings have every event, none, every second one (the count of all, or of those listed), or each as it was before its latest change",
    values: ["complete", "empty", "partial", "partial_counted", "stale"],
  },
  listing_age: {
    gap: "20",
    description: "The listings are from a cache: every event as it was so many seconds ago",
    values: "number",
  },
  listing_fields: {
    gap: "20",
    description:
      "An event in a listing has every field of a delivery, only its names and status, null for the others, fields of the listing's own and addresses that change each time, or no campaign",
    values: ["all", "few", "null", "own", "unlinked"],
  },
  listing_drift: {
    gap: "20",
    description: "After the first page the newest event is gone, or a new one is there",
    values: ["none", "deletion", "creation"],
  },
  listing_cap: {
    gap: "20",
    description: "Events on one page of a listing, whatever limit was asked for; 0 = 100",
    values: "number",
  },
  paging: {
    gap: "20",
    description:
      "The listings answer the window that limit and offset ask for, or always all, or their first page where listing_cap has one",
    values: ["limit_offset", "ignored"],
  },
  price_answer: {
    gap: "33, 34, 35",
    description:
      "Shape and spelling of the price answer; `two_prices` has the catalog's as `price` beside `campaignPrice`, `ambiguous` the catalog's as `price` beside `amount`, `two_currencies` and `two_bases` another currency or tax basis beside the price's",
    values: [
      "nested",
      "flat",
      "strings",
      "wrapped",
      "minimal",
      "amount_object",
      "two_prices",
      "ambiguous",
      "two_currencies",
      "two_bases",
    ],
  },
  campaign_prices: {
    gap: "21",
    description:
      "Prices for what is on sale: shows on air, over with a deadline ahead, and clips. Or for every campaign that is not cancelled, deleted or past its deadline, also before the show, unpublished, and of unavailable products. Or for every product that was ever in any campaign",
    values: ["on_sale", "open", "always"],
  },
  lookup_price: {
    gap: "37",
    description:
      "The price lookup answers what webhooks say, a tenth less, or the same with digits that no currency has",
    values: ["same", "lower", "many_digits"],
  },
  item_errors: {
    gap: "23",
    description: "How POST /products tells which products it refused",
    values: ["results", "errors", "products", "wrapped", "list", "reject_batch", "silent"],
  },
  product_rules: {
    gap: "24, 26, 27, 28",
    description:
      "What a product must look like inside, which §2.1 does not show: options and variants that have a name, prices that are numbers; every field of ours, and no sku twice; or nothing is looked at",
    values: ["documented", "strict", "outside_only"],
  },
  process_orders: {
    gap: "47",
    description:
      "A repeated report is accepted again, or answers 409; 204 without a body; the first report of a number answers 409; one under another Idempotency-Key answers 422",
    values: ["idempotent", "conflict", "empty", "conflict_first", "keyed"],
  },
  rest_errors: {
    gap: "53",
    description:
      "What a refusal says: JSON with the error inside, its fields alone, text, nothing; or that of one thing is a 200 whose body refuses",
    values: ["nested", "flat", "text", "empty", "in_200"],
  },
  batch_limit: {
    gap: "22",
    description: "Products in one POST /products; 0 = no limit",
    values: "number",
  },
  rate_limit: {
    gap: "22, 53",
    description: "Calls a second and page; 0 = no limit",
    values: "number",
  },
} as const satisfies Record<string, Choice | Amount>

export type ProfileName = keyof typeof PROFILES
export type ProfileValue<N extends ProfileName> = (typeof PROFILES)[N]["values"] extends "number"
  ? number
  : Extract<(typeof PROFILES)[N]["values"], readonly unknown[]>[number]
export type ProfileSettings = { [N in ProfileName]: ProfileValue<N> }

const NAMES = Object.keys(PROFILES) as ProfileName[]

export type ProfileView = (Choice | Amount) & {
  name: ProfileName
  default: string | number
  value: string | number
}

function defaultOf(name: ProfileName): string | number {
  const { values } = PROFILES[name]
  return values === "number" ? 0 : values[0]
}

export class Profiles {
  private settings = new Map<ProfileName, string | number>()

  get<N extends ProfileName>(name: N): ProfileValue<N> {
    // Only `set` writes, and it checks against PROFILES.
    return (this.settings.get(name) ?? defaultOf(name)) as ProfileValue<N>
  }

  /** All or nothing: one wrong name or value changes none. */
  set(changes: Record<string, unknown>): void {
    const accepted = Object.entries(changes).map(([name, value]) => check(name, value))
    for (const [name, value] of accepted) this.settings.set(name, value)
  }

  reset(): void {
    this.settings.clear()
  }

  /** These and no others; a wrong one changes none. */
  replace(settings: Record<string, unknown>): void {
    const before = new Map(this.settings)
    this.settings.clear()
    try {
      this.set(settings)
    } catch (error) {
      this.settings = before
      throw error
    }
  }

  /** What differs from the defaults; for snapshots. */
  changed(): Record<string, string | number> {
    return Object.fromEntries(this.settings)
  }

  list(): ProfileView[] {
    return NAMES.map((name) => ({
      name,
      ...PROFILES[name],
      default: defaultOf(name),
      value: this.get(name),
    }))
  }
}

function check(name: string, value: unknown): [ProfileName, string | number] {
  const known = NAMES.find((candidate) => candidate === name)
  if (!known) {
    throw new SandboxError(
      400,
      "unknown_profile",
      `There is no profile "${name}". Known are: ${NAMES.join(", ")}.`,
    )
  }
  const { values } = PROFILES[known]
  if (values === "number") {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return [known, value]
    throw new SandboxError(400, "invalid_profile", `"${name}" is a whole number, 0 or more.`)
  }
  const allowed: readonly string[] = values
  if (typeof value === "string" && allowed.includes(value)) return [known, value]
  throw new SandboxError(400, "invalid_profile", `"${name}" is one of: ${allowed.join(", ")}.`)
}
