import {
  type WorkflowDefinition,
  WorkflowManager,
  WorkflowScheduler,
} from "@medusajs/framework/orchestration"
import type { Logger } from "@medusajs/framework/types"
import type { CursorRows } from "./cursor-rows"
import { messageOf } from "./error-message"

/** How the names begin under which Medusa keeps the plugin's jobs among its workflows. */
const OURS = "job-svc-"

const CURSOR = "jobs"
/** A process that misses two of its own minutes stood still. */
const STOOD_STILL_MS = 150_000
/** With Redis a worker runs one job at a time, and one of a night, or of the store's own, may take some minutes. */
export const SILENT_AFTER_MS = 900_000

/**
 * Notices that Medusa does not run the jobs any more, and schedules them again. With several processes Medusa keeps its
 * schedule in Redis and writes it there only when a process starts: a Redis that lost its data (restarted without a disk,
 * emptied, failed over to an empty replica) runs no job until then, and nothing would find what no event told.
 *
 * Not done each time, whether it is needed or not: scheduling a job drops its next run.
 */
export class JobSchedule {
  #since = new Date()
  #awakeAt = this.#since
  /** Since when this process could have seen a job run. */
  #upSince = this.#since

  constructor(
    private readonly cursors: Pick<CursorRows, "ageMs" | "moveToNow">,
    private readonly logger: Logger,
    private readonly scheduleAgain: () => Promise<void> = scheduleJobs,
  ) {}

  /** Notes that the schedule works. For a job of each minute that ends at once: one that takes minutes would look like none. */
  async ran(): Promise<void> {
    await this.cursors.moveToNow(CURSOR)
  }

  /** The process has started: whatever ran before was another one's. */
  started(now = new Date()): void {
    this.#since = now
    this.#upSince = now
  }

  /** For how long no job has run in any process, as far as this one can tell. */
  async silentMs(now = new Date()): Promise<number> {
    return this.#silentMs(this.#upSince, now)
  }

  async #silentMs(since: Date, now: Date): Promise<number> {
    return Math.min(now.getTime() - since.getTime(), await this.cursors.ageMs(CURSOR))
  }

  /**
   * For each minute of every process. Where a minute is missing, this process stood still itself, and the jobs with it; or its
   * clock was set, maybe back from a time that is years ahead.
   */
  minutePassed(now = new Date()): void {
    if (Math.abs(now.getTime() - this.#awakeAt.getTime()) > STOOD_STILL_MS) this.started(now)
    this.#awakeAt = now
  }

  /**
   * For each minute of every process that runs jobs: the one that is left must notice, too.
   *
   * @returns whether the jobs were scheduled again. Never rejects: the next minute looks again
   */
  async look(now = new Date()): Promise<boolean> {
    try {
      const silentMs = await this.#silentMs(this.#since, now)
      if (silentMs < SILENT_AFTER_MS) return false
      this.#since = now
      await this.scheduleAgain()
      const minutes = Math.round(silentMs / 60_000)
      this.logger.warn(
        `svc: no job has run for ${minutes} minutes, so the plugin's jobs were scheduled again. A job that takes that long holds ` +
          "up all others, and they come after it: leave it alone. If there is none and the store uses Redis, that may have lost " +
          "its data: restart a worker, so that Medusa's own jobs and the store's come back as well.",
      )
      return true
    } catch (error) {
      const reason = messageOf(error)
      this.logger.error(`svc: it could not be seen whether jobs run: ${reason}`)
      return false
    }
  }
}

/** In a process that serves requests only Medusa does nothing of this. */
async function scheduleJobs(): Promise<void> {
  const workflows: ReadonlyMap<string, WorkflowDefinition> = WorkflowManager.getWorkflows()
  for (const [name, workflow] of workflows) {
    if (name.startsWith(OURS)) await new WorkflowScheduler().scheduleWorkflow(workflow)
  }
}
