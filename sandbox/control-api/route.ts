/** How a call of the control API is read and answered. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { parse, readJson } from "../contract/input"

type Call<Q> = {
  /** A part of the path. */
  param(name: string): string
  query: Q
  body: unknown
}
type Control<Q> = (call: Call<Q>, reply: FastifyReply) => unknown
type Method = "GET" | "POST" | "DELETE"

/** What the OpenAPI document says of a call. */
export type RouteDocument = {
  method: Method
  path: string
  query: z.ZodRawShape
  body: z.ZodType | undefined
}

/**
 * Registers a call below `/_sandbox`. Without a query shape the call takes no parameters; `body` is
 * what the call reads, for the OpenAPI document.
 */
export type Route = {
  (method: Method, path: string, control: Control<object>, body?: z.ZodType): void
  <S extends z.ZodRawShape>(
    method: Method,
    path: string,
    query: S,
    control: Control<z.output<z.ZodObject<S>>>,
  ): void
}

/** @param documents  is told of each call that is registered */
export function routesOf(app: FastifyInstance, documents: RouteDocument[]): Route {
  function route<S extends z.ZodRawShape>(
    method: Method,
    path: string,
    first: Control<object> | S,
    second?: Control<z.output<z.ZodObject<S>>> | z.ZodType,
  ): void {
    if (isControl(first)) {
      const body = isControl(second) ? undefined : second
      documents.push({ method, path, query: {}, body })
      register(method, path, {}, first)
    } else if (isControl(second)) {
      documents.push({ method, path, query: first, body: undefined })
      register(method, path, first, second)
    }
  }

  function register<S extends z.ZodRawShape>(
    method: Method,
    path: string,
    shape: S,
    control: Control<z.output<z.ZodObject<S>>>,
  ): void {
    const schema = z.object(shape)
    app.route({
      method,
      url: `/_sandbox${path}`,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        refuseOtherSites(method, request)
        const params = request.params as Record<string, string>
        refuseUnknownParameters(request.query, Object.keys(shape))
        return control(
          {
            param: (name) => params[name] ?? "",
            query: parse(schema, request.query),
            body: method === "GET" ? undefined : readJson(request),
          },
          reply,
        )
      },
    })
  }
  return route
}

function isControl<Q>(
  value: Control<Q> | z.ZodRawShape | z.ZodType | undefined,
): value is Control<Q> {
  return typeof value === "function"
}

/** A page of another web site that a browser has open must not steer the sandbox. */
function refuseOtherSites(method: Method, request: FastifyRequest): void {
  if (method !== "GET" && request.headers["sec-fetch-site"] === "cross-site") {
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
