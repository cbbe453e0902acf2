/** The control API under `/_sandbox/`: everything that steers the sandbox (docs/sandbox.md). */

import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Context } from "../store/context"
import { clock } from "./clock"
import { subscribersAndDeliveries } from "./deliveries"
import { events } from "./events"
import { faultsAndProfiles } from "./faults"
import { journal } from "./journal"
import { openApi } from "./openapi"
import { orders } from "./orders"
import { pagesAndProducts } from "./products"
import { type RouteDocument, routesOf } from "./route"
import { type StateOptions, state } from "./state"

export function controlApi(app: FastifyInstance, context: Context, options: StateOptions): void {
  const documents: RouteDocument[] = []
  const route = routesOf(app, documents, () => context.url)
  state(route, context, options)
  pagesAndProducts(route, context)
  events(route, context)
  orders(route, context)
  subscribersAndDeliveries(route, context)
  clock(route, context)
  faultsAndProfiles(route, context)
  journal(route, context)
  const part = z.record(z.string(), z.unknown())
  const answer = {
    openapi: z.string(),
    info: part,
    servers: z.array(part),
    paths: part,
    webhooks: part,
    components: part,
  }
  route("GET", "/openapi.json", { summary: "This document", answer }, () =>
    openApi(context.url, documents),
  )
}
