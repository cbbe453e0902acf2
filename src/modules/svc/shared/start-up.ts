import type { Logger } from "@medusajs/framework/types"
import { type Reason, reasonFor } from "./reason"
import { sqlProblem } from "./sql-error"

/** What a process does once when it starts; `what` completes "it could not …". */
export type StartStep = { what: string; run: () => Promise<unknown> }

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000

/**
 * Does what a process has to do once. Medusa catches what a start hook throws and says nothing: the store would run with
 * dead jobs and nobody would know. A step that fails holds up no other, is logged, told by the health document, and tried
 * again until it works.
 */
export class StartUp {
  /** What could not be done yet, in this process. */
  problems: readonly Reason[] = []
  #waiting: readonly StartStep[] = []
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  constructor(
    private readonly steps: readonly StartStep[],
    private readonly logger: Logger,
    private retryMs = FIRST_RETRY_MS,
  ) {}

  /** All steps, one after the other. Never rejects. */
  run(): Promise<void> {
    this.#waiting = this.steps
    return this.#doWaiting()
  }

  async #doWaiting(): Promise<void> {
    const failed: { step: StartStep; reason: Reason }[] = []
    for (const step of this.#waiting) {
      try {
        await step.run()
      } catch (error) {
        const problem = `${step.what}: ${sqlProblem(error)}`
        const reason = reasonFor("start_failed", { problem })
        this.logger.error(`svc: ${reason.message} We try again.`)
        failed.push({ step, reason })
      }
    }
    this.#waiting = failed.map(({ step }) => step)
    this.problems = failed.map(({ reason }) => reason)
    if (failed.length === 0 || this.#stopped) return
    this.#timer = setTimeout(() => void this.#doWaiting(), this.retryMs)
    this.#timer.unref()
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS)
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
