/**
 * Plans of what goes wrong, and when.
 *
 * A plan is a list of rules with a seed. Each call of the service and each delivery attempt is held
 * against the rules in order; the first that matches and is not used up applies. What a rule draws
 * from the seed depends on its own matches only, so the same plan and the same calls give the same
 * run.
 */

import { z } from "zod"
import { ENDPOINTS, type Endpoint } from "../contract/endpoints"
import { wildcard } from "../contract/wildcard"
import { Random } from "./random"

/**
 * Deliveries as somebody without the signature key would send them (interface §5 rule 3). A right
 * receiver answers 401, after which the service does not try again.
 */
export const ADVERSARIES = [
  "forged_signature",
  "missing_signature",
  "other_key",
  "stale_signature",
  "tampered_body",
] as const
export type Adversary = (typeof ADVERSARIES)[number]

export const FAULT_KINDS = [
  "status",
  "delay",
  "hang",
  "reset",
  "half_body",
  "garbage",
  "wrong_content_type",
  "slow_drip",
  "refuse",
  "throttle",
  ...ADVERSARIES,
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

const ruleShape = z.strictObject({
  on: z.enum([...ENDPOINTS, "api", "delivery"]),
  kind: z.enum(FAULT_KINDS).optional(),
  kinds: z.array(z.enum(FAULT_KINDS)).min(1).optional(),
  skip: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).default(1),
  attempts: z.array(z.int().min(1)).optional(),
  page_uid: z.string().optional(),
  topic: z.string().optional(),
  event_uid: z.string().optional(),
  subscriber_uid: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  product_id: z.string().optional(),
  after: z.boolean().default(false),
  status: z.int().min(200).max(599).default(503),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  retry_after: z.union([z.int(), z.string()]).optional(),
  delay_ms: z.int().min(0).optional(),
  bytes: z.int().min(1).default(1),
  interval_ms: z.int().min(1).default(20),
  duration_ms: z.int().min(1).default(1000),
})

const rule = ruleShape
  .refine((r) => r.kind || r.kinds, { message: "`kind` or `kinds` is needed." })
  .refine((r) => r.on !== "delivery" || !kindsOf(r).includes("throttle"), {
    message: "`throttle` is for calls: a delivery is throttled by its receiver.",
    path: ["kind"],
  })
  .refine((r) => r.on === "delivery" || !kindsOf(r).some(isAdversary), {
    message: `For deliveries only: ${ADVERSARIES.join(", ")}.`,
    path: ["kind"],
  })
  .refine((r) => !kindsOf(r).includes("throttle") || typeof r.retry_after !== "string", {
    message: "`throttle` holds for a number of seconds.",
    path: ["retry_after"],
  })

function kindsOf(rule: { kind?: FaultKind | undefined; kinds?: FaultKind[] | undefined }) {
  return rule.kinds ?? (rule.kind ? [rule.kind] : [])
}

export function isAdversary(kind: FaultKind): kind is Adversary {
  return ADVERSARIES.some((adversary) => adversary === kind)
}

export const planSchema = z.union([
  z.strictObject({
    name: z.string().optional(),
    seed: z.union([z.string(), z.number()]).optional(),
    rules: z.array(rule).min(1),
  }),
  rule,
])

export type FaultInput = z.input<typeof planSchema>

type FaultRule = z.infer<typeof ruleShape>
/** A rule that struck, with the one kind that the seed picked. */
export type Fault = FaultRule & { kind: FaultKind; plan: string }

export type FaultSubject = {
  /** What `on` of a rule is held against. */
  endpoint: Endpoint | "delivery"
  pageUid: string | null
  method: string
  path: string
  topic?: string
  eventUid?: string
  subscriberUid?: string
  attempt?: number
  /**
   * What is struck or spared, where several are under way at once: chance then depends on it alone
   * and not on which of them began first.
   */
  entity?: string
  /** Ids of the products that the call is about; asked for only where a rule names one. */
  productIds?(): string[]
}

type Rule = FaultRule & { matched: number; applied: number }
type Plan = {
  id: string
  name: string
  seed: string
  rules: Rule[]
  randoms: Random[]
  /** By rule: until when a throttle holds, in real ms. */
  holds: number[]
}

export const planRecord = z.object({
  id: z.string(),
  name: z.string(),
  seed: z.string(),
  rules: z.array(
    ruleShape.extend({
      /** Calls or attempts that it fits, and how often it struck. */
      matched: z.int(),
      applied: z.int(),
    }),
  ),
  /** By rule: how much of the seed is used up. */
  draws: z.array(z.int()),
})
export type PlanRecord = z.infer<typeof planRecord>

const THROTTLE_SECONDS = 30

export class Faults {
  private plans: Plan[] = []

  /** @param realNow  real ms, for throttles: a caller obeys `Retry-After` in real time */
  constructor(private readonly realNow: () => number = () => performance.now()) {}

  add(id: string, input: z.infer<typeof planSchema>, defaultSeed: string): PlanRecord {
    const { name, seed, rules } =
      "rules" in input ? input : { name: undefined, seed: undefined, rules: [input] }
    const plan = this.restorePlan({
      id,
      name: name ?? rules.map((r) => `${r.on}: ${r.kind ?? r.kinds?.join("|")}`).join(", "),
      seed: String(seed ?? defaultSeed),
      rules: rules.map((r) => ({ ...r, matched: 0, applied: 0 })),
      draws: [],
    })
    this.plans.push(plan)
    return record(plan)
  }

  remove(id: string): boolean {
    const before = this.plans.length
    this.plans = this.plans.filter((plan) => plan.id !== id)
    return this.plans.length < before
  }

  clear(): void {
    this.plans = []
  }

  list(): PlanRecord[] {
    return this.plans.map(record)
  }

  restore(records: PlanRecord[]): void {
    this.plans = structuredClone(records).map((plan) => this.restorePlan(plan))
  }

  /**
   * Takes away every plan that plays an adversary. A sandbox that starts again from its file must not
   * go on with one that somebody forgot: its shop would lose deliveries for no reason that can be seen.
   */
  removeAdversaries(): void {
    this.plans = this.plans.filter(({ rules }) => !rules.flatMap(kindsOf).some(isAdversary))
  }

  /** The fault that strikes `subject`, if any. */
  take(subject: FaultSubject): Fault | null {
    for (const plan of this.plans) {
      for (const [i, rule] of plan.rules.entries()) {
        if (!matches(rule, subject)) continue
        rule.matched++
        const held = plan.holds[i] ?? 0
        if (held > this.realNow()) return throttled(rule, plan.id, held - this.realNow())
        if (rule.matched <= rule.skip) continue
        if (rule.times !== undefined && rule.applied >= rule.times) continue
        const shared = plan.randoms[i] ?? new Random(plan.seed)
        const random = subject.entity ? shared.stream(subject.entity) : shared
        if (random.next() >= rule.probability) continue
        rule.applied++
        const kind = pickKind(rule, random)
        if (kind !== "throttle") return { ...rule, kind, plan: plan.id }
        const ms = Number(rule.retry_after ?? THROTTLE_SECONDS) * 1000
        plan.holds[i] = this.realNow() + ms
        return throttled(rule, plan.id, ms)
      }
    }
    return null
  }

  private restorePlan({ draws, ...plan }: PlanRecord): Plan {
    const randoms = plan.rules.map((_, i) => new Random(`${plan.seed}/${i}`, draws[i] ?? 0))
    return { ...plan, randoms, holds: [] }
  }
}

/** A 429 that says how long it will go on. */
function throttled(rule: FaultRule, plan: string, ms: number): Fault {
  return { ...rule, kind: "throttle", status: 429, retry_after: Math.ceil(ms / 1000), plan }
}

function record({ randoms, holds, ...plan }: Plan): PlanRecord {
  return structuredClone({ ...plan, draws: randoms.map((random) => random.draws) })
}

function pickKind(rule: FaultRule, random: Random): FaultKind {
  const [first, ...rest] = rule.kinds ?? []
  return first ? random.pick([first, ...rest]) : (rule.kind ?? "status")
}

function matches(rule: FaultRule, subject: FaultSubject): boolean {
  if (rule.on === "api" ? subject.endpoint === "delivery" : rule.on !== subject.endpoint) {
    return false
  }
  if (rule.attempts && !rule.attempts.includes(subject.attempt ?? 0)) return false
  if (rule.product_id !== undefined) {
    const pattern = wildcard(rule.product_id)
    if (!(subject.productIds?.() ?? []).some((id) => pattern.test(id))) return false
  }
  return (
    like(rule.page_uid, subject.pageUid ?? "") &&
    like(rule.topic, subject.topic ?? "") &&
    like(rule.event_uid, subject.eventUid ?? "") &&
    like(rule.subscriber_uid, subject.subscriberUid ?? "") &&
    like(rule.method?.toUpperCase(), subject.method) &&
    like(rule.path, subject.path)
  )
}

/** `*` stands for anything; no pattern matches everything. */
function like(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || wildcard(pattern).test(text)
}

/** Bytes that are no JSON, no text and no compressed stream. */
export function garbageBytes(length = 64): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 197 + 131) & 0xff))
}
