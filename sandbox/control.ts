/** The control API under `/_sandbox/`: everything that steers the sandbox (docs/sandbox.md). */

import type { FastifyInstance } from "fastify"
import { clock } from "./control/clock"
import { subscribersAndDeliveries } from "./control/deliveries"
import { events } from "./control/events"
import { faultsAndProfiles } from "./control/faults"
import { journal } from "./control/journal"
import { orders } from "./control/orders"
import { pagesAndProducts } from "./control/products"
import { routesOf } from "./control/route"
import { type StateOptions, state } from "./control/state"
import type { World } from "./world"

export function controlApi(app: FastifyInstance, world: World, options: StateOptions): void {
  const route = routesOf(app)
  state(route, world, options)
  pagesAndProducts(route, world)
  events(route, world)
  orders(route, world)
  subscribersAndDeliveries(route, world)
  clock(route, world)
  faultsAndProfiles(route, world)
  journal(route, world)
}
