import type { MedusaContainer } from "@medusajs/framework/types"
import { inFlow } from "../../client"
import { Loop } from "./loop"
import {
  type Concerned,
  createTeller,
  logFailure,
  perStore,
  registerWorker,
  servesOnly,
} from "./wake-up"

export type ConnectionWorker = {
  /**
   * Says that there may be work for these connections, or for any. Returns at once; many calls make one pass. A process
   * that serves requests only (`MEDUSA_WORKER_MODE=server`) leaves it to those that handle the store's events.
   */
  wake: (container: MedusaContainer, concerned?: Concerned) => void
  /** Makes a pass for every connection that has work; joins those under way. Never rejects: the rows stay due. */
  work: (container: MedusaContainer) => Promise<void>
}

/**
 * Makes a worker with a loop for each connection, so that one market never waits for another: a service that does not
 * answer, asks for patience or takes a long import holds up its own connection only. Work that belongs to no connection
 * has one loop, under whatever name `dueInMs` gives it. One pass at a time runs for a
 * connection in this process; other processes may run their own, so a pass claims rows under a lease.
 *
 * All connections may wait for their services at once: that costs the store nothing. What costs it something (reading,
 * comparing) is bounded where it happens: by the pool that the rows are read with, whose queue is fair.
 *
 * Only a wake-up: what is to be done stands in the rows, the job of each minute finds it without us, and losing an alarm
 * at a crash costs a minute.
 *
 * @param name what it does, for the log and for other processes; one worker has it
 * @param debounceMs how long reasons are collected before a pass begins
 * @param pass works until nothing of one connection is due
 * @param dueInMs milliseconds until work falls due, by connection, 0 or less for now; connections without work are left
 *   out. Asked for all connections or for one
 */
export function createConnectionWorker(options: {
  name: string
  debounceMs: number
  pass: (container: MedusaContainer, connectionId: string) => Promise<unknown>
  dueInMs: (container: MedusaContainer, connectionId?: string) => Promise<Map<string, number>>
}): ConnectionWorker {
  const { name, debounceMs, pass, dueInMs } = options
  const tell = createTeller(name)

  const loopsOf = perStore((latest) => {
    const loops = new Map<string, Loop>()

    const loopOf = (connectionId: string): Loop => {
      // Connections come and go: loops that do nothing are not kept.
      for (const [id, loop] of loops) if (loop.isIdle && id !== connectionId) loops.delete(id)
      const known = loops.get(connectionId)
      if (known) return known
      const loop = new Loop(debounceMs, async () => {
        const container = latest()
        try {
          await inFlow(undefined, () => pass(container, connectionId))
          const next = (await dueInMs(container, connectionId)).get(connectionId) ?? null
          return servesOnly(container) ? null : next
        } catch (error) {
          logFailure(container, `${name} stopped for ${connectionId}`, error)
          return null
        }
      })
      loops.set(connectionId, loop)
      return loop
    }

    const look = new Loop(debounceMs, async () => {
      const container = latest()
      try {
        for (const [connectionId, ms] of await dueInMs(container)) {
          const loop = loopOf(connectionId)
          if (ms <= 0) loop.soon(0)
          else if (!loop.isRunning) loop.in(ms)
        }
      } catch (error) {
        logFailure(container, `${name} did not begin`, error)
      }
      return null
    })

    const running = () => [...loops].flatMap(([id, loop]) => (loop.isRunning ? id : []))
    return { loopOf, look, running }
  })

  const wakeHere = (container: MedusaContainer, concerned: Concerned): void => {
    const { loopOf, look } = loopsOf(container)
    if (concerned === "any") look.soon()
    else for (const id of concerned) loopOf(id).soon()
  }

  registerWorker(name, wakeHere)
  return {
    wake: (container, concerned = "any") => {
      if (concerned !== "any" && concerned.length === 0) return
      if (servesOnly(container)) void tell(container, concerned)
      else wakeHere(container, concerned)
    },
    work: async (container) => {
      const { loopOf, running } = loopsOf(container)
      try {
        const due = await dueInMs(container)
        const now = [...due].flatMap(([id, ms]) => (ms <= 0 ? id : []))
        await Promise.all([...new Set([...now, ...running()])].map((id) => loopOf(id).work()))
      } catch (error) {
        logFailure(container, `${name} did not begin`, error)
      }
    },
  }
}
