/** `/_sandbox/health`, `/state`, `/reset`, `/snapshots`, `/restore`: the sandbox as a whole. */

import { z } from "zod"
import { notFound } from "../contract/errors"
import { parse } from "../contract/input"
import { ms } from "../contract/payloads"
import { Random } from "../simulation/random"
import type { Context } from "../store/context"
import {
  restoreSnapshot,
  type Snapshot,
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
const named = z.strictObject({ name: z.string().min(1).max(100) })
const restoring = z.union([named, z.strictObject({ snapshot: snapshotSchema })])

export function state(route: Route, context: Context, options: StateOptions): void {
  const { tables, clock, profiles, faults, journal, changes, deliveries } = context
  const snapshots = new Map<string, Snapshot>()

  const stored = (name: string): Snapshot => {
    const snapshot = snapshots.get(name)
    if (!snapshot) throw notFound("snapshot", name)
    return snapshot
  }

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
      snapshots.clear()
      if (seed !== undefined) context.random = new Random(seed)
      options.seedPages()
      changes.touchAll()
      return { status: "ok" as const }
    },
  )

  const head = z.object({ name: z.string(), taken_at: ms })
  route(
    "POST",
    "/snapshots",
    { summary: "Keep a copy of everything", body: named, status: 201, answer: { snapshot: head } },
    ({ body }) => {
      const { name } = parse(named, body)
      const snapshot = takeSnapshot(context)
      snapshots.set(name, snapshot)
      return { snapshot: { name, taken_at: snapshot.taken_at } }
    },
  )
  route(
    "GET",
    "/snapshots",
    { summary: "Copies that are kept", answer: { snapshots: z.array(head) } },
    () => ({ snapshots: [...snapshots].map(([name, { taken_at }]) => ({ name, taken_at })) }),
  )
  route(
    "GET",
    "/snapshots/:name",
    { summary: "One whole document, keys included", answer: { snapshot: snapshotSchema } },
    ({ param }) => ({ snapshot: stored(param("name")) }),
  )
  route(
    "DELETE",
    "/snapshots/:name",
    { summary: "Forget a copy", answer: { deleted: z.boolean() } },
    ({ param }) => {
      stored(param("name"))
      return { deleted: snapshots.delete(param("name")) }
    },
  )
  route(
    "POST",
    "/restore",
    {
      summary: "Back to a copy",
      body: restoring,
      answer: { status: z.literal("ok"), now: ms },
    },
    ({ body }) => {
      const input = parse(restoring, body)
      const snapshot = "name" in input ? stored(input.name) : input.snapshot
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
