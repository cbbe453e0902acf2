/** SQL: an event, by its name in the statement, was planned, and has not begun a day later. Nobody may ever cancel it. */
export const isForgotten = (event: string): string =>
  `(${event}.status = 'planned' AND ${event}.starts_at <= now() - interval '1 day')`

/** SQL: an event, by its name in the statement, runs, or begins within a day. */
export const isSoon = (event: string): string =>
  `(${event}.status = 'live' OR (${event}.status = 'planned'
    AND ${event}.starts_at BETWEEN now() - interval '1 day' AND now() + interval '1 day'))`
