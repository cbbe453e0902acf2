/** How a call of the control API is read and answered. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { isDeeperThan, parse, readJson } from "../contract/input"

type Call<Q> = {
  /** A part of the path. */
  param(name: string): string
  query: Q
  body: unknown
}
type Method = "GET" | "POST" | "DELETE"

/** Registers a call below `/_sandbox`; without a `query` it takes no parameters. */
export type Route = <Q extends z.ZodRawShape = Record<never, z.ZodType>>(
  method: Method,
  path: string,
  control: (call: Call<z.output<z.ZodObject<Q>>>, reply: FastifyReply) => object,
  query?: Q,
) => void

/** @param ownUrl  where the sandbox's own pages are */
export function routesOf(app: FastifyInstance, ownUrl: () => string): Route {
  return (method, path, control, query) => {
    const known = Object.keys(query ?? {})
    const schema = z.object(query)
    app.route({
      method,
      url: `/_sandbox${path}`,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        refuseOtherSites(method, request, ownUrl())
        const params = request.params as Record<string, string>
        refuseUnknownParameters(request.query, known)
        const call = {
          param: (name: string) => params[name] ?? "",
          query: parse(schema, request.query),
          body: method === "GET" ? undefined : shallow(readJson(request)),
        }
        return control(call, reply)
      },
    })
  }
}

/** More than a snapshot has, and what is nested thousands deep cannot be written as JSON again. */
const MOST_LEVELS = 120

function shallow(body: unknown): unknown {
  if (!isDeeperThan(body, MOST_LEVELS)) return body
  const message = `Bodies are nested at most ${MOST_LEVELS} levels deep.`
  throw new SandboxError(400, "nested_too_deep", message)
}

/**
 * A page of another web site that a browser has open must not steer the sandbox. Browsers say where a
 * page comes from in `Sec-Fetch-Site`, and those that do not know it in `Origin`, which all of them send
 * with a POST. Nothing but a browser sends either.
 */
function refuseOtherSites(method: Method, { headers }: FastifyRequest, ownUrl: string): void {
  if (method === "GET") return
  const { origin, host } = headers
  const own = [`http://${host}`, `https://${host}`, URL.canParse(ownUrl) && new URL(ownUrl).origin]
  if (
    headers["sec-fetch-site"] === "cross-site" ||
    (origin !== undefined && !own.includes(origin))
  ) {
    throw new SandboxError(403, "cross_site", "Not for other web sites.")
  }
}

/**
 * A parameter that the call does not know is refused, not ignored: a test that filters by a
 * misspelt name would otherwise see everything and pass for the wrong reason.
 */
function refuseUnknownParameters(query: unknown, known: string[]): void {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (!known.includes(name)) {
      const names = known.length > 0 ? `Known are: ${known.join(", ")}.` : "It takes none."
      throw new SandboxError(400, "unknown_parameter", `There is no parameter "${name}". ${names}`)
    }
    if (typeof value !== "string") {
      throw new SandboxError(400, "repeated_parameter", `"${name}" is given more than once.`)
    }
  }
}
