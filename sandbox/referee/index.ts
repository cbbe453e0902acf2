/**
 * The referee: plays an acceptance run against a receiver, and says of each rule whether it is kept, broken or could not
 * be decided.
 */

import { createControlClient } from "../client/control-client"
import { Receiver } from "./receiver"
import { RECEIVER_RULES } from "./receiver-rules"
import type { ShopDriver } from "./shop-driver"
import { broken, type Finding, undecided } from "./verdict"

export type { ShopDriver, ShopState } from "./shop-driver"
export type { Finding, Verdict } from "./verdict"

export type CheckOptions = {
  /** The receiver's address. */
  url: string
  /** The signature key that the receiver has. */
  key: string
  /** `demo-page` unless told. */
  pageUid?: string
  /** That of the sandbox's subscriber with this address unless told; without one `whk_referee`. */
  subscriberUid?: string
  /** How to look into the shop and give it a key; what is missing stays undecided. */
  shop?: ShopDriver
  /** Address of the sandbox that the receiver is registered at. */
  sandboxUrl?: string
  /** How long the shop may take to show something (10,000 ms). */
  patienceMs?: number
  /** Told of each finding as it is made. */
  onFinding?(finding: Finding): void
}

export type CheckReport = {
  findings: Finding[]
  kept: number
  broken: number
  undecided: number
}

export async function check(options: CheckOptions): Promise<CheckReport> {
  const { url, key, pageUid = "demo-page", shop = {}, patienceMs = 10_000 } = options
  const subscriberUid = options.subscriberUid ?? (await subscriberAt(url, options.sandboxUrl))
  const receiver = new Receiver({ url, key, pageUid, subscriberUid, shop, patienceMs })
  const findings = await judgeAll(receiver, options.onFinding)
  const count = (verdict: string) => findings.filter((found) => found.verdict === verdict).length
  return { findings, kept: count("kept"), broken: count("broken"), undecided: count("undecided") }
}

async function subscriberAt(url: string, sandboxUrl: string | undefined): Promise<string> {
  if (sandboxUrl === undefined) return "whk_referee"
  const { subscribers } = await createControlClient(sandboxUrl).subscribers.list()
  return subscribers.find((subscriber) => subscriber.url === url)?.uid ?? "whk_referee"
}

/**
 * In order. Where the very first rule is broken (a receiver that takes no right delivery), a 401 to a
 * wrong one proves nothing, so the others are not decided.
 */
async function judgeAll(receiver: Receiver, tell?: CheckOptions["onFinding"]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { rule, cites, says, judge } of RECEIVER_RULES) {
    const isDeaf = findings[0]?.verdict === "broken"
    const judged = isDeaf
      ? undecided("It takes no right delivery: is the key the one that it has?")
      : await judge(receiver).catch((error: Error) => broken(error.message))
    const finding = { rule, cites, says, ...judged }
    findings.push(finding)
    tell?.(finding)
  }
  return findings
}

const SIGNS = { kept: "kept     ", broken: "BROKEN   ", undecided: "undecided" } as const

/** One line for each rule, and what to look at where it is broken or undecided. */
export function line({ verdict, rule, says, cites, evidence }: Finding): string {
  const first = `${SIGNS[verdict]}  ${rule.padEnd(36)} ${says} (${cites})`
  return verdict === "kept" ? first : `${first}\n           ${evidence}`
}

export function summary({ kept, broken, undecided }: CheckReport): string {
  return `${kept} kept, ${broken} broken, ${undecided} not decided`
}
