/** `/_sandbox/health`, `/state`, `/reset`, `/snapshot`, `/restore`: the sandbox as a whole. */

import { z } from "zod"
import { parse } from "../contract/input"
import { ms } from "../contract/payloads"
import { Random } from "../simulation/random"
import type { Context } from "../store/context"
import {
  restoreSnapshot,
  snapshotSchema,
  stateShape,
  stateView,
  takeSnapshot,
} from "../store/snapshots"
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

  route(
    "GET",
    "/health",
    {
      summary: "Whether it runs",
      answer: {
        status: z.literal("ok"),
        url: z.string(),
        now: ms,
        seed: z.string(),
        version: z.string(),
      },
    },
    () => ({
      status: "ok" as const,
      url: context.url,
      now: clock.now(),
      seed: context.random.seed,
      version: options.version,
    }),
  )
  route("GET", "/state", { summary: "Everything at a glance", answer: stateShape.shape }, () =>
    stateView(context),
  )

  route(
    "POST",
    "/reset",
    { summary: "Start over", body: resetting, answer: { status: z.literal("ok") } },
    ({ body }) => {
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
      return { status: "ok" as const }
    },
  )

  route(
    "GET",
    "/snapshot",
    {
      summary: "Everything but the journal as one document, keys included",
      answer: { snapshot: snapshotSchema },
    },
    () => ({ snapshot: takeSnapshot(context) }),
  )
  route(
    "POST",
    "/restore",
    {
      summary: "Back to a snapshot",
      body: restoring,
      answer: { status: z.literal("ok"), now: ms },
    },
    ({ body }) => {
      const { snapshot } = parse(restoring, body)
      restoreSnapshot(context, snapshot, "as it was")
      // A sandbox without a seed begins another one: ids that went out must not come again.
      context.random =
        options.seed === undefined
          ? new Random(Random.systemSeed())
          : new Random(snapshot.random.seed, snapshot.random.draws)
      return { status: "ok" as const, now: clock.now() }
    },
  )
}
