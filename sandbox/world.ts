/** What every rule of the sandbox works on: its state, its time and what steers it. */

import type { Changes } from "./changes"
import type { Clock } from "./clock"
import type { Dispatcher } from "./deliveries"
import type { Faults } from "./faults"
import type { Journal } from "./journal"
import type { Profiles } from "./profiles"
import type { Random } from "./random"
import type { Tables } from "./state"

export type World = {
  /** Where the sandbox can be reached, without a slash at the end. */
  url: string
  tables: Tables
  clock: Clock
  random: Random
  profiles: Profiles
  faults: Faults
  journal: Journal
  changes: Changes
  dispatcher: Dispatcher
}
