/** The control API under `/_sandbox/`: everything that steers the sandbox (docs/sandbox.md). */

import type { FastifyInstance } from "fastify"
import type { Context } from "../store/context"
import { clock } from "./clock"
import { subscribersAndDeliveries } from "./deliveries"
import { events } from "./events"
import { faultsAndProfiles } from "./faults"
import { journal } from "./journal"
import { orders } from "./orders"
import { pagesAndProducts } from "./products"
import { routesOf } from "./route"
import { type StateOptions, state } from "./state"

export function controlApi(app: FastifyInstance, context: Context, options: StateOptions): void {
  const route = routesOf(app, () => context.url)
  state(route, context, options)
  pagesAndProducts(route, context)
  events(route, context)
  orders(route, context)
  subscribersAndDeliveries(route, context)
  clock(route, context)
  faultsAndProfiles(route, context)
  journal(route, context)
}
