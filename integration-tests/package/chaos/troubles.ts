/** What goes wrong, and how it is done to a running shop. */
import { setTimeout as sleep } from "node:timers/promises"
import { postgresProcesses } from "../../setup/postgres-processes"
import type { Trouble } from "./schedule"
import type { ChaosShop } from "./shop"

type Deed = Trouble & {
  /** @returns what ends it */
  begin: (shop: ChaosShop) => Promise<() => Promise<unknown>>
}

/** A plan of faults at the service, or another behaviour of it where the interface is silent. */
type Unkindness = { rules?: object[]; profiles?: Record<string, string | number> }

const on = (kind: string, more: object = {}) => [{ on: "api", kind, ...more }]
const often = { probability: 0.5 }

/**
 * `docs/sandbox.md`, "Faults" and "Profiles". Without a lookup that contradicts deliveries: its price is right until the
 * next word on the product (gap 37), so at the end our copy would differ from what the service's own tables say.
 */
const OF_THE_SERVICE: Record<string, Unkindness> = {
  "calls are answered 500": { rules: on("status", { status: 500, ...often }) },
  "calls are answered 503 with Retry-After": {
    rules: on("status", { status: 503, retry_after: 3, ...often }),
  },
  "calls are throttled": { rules: on("throttle", { retry_after: 4 }) },
  "tokens are refused": { rules: on("status", { status: 401, ...often }) },
  "calls take two seconds": { rules: on("delay", { delay_ms: 2_000 }) },
  "calls hang": { rules: on("hang", { delay_ms: 20_000, probability: 0.3 }) },
  "connections are reset": { rules: on("reset", often) },
  "answers are lost": {
    rules: [
      {
        on: "api",
        kinds: ["reset", "half_body", "garbage", "wrong_content_type"],
        after: true,
        ...often,
      },
    ],
  },
  "answers drip": { rules: on("slow_drip", { interval_ms: 5 }) },
  "its port is closed": { rules: on("refuse", { duration_ms: 2_000, times: 2 }) },
  "reports are taken and answered 500": {
    rules: [{ on: "process_orders", kind: "status", status: 500, after: true }],
  },
  "five products a call, two calls a second": { profiles: { batch_limit: 5, rate_limit: 2 } },
  "refused products stand in another form": { profiles: { item_errors: "errors" } },
  "prices are answered as text": { profiles: { price_answer: "strings" } },
  "a repeated report is a conflict": { profiles: { process_orders: "conflict" } },
  "lists have every second event": { profiles: { listing_items: "partial_counted" } },
  "lists are as they were before the last change": { profiles: { listing_items: "stale" } },
  "fields that nobody knows": { profiles: { unknowns: "on", body_format: "escaped" } },
  "deliveries are late": { rules: [{ on: "delivery", kind: "delay", delay_ms: 3_000 }] },
  "deliveries are broken": {
    rules: [{ on: "delivery", kinds: ["reset", "half_body", "garbage", "refuse"], ...often }],
  },
  "deliveries arrive and count as failed": {
    rules: [{ on: "delivery", kind: "status", status: 500, after: true, ...often }],
  },
  "deliveries are dropped": {
    rules: [{ on: "delivery", kind: "status", status: 410, probability: 0.3 }],
  },
  "strangers deliver": {
    rules: [
      {
        on: "delivery",
        kinds: ["forged_signature", "missing_signature", "other_key", "stale_signature"],
        probability: 0.3,
      },
    ],
  },
  "deliveries come in storms": { profiles: { duplicates: "storm" } },
  "deliveries overtake each other": { profiles: { order: "shuffled", event_uid: "per_emission" } },
  "changes bear one time": { profiles: { ties: "same_ms" } },
  "a repeated delivery bears a later time": {
    rules: [{ on: "delivery", kind: "status", status: 500, after: true, ...often }],
    profiles: { occurred_at: "unstable" },
  },
  "a first success comes too late": { profiles: { late_2xx: "on" } },
}

/** Under "its port is closed" the control API is away too, and comes back. */
async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 60) throw error
      await sleep(500)
    }
  }
}

export const endUnkindness = async ({ sandbox }: ChaosShop) => {
  await insistently(sandbox.forgetFaults)
  await insistently(() => sandbox.control("/profiles", undefined, "DELETE"))
}

const unkind = ([name, { rules, profiles }]: [string, Unkindness]): Deed => ({
  name,
  longestMs: 12_000,
  begin: async (shop) => {
    if (rules) await insistently(() => shop.sandbox.control("/faults", { name, rules }))
    if (profiles) await insistently(() => shop.sandbox.control("/profiles", profiles))
    return () => endUnkindness(shop)
  },
})

/** So that the service's retries fall due, and some deliveries are as late as the last attempt. */
const clock: Deed = {
  name: "the service's clock goes on by four minutes",
  longestMs: 1_000,
  begin: async ({ sandbox }) => {
    await insistently(() => sandbox.control("/clock", { advance: "4m", grace_ms: 200 }))
    return async () => undefined
  },
}

const postgresIs = (
  state: string,
  longestMs: number,
  begin: (shop: ChaosShop) => Promise<() => Promise<unknown>>,
): Deed => ({ name: `Postgres is ${state}`, longestMs, begin })

const OF_THE_STORE: Deed[] = [
  postgresIs("stopped", 10_000, async (shop) => {
    await shop.stopPostgres()
    return shop.startPostgres
  }),
  postgresIs("frozen", 15_000, async ({ dataFolder }) => {
    const frozen = postgresProcesses(dataFolder)
    for (const pid of frozen) signal(pid, "SIGSTOP")
    return async () => {
      for (const pid of frozen) signal(pid, "SIGCONT")
    }
  }),
  postgresIs("crashed", 3_000, async ({ dataFolder }) => {
    // One backend that dies takes all others with it, and the server recovers.
    const [, ...children] = postgresProcesses(dataFolder)
    const victim = children.at(-1)
    if (victim !== undefined) signal(victim, "SIGKILL")
    return async () => undefined
  }),
  {
    name: "Redis is restarted",
    longestMs: 5_000,
    begin: async (shop) => {
      await shop.stopRedis(true)
      return shop.startRedis
    },
  },
  {
    name: "Redis is restarted and has forgotten everything",
    longestMs: 5_000,
    begin: async (shop) => {
      await shop.stopRedis(false)
      return shop.startRedis
    },
  },
]

/** One that ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

const killed = (name: string, longestMs: number): Deed => ({
  name: `${name} is killed`,
  longestMs,
  begin: async ({ processes }) => {
    const victim = processes.find((process) => process.name === name)
    // One that is coming up after its last kill has nothing to lose.
    return victim?.kill() ? async () => victim.release() : async () => undefined
  },
})

/** As when its machine is moved while it runs. */
const standsStill = (name: string): Deed => ({
  name: `${name} stands still`,
  longestMs: 8_000,
  begin: async ({ processes }) => {
    const pid = processes.find((process) => process.name === name)?.pid()
    if (pid !== undefined) signal(pid, "SIGSTOP")
    return async () => pid !== undefined && signal(pid, "SIGCONT")
  },
})

/** Lanes of troubles, each with one trouble at a time. */
export function lanesOf(
  { processes }: Pick<ChaosShop, "processes">,
  which: "all" | "kills",
): Record<string, Deed[]> {
  const names = processes.map(({ name }) => name)
  const kills = (longestMs: number) => names.map((name) => killed(name, longestMs))
  if (which === "kills") return { process: kills(1_000) }
  return {
    service: [...Object.entries(OF_THE_SERVICE).map(unkind), clock],
    store: [...OF_THE_STORE, ...kills(5_000), ...names.map(standsStill)],
  }
}
