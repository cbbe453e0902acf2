/** SQL: an event, by its name in the statement, was planned, and has not begun a day later. Nobody may ever cancel it. */
export const isForgotten = (event: string): string =>
  `(${event}.status = 'planned' AND ${event}.starts_at <= now() - interval '1 day')`

/** SQL: an event, by its name in the statement, runs, is an open shoppable, or begins within a day. */
export const isSoon = (event: string): string =>
  `(${event}.status = 'live' OR (${event}.status = 'clip' AND (${event}.deadline IS NULL OR ${event}.deadline > now()))
    OR (${event}.status = 'planned' AND ${event}.starts_at < now() + interval '1 day'))`
