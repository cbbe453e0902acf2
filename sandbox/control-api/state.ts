/** `/_sandbox/health`, `/state`, `/reset`, `/snapshot`, `/restore`: the sandbox as a whole. */

import { z } from "zod"
import { parse } from "../contract/input"
import { Random } from "../simulation/random"
import type { Context } from "../store/context"
import { restoreSnapshot, snapshotSchema, stateView, takeSnapshot } from "../store/snapshots"
import type { Route } from "./route"

export type StateOptions = {
  version: string
  /** Makes the pages that a reset brings back. */
  seedPages(): void
  /** The seed given at start; without one, ids go on after a reset and never repeat. */
  seed: string | undefined
}

const resetting = z.strictObject({ seed: z.string().optional() })
const restoring = z.strictObject({ snapshot: snapshotSchema })

export function state(route: Route, context: Context, options: StateOptions): void {
  const { tables, clock, profiles, faults, journal, changes, deliveries } = context

  route("GET", "/health", () => ({
    status: "ok",
    url: context.url,
    now: clock.now(),
    seed: context.random.seed,
    version: options.version,
  }))
  route("GET", "/state", () => stateView(context))

  route("POST", "/reset", ({ body }) => {
    const { seed = options.seed } = parse(resetting, body)
    for (const table of Object.values(tables)) table.clear()
    deliveries.abandon()
    clock.reset()
    context.changeTimes.reset()
    profiles.reset()
    faults.clear()
    journal.reset()
    if (seed !== undefined) context.random = new Random(seed)
    options.seedPages()
    changes.touchAll()
    return { status: "ok" }
  })

  route("GET", "/snapshot", () => ({ snapshot: takeSnapshot(context) }))
  route("POST", "/restore", ({ body }) => {
    const { snapshot } = parse(restoring, body)
    restoreSnapshot(context, snapshot, "as it was")
    // A sandbox without a seed begins another one: ids that went out must not come again.
    context.random =
      options.seed === undefined
        ? new Random(Random.systemSeed())
        : new Random(snapshot.random.seed, snapshot.random.draws)
    return { status: "ok", now: clock.now() }
  })
}
