import { AsyncLocalStorage } from "node:async_hooks"
import { randomUUID } from "node:crypto"

/** What the caller of a route may name its request: long enough for any tracing id, and nothing that breaks a log line. */
const GIVEN = /^[A-Za-z0-9._-]{1,128}$/

const flows = new AsyncLocalStorage<string>()

/**
 * Runs one request of somebody, or one pass of a worker, under one id. Every call of the service that is made meanwhile
 * sends it as `X-Request-Id`, and every line about it that is logged names it.
 *
 * @param given the id that the caller sent; another one is made where it is absent or is none
 */
export function inFlow<T>(given: string | undefined, run: (id: string) => T): T {
  const id = given !== undefined && GIVEN.test(given) ? given : randomUUID()
  return flows.run(id, () => run(id))
}

/** The id of what runs now; a new one where nothing named itself. */
export const flowId = (): string => flows.getStore() ?? randomUUID()

/** One call of the service, for the log. Nothing of what was sent or answered. */
export type CallRecord = {
  request_id: string
  /** What it was for, in words. */
  what: string
  method: string
  path: string
  /** Null where no answer came. */
  status: number | null
  duration_ms: number
}
