/** Runs what it is given in the order in which it was asked, at most `limit` at a time. */
export type Turn = <T>(run: () => Promise<T>) => Promise<T>

export function createTurns(limit: number): Turn {
  const waiting: (() => void)[] = []
  let free = limit
  return async (run) => {
    if (free > 0) free -= 1
    // Whoever ends hands the place over, so that a newcomer cannot take it from those who wait.
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
