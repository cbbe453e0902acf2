/**
 * What every part of the dashboard may ask and do: the page that is looked at, the sandbox's time,
 * fetching again after a change, a word at the bottom of the page.
 */

import { createContext, type VNode } from "preact"
import { useContext, useState } from "preact/hooks"
import type { ClockView } from "../../../control-api/views"
import type { Page } from "../../../store/tables"
import type { Query } from "./router"

export type Toast = { id: number; text: string; tone: "good" | "bad" }

export type Dashboard = {
  /** The page that is looked at. */
  page: Page
  pages: Page[]
  clock: ClockView
  /** The sandbox's time, in ms. */
  now(): number
  query: Query
  /** Resolves when what is fetched last is on screen. */
  reload(): Promise<void>
  tell(text: string, tone?: Toast["tone"]): void
}

export const DashboardContext = createContext<Dashboard | null>(null)

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext)
  if (!dashboard) throw new Error("Only parts of the dashboard can use it.")
  return dashboard
}

type LoadArgs = { page: Page; id: string; query: Query }

/** Fetches what a part of the dashboard shows, and answers how it looks. */
export type Section = (args: LoadArgs) => Promise<() => VNode>

export function section<D>(
  load: (args: LoadArgs) => Promise<D>,
  View: (props: { data: D }) => VNode,
): Section {
  return async (args) => {
    const data = await load(args)
    return () => <View data={data} />
  }
}

/**
 * Work that a press begins: it shows that it is under way, fetches the page again when it is done
 * and says what went wrong.
 */
export function useAction() {
  const { reload, tell } = useDashboard()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  /** @param done  what to say afterwards */
  async function run(work: () => unknown, done?: string): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      const result = await work()
      await reload()
      // `false`: the person changed their mind when asked.
      if (done && result !== false) tell(done)
    } catch (failure) {
      console.error(failure)
      const text = sentenceOf(failure)
      setError(text)
      tell(text, "bad")
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run }
}

/** The sentence of an answer that was an error, without its status and code. */
export function sentenceOf(failure: unknown): string {
  if (failure instanceof Error) {
    return "detail" in failure ? String(failure.detail) : failure.message
  }
  return String(failure)
}
