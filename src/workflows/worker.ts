import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/** Beyond this the job of each minute is in time. */
const MAX_ALARM_MS = 55_000
/** A worker that could not even look at its rows does not spin. */
const MIN_ALARM_MS = 250

export type Worker = {
  /** Says that there may be work. Returns at once; many calls make one pass. */
  wake: (container: MedusaContainer) => void
  /** Works until nothing is due; joins a pass that is under way. Never rejects: the rows stay due. */
  work: (container: MedusaContainer) => Promise<void>
}

type State = {
  timer: NodeJS.Timeout | null
  dueAt: number
  running: Promise<void> | null
  again: boolean
}

/**
 * Makes a worker of which one pass at a time runs in this process. Only a wake-up: what is to be done stands in the
 * rows, the job of each minute finds it without us, and losing the alarm at a crash costs a minute.
 *
 * @param name what it does, for the log
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
  /** One per store: two applications in one process (tests) must not wake each other. */
  const states = new WeakMap<Knex, State>()

  const stateOf = (container: MedusaContainer): State => {
    const store = container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
    const state = states.get(store) ?? { timer: null, dueAt: 0, running: null, again: false }
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
    // A wake-up must not keep a process alive that is asked to end.
    state.timer.unref()
  }

  const run = async (container: MedusaContainer, state: State): Promise<void> => {
    try {
      do {
        state.again = false
        await pass(container)
      } while (state.again)
      const next = (await nextInMs?.(container)) ?? null
      if (next !== null && next <= MAX_ALARM_MS) {
        setAlarm(container, state, Math.max(next, MIN_ALARM_MS))
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      container
        .resolve(ContainerRegistrationKeys.LOGGER)
        .error(`svc: ${name} stopped: ${reason}. The next minute's job goes on.`)
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
      // Somebody called between the last look and the end.
      if (state.again) setAlarm(container, state, debounceMs)
    })
    return state.running
  }

  return {
    work,
    wake: (container) => {
      const state = stateOf(container)
      if (state.running) state.again = true
      else setAlarm(container, state, debounceMs)
    },
  }
}
