import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, EventPriority, Modules } from "@medusajs/framework/utils"

/** A row that is due later than this is found in time by the job of each minute. */
const MAX_ALARM_MS = 55_000
/** The shortest wait: a worker that fails at once must not run in a tight loop. */
const MIN_ALARM_MS = 250

/** Emitted on Medusa's event bus by a process that serves requests only, with the name of a worker: `{worker}`. */
export const WAKE_WORKER = "svc.wake-worker"

type Worker = {
  /**
   * Says that there may be work. Returns at once; many calls make one pass. A process that serves requests only
   * (`MEDUSA_WORKER_MODE=server`) leaves the pass to those that handle the store's events.
   */
  wake: (container: MedusaContainer) => void
  /** Works until nothing is due; joins a pass that is under way. Never rejects: the rows stay due. */
  work: (container: MedusaContainer) => Promise<void>
}

type State = {
  timer: NodeJS.Timeout | null
  dueAt: number
  running: Promise<void> | null
  again: boolean
  telling: boolean
  tellAgain: boolean
}

const workers = new Map<string, { wakeHere: Worker["wake"] }>()

/** For the subscriber of `WAKE_WORKER`: runs the worker in this process, soon. */
export function wakeHere(container: MedusaContainer, name: string): void {
  workers.get(name)?.wakeHere(container)
}

const servesOnly = (container: MedusaContainer): boolean =>
  container.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.workerMode === "server"

/**
 * Makes a worker that runs one pass at a time in this process. It only decides when: what is to be done stands in the
 * rows, so an alarm that is lost in a crash costs a minute, until the job of each minute finds the rows.
 *
 * @param name what it does, for the log and for other processes; unique
 * @param debounceMs how long reasons are collected before it runs
 * @param pass works until nothing is due
 * @param nextInMs milliseconds until a waiting row is due, or null; makes a retry punctual
 */
export function createWorker(options: {
  name: string
  debounceMs: number
  pass: (container: MedusaContainer) => Promise<unknown>
  nextInMs?: (container: MedusaContainer) => Promise<number | null>
}): Worker {
  const { name, debounceMs, pass, nextInMs } = options
  /** One per store: two applications in one process (tests) must not wake each other. */
  const states = new WeakMap<Knex, State>()

  const stateOf = (container: MedusaContainer): State => {
    const store = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
    const state = states.get(store) ?? {
      timer: null,
      dueAt: 0,
      running: null,
      again: false,
      telling: false,
      tellAgain: false,
    }
    states.set(store, state)
    return state
  }

  const setAlarm = (container: MedusaContainer, state: State, inMs: number): void => {
    const dueAt = Date.now() + inMs
    if (state.timer) {
      // The earlier alarm stands: a retry gives way to a change that is due now, and a stream of changes without a
      // pause must not put the work off for ever.
      if (state.dueAt <= dueAt) return
      clearTimeout(state.timer)
    }
    state.dueAt = dueAt
    state.timer = setTimeout(() => {
      state.timer = null
      void work(container)
    }, inMs)
    // The alarm must not keep a process alive that is asked to end.
    state.timer.unref()
  }

  const run = async (container: MedusaContainer, state: State): Promise<void> => {
    try {
      do {
        state.again = false
        await pass(container)
      } while (state.again)
      const next = (await nextInMs?.(container)) ?? null
      if (next !== null && next <= MAX_ALARM_MS && !servesOnly(container)) {
        setAlarm(container, state, Math.max(next, MIN_ALARM_MS))
      }
    } catch (error) {
      logFailure(container, `${name} stopped`, error)
    }
  }

  /** One message at a time: while the event bus is down, messages must not pile up. */
  const tell = async (container: MedusaContainer): Promise<void> => {
    const state = stateOf(container)
    state.tellAgain = state.telling
    if (state.telling) return
    state.telling = true
    try {
      do {
        state.tellAgain = false
        await container
          .resolve(Modules.EVENT_BUS)
          // Urgent, to pass the events that a bulk change of the catalog has queued; `internal` keeps it out of the
          // log.
          .emit(
            { name: WAKE_WORKER, data: { worker: name } },
            { internal: true, priority: EventPriority.CRITICAL },
          )
      } while (state.tellAgain)
    } catch (error) {
      logFailure(container, `the workers could not be told of ${name}`, error)
    } finally {
      state.telling = false
    }
  }

  const work = async (container: MedusaContainer): Promise<void> => {
    const state = stateOf(container)
    if (state.timer) clearTimeout(state.timer)
    state.timer = null
    if (state.running) {
      state.again = true
      return state.running
    }
    state.running = run(container, state).finally(() => {
      state.running = null
      // Somebody woke the worker between its last look at the rows and its end.
      if (state.again) setAlarm(container, state, debounceMs)
    })
    return state.running
  }

  const wakeHere = (container: MedusaContainer): void => {
    const state = stateOf(container)
    if (state.running) state.again = true
    else setAlarm(container, state, debounceMs)
  }

  workers.set(name, { wakeHere })
  return {
    work,
    wake: (container) => {
      if (servesOnly(container)) void tell(container)
      else wakeHere(container)
    },
  }
}

function logFailure(container: MedusaContainer, what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .error(`svc: ${what}: ${reason}. The next minute's job goes on.`)
}
