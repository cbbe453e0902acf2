/** The services of a history: they answer as they are told, and remember what they took. */
import { canonicalJson } from "../../../src/contract"
import type { Answer, Pushed } from "./shop"

export type Mode =
  | "well"
  | "unavailable"
  | "not_found"
  | "token_refused"
  | "slow_down"
  /** Takes the products, and the answer never arrives. */
  | "answer_lost"
  /** The connection breaks before anything is read. */
  | "call_lost"

export const RETRY_AFTER_MS = 20_000

export type Service = ReturnType<typeof unkindService>

/** @param now the history's clock, in ms */
export function unkindService(now: () => number) {
  const taken = new Map<string, { product: Pushed; text: string }>()
  /** Products of which it may get an equal payload in the next step: nobody knows that it has it, or somebody asked for it. */
  const mayRepeat = new Set<string>()
  /** Taken in this step, and the answer never arrived. */
  const lost = new Set<string>()
  const state = {
    mode: "well" as Mode,
    /** Refused with this status whenever it is in a call. */
    ill: new Map<string, 422 | 403 | 500>(),
    /** Ever refused, so that a row may say so. */
    wasIll: new Set<string>(),
    takenInStep: new Set<string>(),
    calls: 0,
    heldUntil: 0,
    /** When it asked for patience in this step, by the history's clock. */
    toldToWaitAt: null as number | null,
    /** What it saw that must not happen. */
    faults: [] as string[],
  }

  const take = (product: Pushed, answerArrives: boolean) => {
    const text = canonicalJson(product)
    const before = taken.get(product.id)
    if (before?.text === text && !mayRepeat.has(product.id)) {
      state.faults.push(`an equal payload came twice: ${text.slice(0, 200)}`)
    }
    if (answerArrives) lost.delete(product.id)
    else {
      lost.add(product.id)
      mayRepeat.add(product.id)
    }
    state.takenInStep.add(product.id)
    taken.set(product.id, { product, text })
  }

  const answer = (products: Pushed[]): Answer | "broken" => {
    state.calls += 1
    if (now() < state.heldUntil) state.faults.push("a call came before the hold was over")
    switch (state.mode) {
      case "unavailable":
        return { status: 503, body: {} }
      case "not_found":
        return { status: 404, body: {} }
      case "token_refused":
        return { status: 401, body: {} }
      case "slow_down":
        state.toldToWaitAt = now()
        return { status: 429, body: {}, headers: { "retry-after": `${RETRY_AFTER_MS / 1_000}` } }
      case "call_lost":
        for (const { id } of products) mayRepeat.add(id)
        return "broken"
    }
    const [illness] = products.flatMap(({ id }) => state.ill.get(id) ?? [])
    // It may come in the middle of the work.
    if (illness === 500) for (const { id } of products) mayRepeat.add(id)
    if (illness) return { status: illness, body: { error: { message: "One is ill." } } }
    for (const product of products) take(product, state.mode === "well")
    return state.mode === "well" ? { status: 200, body: {} } : "broken"
  }

  return {
    state,
    taken,
    mayRepeat,
    lost,
    answer,
    reset: () => {
      taken.clear()
      mayRepeat.clear()
      lost.clear()
      Object.assign(state, {
        mode: "well",
        ill: new Map(),
        wasIll: new Set(),
        takenInStep: new Set(),
        calls: 0,
        heldUntil: 0,
        toldToWaitAt: null,
        faults: [],
      })
    },
  }
}
