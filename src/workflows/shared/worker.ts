import type { MedusaContainer } from "@medusajs/framework/types"
import { inFlow } from "../../client"
import { Loop } from "./loop"
import { createTeller, logFailure, perStore, registerWorker, servesOnly } from "./wake-up"

type Worker = {
  /**
   * Says that there may be work. Returns at once; many calls make one pass. A process that serves requests only
   * (`MEDUSA_WORKER_MODE=server`) leaves the pass to those that handle the store's events.
   */
  wake: (container: MedusaContainer) => void
  /** Works until nothing is due; joins a pass that is under way. Never rejects: the rows stay due. */
  work: (container: MedusaContainer) => Promise<void>
}

/**
 * Makes a worker of which one pass at a time runs in this process, for work that belongs to no connection; work that
 * does is for `createConnectionWorker`. Only a wake-up: what is to be done stands in the rows, the job of each minute
 * finds it without us, and losing the alarm at a crash costs a minute.
 *
 * @param name what it does, for the log and for other processes; one worker has it
 * @param debounceMs how long reasons are collected before it runs
 * @param pass works until nothing is due
 * @param nextInMs milliseconds until a row that waits falls due, or null; makes a retry punctual
 */
export function createWorker(options: {
  name: string
  debounceMs: number
  pass: (container: MedusaContainer) => Promise<unknown>
  nextInMs?: (container: MedusaContainer) => Promise<number | null>
}): Worker {
  const { name, debounceMs, pass, nextInMs } = options
  const tell = createTeller(name)

  const loopOf = perStore((latest) => {
    return new Loop(debounceMs, async () => {
      const container = latest()
      try {
        await inFlow(undefined, () => pass(container))
        const next = (await nextInMs?.(container)) ?? null
        return servesOnly(container) ? null : next
      } catch (error) {
        logFailure(container, `${name} stopped`, error)
        return null
      }
    })
  })

  registerWorker(name, (container) => loopOf(container).soon())
  return {
    work: (container) => loopOf(container).work(),
    wake: (container) => {
      if (servesOnly(container)) void tell(container, "any")
      else loopOf(container).soon()
    },
  }
}
