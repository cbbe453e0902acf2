import { useEffect, useState } from "preact/hooks"
import { messageOf } from "./notices"

type Loaded<T> = { value: T } | { error: unknown } | null

/**
 * Loads once and again when asked. A page's `key` holds what it loads by, so it is another component
 * for another product, and an answer that comes after the visitor has left goes nowhere.
 */
export function useLoaded<T>(load: () => Promise<T>): { loaded: Loaded<T>; again: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is why it loads again
  useEffect(() => {
    let here = true
    setLoaded(null)
    load().then(
      (value) => here && setLoaded({ value }),
      (error: unknown) => here && setLoaded({ error }),
    )
    return () => {
      here = false
    }
  }, [attempt])
  return { loaded, again: () => setAttempt(attempt + 1) }
}

export function DidNotLoad({ error, again }: { error: unknown; again: () => void }) {
  return (
    <div class="page message stack center gap-16" role="alert">
      <h1 class="title">That did not load</h1>
      <p class="soft">{messageOf(error)}</p>
      <button type="button" class="button primary" onClick={again}>
        Try again
      </button>
    </div>
  )
}
