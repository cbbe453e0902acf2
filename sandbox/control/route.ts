/** How a call of the control API is read and answered. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { SandboxError } from "../errors"
import { readJson } from "../request-body"

export type Call = {
  /** A part of the path. */
  param(name: string): string
  query: Record<string, string>
  body: unknown
}
export type Control = (call: Call, reply: FastifyReply) => unknown
/** @param path  below `/_sandbox` */
export type Route = (method: "GET" | "POST" | "DELETE", path: string, control: Control) => void

export function routesOf(app: FastifyInstance): Route {
  return (method, path, control) => {
    app.route({
      method,
      url: `/_sandbox${path}`,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (method !== "GET" && request.headers["sec-fetch-site"] === "cross-site") {
          throw new SandboxError(403, "cross_site", "Not for other web sites.")
        }
        const params = request.params as Record<string, string>
        const call: Call = {
          param: (name) => params[name] ?? "",
          query: request.query as Record<string, string>,
          body: method === "GET" ? undefined : readJson(request),
        }
        return control(call, reply)
      },
    })
  }
}
