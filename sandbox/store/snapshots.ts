/** The whole sandbox as one JSON document: for snapshots, the state file and `/_sandbox/state`. */

import { z } from "zod"
import { ms } from "../contract/payloads"
import { type PlanRecord, planRecord } from "../simulation/faults"
import type { Context } from "./context"
import {
  campaignRecord,
  deliveryRecord,
  dump,
  eventProductRecord,
  eventRecord,
  load,
  notificationRecord,
  orderRecord,
  pageRecord,
  productRecord,
  subscriberRecord,
  TABLE_NAMES,
  type TableRecords,
} from "./tables"

const settings = z.record(z.string(), z.union([z.string(), z.number()]))

/** Checks the document as far as its kind; the records of its tables are taken as they are. */
export const snapshotSchema = z.object({
  format: z.literal(1),
  taken_at: z.number(),
  clock: z.object({ now: z.number(), running: z.boolean() }),
  random: z.object({ seed: z.string(), draws: z.number() }),
  profiles: settings,
  faults: z.custom<PlanRecord[]>(Array.isArray),
  tables: z.custom<TableRecords>(areTables, "Not the tables of a sandbox."),
})
export type Snapshot = z.infer<typeof snapshotSchema>

export function takeSnapshot(context: Context): Snapshot {
  const { clock, random, profiles, faults, tables } = context
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
  context: Context,
  snapshot: Snapshot,
  time: "as it was" | "real",
): void {
  const { clock, profiles, faults, tables, deliveries } = context
  profiles.reset()
  profiles.set(snapshot.profiles)
  deliveries.abandon()
  clock.reset()
  if (!snapshot.clock.running) clock.stop(snapshot.clock.now)
  else if (time === "as it was") clock.showAndRun(snapshot.clock.now)
  faults.restore(snapshot.faults)
  load(tables, snapshot.tables)
  deliveries.resume()
  for (const table of ["pages", "events", "deliveries", "clock"] as const) {
    context.changes.touch(table)
  }
}

function areTables(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  return TABLE_NAMES.every((name) => Array.isArray(Reflect.get(value, name)))
}

/** Everything at a glance; signature keys are shown once, at creation (interface §2.4). */
export const stateShape = z.object({
  now: ms,
  pages: z.array(pageRecord),
  products: z.array(productRecord),
  campaigns: z.array(campaignRecord),
  events: z.array(eventRecord),
  event_products: z.array(eventProductRecord),
  orders: z.array(orderRecord),
  subscribers: z.array(subscriberRecord.omit({ signature_key: true })),
  notifications: z.array(notificationRecord),
  deliveries: z.array(deliveryRecord),
  profiles: settings,
  faults: z.array(planRecord),
})

export function stateView(context: Context): z.infer<typeof stateShape> {
  const tables = dump(context.tables)
  return {
    now: context.clock.now(),
    ...tables,
    subscribers: tables.subscribers.map(({ signature_key, ...subscriber }) => subscriber),
    profiles: context.profiles.changed(),
    faults: context.faults.list(),
  }
}
