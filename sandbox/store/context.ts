/** What every rule of the sandbox works on: its state, its time and what steers it. */

import type { Clock } from "../simulation/clock"
import type { Faults } from "../simulation/faults"
import type { Profiles } from "../simulation/profiles"
import type { Random } from "../simulation/random"
import type { ChangeTimes } from "../simulation/stamps"
import type { Changes } from "./changes"
import type { DeliveryQueue } from "./delivery-queue"
import type { Journal } from "./journal"
import type { Tables } from "./tables"

export type Context = {
  /** Where the sandbox can be reached, without a slash at the end. */
  url: string
  tables: Tables
  clock: Clock
  random: Random
  profiles: Profiles
  faults: Faults
  journal: Journal
  changes: Changes
  /** Stamps changes with the time that receivers see. */
  changeTimes: ChangeTimes
  /** Plain http beyond this machine is taken for webhook addresses. */
  allowHttp: boolean
  deliveries: DeliveryQueue
}

/** The same for the sender of deliveries, which is itself the one part that is left out. */
export type ContextOfQueue = Omit<Context, "deliveries">
