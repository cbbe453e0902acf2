import type { SetupStep } from "../../../../../../modules/svc"

/** The first steps of a connection. `complete`: each of them works, and somebody or something has looked. */
export const setupView = (steps: SetupStep[]) => ({
  complete: steps.every(({ state }) => state === "done"),
  steps,
})
