/** What all parts of the dashboard share: the address, word of changes, the control API, a word at the bottom. */

import { useEffect, useReducer, useState } from "preact/hooks"
import { type ControlError, createControlClient } from "../../../client/control-client"

export const svc = createControlClient("")

type Said = { text: string; bad: boolean }
const draws = new Set<() => void>()

export const state = {
  path: readPath(),
  /** The page that is looked at; the first one unless chosen. */
  pageUid: localStorage.getItem("svc-sandbox:page"),
  /** Goes up with every change of the sandbox. */
  version: 0,
  connected: true,
  said: null as Said | null,
}

export function update(change: Partial<typeof state>): void {
  Object.assign(state, change)
  for (const draw of draws) draw()
}

/** `#/shows/event_1` */
function readPath(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent)
}

export const href = (...path: string[]) => `#/${path.map(encodeURIComponent).join("/")}`

/** Draws its caller anew whenever something of the state changes. */
export function useShared(): typeof state {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const add = () => draw(undefined)
    draws.add(add)
    return () => void draws.delete(add)
  }, [])
  return state
}

/**
 * Loads, and loads again after each change and where `key` differs; what is there stays on screen meanwhile. The
 * parts of another address are drawn from nothing (`key` of `main` in `app.tsx`), so they never show old data.
 */
export function useLoaded<T>(load: () => Promise<T>, key = "") {
  const { version } = useShared()
  const [loaded, setLoaded] = useState<{ data?: T; error?: unknown }>({})
  // `load` follows from `key`, and `version` says that it answers anew.
  useEffect(() => {
    let current = true
    load().then(
      (data) => current && setLoaded({ data }),
      (error) => current && setLoaded({ error }),
    )
    return () => {
      current = false
    }
  }, [key, version])
  return loaded
}

/** Does it, and says at the bottom of the page how that went. */
export async function attempt(work: () => unknown, done?: string): Promise<boolean> {
  try {
    await work()
    if (done) say(done)
    return true
  } catch (failure) {
    say(sentenceOf(failure), true)
    return false
  } finally {
    // What is on screen must not be older than what was just said.
    update({ version: state.version + 1 })
  }
}

function say(text: string, bad = false): void {
  const said = { text, bad }
  update({ said })
  setTimeout(() => state.said === said && update({ said: null }), bad ? 8000 : 2500)
}

/** The sentence of an answer that was an error, without its status and code. */
export const sentenceOf = (failure: unknown): string =>
  failure instanceof Error
    ? ((failure as Partial<ControlError>).detail ?? failure.message)
    : String(failure)

export function start(): void {
  addEventListener("hashchange", () => {
    update({ path: readPath() })
    scrollTo(0, 0)
  })
  const stream = new EventSource("/_sandbox/stream")
  let later: ReturnType<typeof setTimeout>
  stream.addEventListener("changed", () => {
    clearTimeout(later)
    // Changes that come together are one refresh.
    later = setTimeout(() => update({ version: state.version + 1 }), 120)
  })
  stream.addEventListener("open", () => update({ connected: true, version: state.version + 1 }))
  stream.addEventListener("error", () => update({ connected: false }))
}

const TIME = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
})
export const timeOf = (ms: number) => TIME.format(ms)

/** Text that is JSON is laid out; anything else is left as it came. */
export function pretty(text: unknown): string {
  try {
    return JSON.stringify(typeof text === "string" ? JSON.parse(text) : text, null, 2)
  } catch {
    return String(text ?? "")
  }
}
