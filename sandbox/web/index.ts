/** What people see: the dashboard and the player, and the calls that only these pages make. */

import type { FastifyInstance } from "fastify"
import type { Context } from "../store/context"
import { covers } from "./covers"
import { playerApi } from "./player-api"
import { staticFiles } from "./static-files"
import { streams } from "./streams"

export function web(app: FastifyInstance, context: Context): void {
  playerApi(app, context)
  streams(app, context)
  covers(app, context)
  staticFiles(app)
}
