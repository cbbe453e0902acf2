/** One run: load and trouble for a while, then quiet, then what must hold. */
import { setTimeout as sleep } from "node:timers/promises"
import { Random } from "../../../sandbox/simulation/random"
import { problemsOf, sampleLeases, workLeft } from "./facts"
import type { LeaseSample } from "./invariants"
import { type Load, type Rates, startLoad } from "./load"
import { makeSchedule, printed } from "./schedule"
import type { ChaosShop } from "./shop"
import { endUnkindness, lanesOf } from "./troubles"

type Run = {
  seed: string
  ms: number
  rates: Rates
  /** Which troubles there are; none for a soak. */
  troubles: "all" | "kills" | "none"
  /** The longest quiet time between two troubles of a lane. */
  pauseMs: number
  /** Is told how far it is, where that takes long. */
  say: (text: string) => void
}

export type Outcome = {
  /** Empty where everything holds. */
  problems: string[]
  schedule: string
  /** Troubles that came, by name. */
  struck: string[]
  done: Record<string, number>
  /** Products that the night's comparison sent, because the event that should have marked them was lost. */
  foundByComparison: number
  leases: LeaseSample[]
  /** From the end of the trouble until everything held. */
  settledAfterMs: number
}

/** However slow the machine is, something is sold in a run. */
const SELLS_AT_LEAST = 3
const SELLS_WITHIN_MS = 5 * 60_000
/** No run takes longer to come to rest: leases, pauses after failures and the jobs of each minute are all shorter. */
const SETTLES_WITHIN_MS = 12 * 60_000
const LOOK_EVERY_MS = 3_000
const SAMPLE_MS = 500
const SAY_EVERY_MS = 60_000

export async function run(shop: ChaosShop, how: Run): Promise<Outcome> {
  const random = new Random(how.seed)
  const lanes = how.troubles === "none" ? {} : lanesOf(shop, how.troubles)
  const steps = makeSchedule(random.stream("schedule"), lanes, how.ms, how.pauseMs)
  const over = new AbortController()
  const load = startLoad(shop, how.rates, random.stream("load"), over.signal)
  const leases: LeaseSample[] = []
  const sampling = sample(shop, leases, over.signal)
  const started = Date.now()
  const struck = new Set<string>()

  await Promise.all([
    ...Object.entries(lanes).map(async ([lane, deeds]) => {
      for (const step of steps.filter((each) => each.lane === lane)) {
        await sleep(Math.max(0, started + step.atMs - Date.now()))
        const deed = deeds.find(({ name }) => name === step.trouble)
        if (!deed) throw new Error(`There is no trouble "${step.trouble}" in ${lane}.`)
        const end = await deed.begin(shop)
        struck.add(step.trouble)
        await sleep(step.forMs)
        await end?.()
      }
    }),
    sleep(how.ms),
  ])
  await endTrouble(shop)
  const patience = Date.now() + SELLS_WITHIN_MS
  while ((load.done["orders placed"] ?? 0) < SELLS_AT_LEAST && Date.now() < patience) {
    await sleep(LOOK_EVERY_MS)
  }
  over.abort()
  await load.ended
  await sampling

  const quiet = Date.now()
  const { problems, foundByComparison } = await settle(shop, load, how.say)
  return {
    problems,
    schedule: printed(steps),
    struck: [...struck],
    done: load.done,
    foundByComparison,
    leases,
    settledAfterMs: Date.now() - quiet,
  }
}

async function sample(shop: ChaosShop, into: LeaseSample[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // A database that is away holds no lease that anybody could take over.
    const seen = await sampleLeases(shop).catch(() => undefined)
    if (seen) into.push(seen)
    await sleep(SAMPLE_MS)
  }
}

async function endTrouble(shop: ChaosShop): Promise<void> {
  await endUnkindness(shop)
  for (const process of shop.processes) process.release()
  await Promise.all(shop.processes.map(({ up }) => up()))
}

/**
 * Has the service send again what it gave up, lets pauses after failures pass, and looks until everything holds. What a merchant or the night would do is done here: "Activate", "send again", the comparison.
 */
async function settle(
  shop: ChaosShop,
  load: Load,
  say: (text: string) => void,
): Promise<{ problems: string[]; foundByComparison: number }> {
  let saidAt = Date.now()
  const until = Date.now() + SETTLES_WITHIN_MS

  let problems = ["nothing was looked at"]
  let compared: number | undefined
  while (Date.now() < until) {
    try {
      await sendAgain(shop)
      await letPausesPass(shop)
      const left = Object.entries(await workLeft(shop)).filter(([, rows]) => rows > 0)
      problems = left.map(([what, rows]) => `${rows} ${what} are left to do`)
      if (problems.length === 0 && compared === undefined) {
        compared = await compare(shop)
        continue
      }
      if (problems.length === 0) problems = await problemsOf(shop, load.pricesOf)
      if (problems.length === 0) break
    } catch (error) {
      problems = [`could not look: ${(error as Error).message}`]
    }
    if (Date.now() - saidAt > SAY_EVERY_MS) {
      saidAt = Date.now()
      say(`  not yet: ${problems.slice(0, 3).join("; ")}`)
    }
    await sleep(LOOK_EVERY_MS)
  }
  return { problems, foundByComparison: compared ?? 0 }
}

/** What the service gave up is in its request log, and a person sends it again from there (interface §7 rule 1). */
async function sendAgain({ sandbox }: ChaosShop): Promise<void> {
  const { subscribers } = await sandbox.control<{ subscribers: { uid: string; state: string }[] }>(
    "/subscribers",
  )
  for (const { uid, state } of subscribers) {
    if (state === "disabled") await sandbox.control(`/subscribers/${uid}/activate`, {})
  }
  for (const state of ["failed", "dropped"]) {
    const { deliveries } = await sandbox.control<{ deliveries: { id: string }[] }>(
      `/deliveries?state=${state}&limit=1000`,
    )
    for (const { id } of deliveries) await sandbox.control(`/deliveries/${id}/resend`, {})
  }
  // Retries that are due in some minutes.
  await sandbox.control("/clock", { run_until_idle: true, grace_ms: 2_000 })
}

/** What failed, or is asked for again and again, waits for up to a quarter of an hour; that time passes now. */
const letPausesPass = ({ query }: ChaosShop) =>
  query(`
    UPDATE svc_catalog_item SET next_attempt_at = now() WHERE next_attempt_at > now();
    UPDATE svc_attribution SET next_attempt_at = now() WHERE next_attempt_at > now();
    UPDATE svc_show_order SET next_attempt_at = now() WHERE next_attempt_at > now();
    UPDATE svc_catalog_import SET next_attempt_at = now() WHERE next_attempt_at > now();
    UPDATE svc_delivery SET next_attempt_at = now() WHERE next_attempt_at > now();
    UPDATE svc_hold SET until = now() WHERE until > now()`)

/**
 * The comparison that each night makes: a process that is killed between a change and its event tells nobody.
 *
 * @returns how many products it had to send
 */
async function compare({ admin, market, query }: ChaosShop): Promise<number> {
  const path = `/admin/svc/connections/${market.connectionId}/sync`
  const sent = async () =>
    Number(
      (await query<{ n: string }>("SELECT sum(acknowledged) AS n FROM svc_catalog_item"))[0]?.n,
    )
  const before = await sent()
  await admin.post(path)
  for (;;) {
    const { sync } = await admin.get<{ sync: { status: string } }>(path)
    if (sync.status !== "running") break
    await sleep(500)
  }
  return (await sent()) - before
}
