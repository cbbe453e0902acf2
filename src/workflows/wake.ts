import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/**
 * Wakes a worker soon, once for a burst of reasons. Only a wake-up: the rows are the truth, the minute job finds them
 * without it, and losing it at a crash costs a minute.
 *
 * @param delayMs how long reasons are collected before the worker runs
 * @returns a function that asks for one more run; runs in this process never overlap
 */
export function wakeable(
  name: string,
  delayMs: number,
  work: (container: MedusaContainer) => Promise<unknown>,
): (container: MedusaContainer) => void {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false

  const run = async (container: MedusaContainer): Promise<void> => {
    running = true
    again = false
    try {
      await work(container)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .error(`svc: ${name} stopped: ${reason}. The next minute's job goes on.`)
    } finally {
      running = false
      if (again) schedule(container)
    }
  }
  const schedule = (container: MedusaContainer): void => {
    if (running) {
      again = true
      return
    }
    if (timer) return
    timer = setTimeout(() => {
      timer = undefined
      void run(container)
    }, delayMs)
    // A wake-up must not keep a process alive that is asked to end.
    timer.unref()
  }
  return schedule
}
