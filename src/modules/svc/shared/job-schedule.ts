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
/** Two of the jobs of a minute did not run, and none is late. */
const MISSED_MS = 150_000

/**
 * Notices that Medusa does not run the jobs any more, and schedules them again. With several processes Medusa keeps its
 * schedule in Redis and writes it there only when a process starts: a Redis that lost its data (restarted without a disk,
 * emptied, failed over to an empty replica) runs no job until then, and nothing would find what no event told.
 *
 * Not done each time, whether it is needed or not: scheduling a job drops its next run.
 */
export class JobSchedule {
  #since = new Date()
  #lookedAt = this.#since

  constructor(
    private readonly cursors: Pick<CursorRows, "position" | "moveTo">,
    private readonly logger: Logger,
    private readonly scheduleAgain: () => Promise<void> = scheduleJobs,
  ) {}

  /** For a job of each minute: the schedule works. */
  async ran(now = new Date()): Promise<void> {
    await this.cursors.moveTo(CURSOR, now)
  }

  /** The process has started: whatever ran before was another one's. */
  started(now = new Date()): void {
    this.#since = now
  }

  /**
   * For each minute of every process: the one that is left must notice, too.
   *
   * @returns whether the jobs were scheduled again. Never rejects: the next minute looks again
   */
  async look(now = new Date()): Promise<boolean> {
    try {
      // Where it was not looked each minute, this process stood still itself, and the jobs with it.
      if (now.getTime() - this.#lookedAt.getTime() > MISSED_MS) this.#since = now
      this.#lookedAt = now
      const ran = await this.cursors.position(CURSOR)
      const since = Math.max(this.#since.getTime(), ran?.getTime() ?? 0)
      if (now.getTime() - since < MISSED_MS) return false
      this.#since = now
      await this.scheduleAgain()
      const minutes = Math.round((now.getTime() - since) / 60_000)
      this.logger.warn(
        `svc: no job has run for ${minutes} minutes, so the plugin's jobs were scheduled again. Redis may have lost its ` +
          "data: restart a worker, so that Medusa's own jobs and the store's come back as well.",
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
