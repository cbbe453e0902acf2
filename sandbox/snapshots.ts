/** The whole sandbox as one JSON document: for snapshots, for the state file, for a look at it. */

import { SandboxError } from "./errors"
import type { PlanRecord } from "./faults"
import { dump, load, type TableRecords } from "./state"
import type { World } from "./world"

export type Snapshot = {
  format: 1
  taken_at: number
  clock: { now: number; running: boolean }
  random: { seed: string; draws: number }
  profiles: Record<string, string | number>
  faults: PlanRecord[]
  tables: TableRecords
}

export function takeSnapshot(world: World): Snapshot {
  const { clock, random, profiles, faults, tables } = world
  return {
    format: 1,
    taken_at: Date.now(),
    clock: { now: clock.now(), running: clock.running },
    random: { seed: random.seed, draws: random.draws },
    profiles: profiles.changed(),
    faults: faults.list(),
    tables: dump(tables),
  }
}

/**
 * @param time  "as it was": the clock shows what it showed then. "real": a clock that ran goes on in
 *   real time, as it would have; what fell due meanwhile is done at once.
 */
export function restoreSnapshot(
  world: World,
  snapshot: Snapshot,
  time: "as it was" | "real",
): void {
  if (snapshot.format !== 1 || typeof snapshot.tables !== "object") {
    throw new SandboxError(400, "invalid_snapshot", "This is not a snapshot of the sandbox.")
  }
  const { clock, profiles, faults, tables, dispatcher } = world
  dispatcher.abandon()
  clock.reset()
  if (!snapshot.clock.running) clock.stop(snapshot.clock.now)
  else if (time === "as it was") clock.showAndRun(snapshot.clock.now)
  profiles.reset()
  profiles.set(snapshot.profiles)
  faults.restore(snapshot.faults)
  load(tables, snapshot.tables)
  dispatcher.resume()
  for (const table of ["pages", "events", "deliveries", "clock"] as const) {
    world.changes.touch(table)
  }
}

/** Everything at a glance; signature keys are shown once, at creation (interface §2.4). */
export function stateView(world: World) {
  const tables = dump(world.tables)
  return {
    now: world.clock.now(),
    ...tables,
    subscribers: tables.subscribers.map(({ signature_key, ...subscriber }) => subscriber),
    profiles: world.profiles.changed(),
    faults: world.faults.list(),
  }
}
