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
