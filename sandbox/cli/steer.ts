/** `svc-sandbox clock|faults|profiles|subscribers|journal`: steers the sandbox that runs, for what the dashboard has not. */

import { type ControlClient, createControlClient } from "../client/control-client"
import type { ProfileSettings } from "../simulation/profiles"
import { UsageError } from "./command-line"

type Steer = (control: ControlClient, words: string[]) => Promise<unknown>

const clock: Steer = async ({ clock }, [word]) => {
  if (word === undefined) return clock.get()
  if (word === "stop") return clock.stop()
  if (word === "run") return clock.run()
  return word === "idle" ? clock.runUntilIdle() : clock.advance(word)
}

const faults: Steer = async ({ faults }, [word]) => {
  if (word === undefined) return (await faults.list()).faults
  return word === "off" ? faults.clear() : faults.add(json(word))
}

const profiles: Steer = async ({ profiles }, words) => {
  if (words[0] === "off") return void (await profiles.reset())
  if (words.length > 0) await profiles.set(Object.fromEntries(words.map(setting)))
  const { profiles: all } = await profiles.list()
  return all
    .map(({ name, value, values }) => `${name}=${value}  (${[values].flat().join(", ")})`)
    .join("\n")
}

/** A whole number is one of the profiles that count. */
function setting(word: string): [string, ProfileSettings[keyof ProfileSettings]] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? []
  if (!name || !value) throw new UsageError(`"${word}" is no profile: name=value.`)
  return [name, (/^\d+$/.test(value) ? Number(value) : value) as ProfileSettings["listing_cap"]]
}

const subscribers: Steer = async ({ subscribers }, [uid, verb]) => {
  if (uid === undefined) return (await subscribers.list()).subscribers
  if (verb === "activate") return subscribers.activate(uid)
  if (verb === "test") return subscribers.test(uid)
  throw new UsageError("What shall become of the subscriber? One of: activate, test.")
}

const journal: Steer = async ({ journal }, words) => {
  const { entries } = await journal.find({ q: words.join(" "), order: "desc", limit: 50 })
  return entries
    .reverse()
    .map(({ at, direction, method, path, topic, status, fault }) =>
      [new Date(at).toISOString(), direction, method, path, topic, status ?? "no answer", fault]
        .filter(Boolean)
        .join(" "),
    )
    .join("\n")
}

export const STEERED: Record<string, Steer> = { clock, faults, profiles, subscribers, journal }

/** @returns what to print */
export async function steer(name: string, words: string[], sandboxUrl: string): Promise<string> {
  const said = await STEERED[name]?.(createControlClient(sandboxUrl), words)
  return typeof said === "string" ? `${said}\n` : `${JSON.stringify(said ?? "done", null, 2)}\n`
}

function json(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`A fault is a rule or plan as JSON, or "off": ${text}`)
  }
}
