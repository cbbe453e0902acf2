/** The whole sandbox as one JSON document: for snapshots, the state file and `/_sandbox/state`. */

import { z } from "zod"
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
  type TableRecords,
} from "./tables"

const settings = z.record(z.string(), z.union([z.string(), z.number()]))

const recordsOfTables: z.ZodType<TableRecords> = z.object({
  pages: z.array(pageRecord),
  products: z.array(productRecord),
  campaigns: z.array(campaignRecord),
  events: z.array(eventRecord),
  event_products: z.array(eventProductRecord),
  orders: z.array(orderRecord),
  subscribers: z.array(subscriberRecord),
  notifications: z.array(notificationRecord),
  deliveries: z.array(deliveryRecord),
})
const plans = z.array(planRecord)

/** Checked record by record, and then taken as it is: payloads may have fields that no schema names. */
export const snapshotSchema = z.object({
  format: z.literal(1),
  taken_at: z.number(),
  clock: z.object({ now: z.number(), running: z.boolean() }),
  random: z.object({
    seed: z.string(),
    draws: z.number(),
    /** How often a sandbox began from this file. */
    starts: z.int().optional(),
  }),
  profiles: settings,
  faults: z.custom<PlanRecord[]>((value) => plans.safeParse(value).success, whatIsWrong(plans)),
  tables: z.custom<TableRecords>(
    (value) => recordsOfTables.safeParse(value).success,
    whatIsWrong(recordsOfTables),
  ),
})

function whatIsWrong(shape: z.ZodType) {
  const error = ({ input }: { input?: unknown }): string => {
    const [issue] = shape.safeParse(input).error?.issues ?? []
    return issue ? `${issue.path.join(".")}: ${issue.message}` : "Not of a sandbox."
  }
  return { error }
}
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
 * All or nothing: the document was read by `snapshotSchema`, and its profiles are looked at first.
 *
 * @param time  "as it was": the clock shows what it showed then. "real": a clock that ran goes on in
 *   real time, as it would have; what fell due meanwhile is done at once.
 */
export function restoreSnapshot(
  context: Context,
  snapshot: Snapshot,
  time: "as it was" | "real",
): void {
  const { clock, profiles, faults, tables, deliveries } = context
  profiles.replace(snapshot.profiles)
  deliveries.abandon()
  clock.reset()
  context.changeTimes.reset()
  if (!snapshot.clock.running) clock.stop(snapshot.clock.now)
  else if (time === "as it was") clock.showAndRun(snapshot.clock.now)
  faults.restore(snapshot.faults)
  load(tables, snapshot.tables)
  deliveries.resume()
  context.changes.touchAll()
}

/** Everything at a glance; signature keys are shown once, at creation (interface §2.4). */
export function stateView(context: Context) {
  const tables = dump(context.tables)
  return {
    now: context.clock.now(),
    ...tables,
    subscribers: tables.subscribers.map(({ signature_key, ...subscriber }) => subscriber),
    profiles: context.profiles.changed(),
    faults: context.faults.list(),
  }
}
