import { useLayoutEffect, useReducer } from "preact/hooks"

/** A value that pages can watch. */
export interface State<T> {
  get(): T
  set(value: T): void
  /** Calls `watcher` now and after every change; answers how to stop. */
  watch(watcher: (value: T) => void): () => void
}

export function createState<T>(initial: T): State<T> {
  const watchers = new Set<(value: T) => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      current = value
      for (const watcher of [...watchers]) {
        watcher(value)
      }
    },
    watch(watcher) {
      watchers.add(watcher)
      watcher(current)
      return () => watchers.delete(watcher)
    },
  }
}

/** The value in a component, which is drawn again after every change. */
export function useValue<T>(state: State<T>): T {
  const [, redraw] = useReducer((times: number, _value: T) => times + 1, 0)
  useLayoutEffect(() => state.watch(redraw), [state])
  return state.get()
}
