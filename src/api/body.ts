import type { MedusaRequest, MiddlewareRoute } from "@medusajs/framework/http"
import type { z } from "zod"
import { SvcRefusal } from "../modules/svc"
import { readInput } from "../workflows/shared"
import { drain, isPlainJson, readRawBody } from "./raw-body"

/**
 * Routes of ours whose body Medusa's parser leaves alone. Its refusals (too large, not JSON, another content type) have no
 * code, and nothing of a plugin can add one: the parser runs before every route middleware, Medusa wraps middlewares so
 * that Express takes none of them for an error handler, and of all the `errorHandler`s in an application only the last
 * one loaded is used, which is the merchant's to set.
 */
export const READ_BY_US: MiddlewareRoute[] = ["/admin/svc/*", "/store/carts/:id/svc/*"].map(
  (matcher) => ({ matcher, methods: ["POST"], bodyParser: false }),
)

/** As much as Medusa's own parser takes. */
const LIMITS = { maxBytes: 100 * 1024, timeoutMs: 30_000 }

/**
 * What a request's body is by its schema.
 *
 * @throws SvcRefusal `body_too_large`, `not_plain_json`, `invalid_request`
 */
export const readBody = async <Schema extends z.ZodType>(
  req: MedusaRequest,
  schema: Schema,
): Promise<z.infer<Schema>> => readInput(schema, await readJson(req))

/** Postgres stores neither a NUL nor half of a character, and its own error does not say which field has one. */
const isStorable = (value: unknown): boolean =>
  typeof value !== "string" || !/\0|\p{Cs}/u.test(value)
const NOT_STORABLE = "The body has a NUL character in a text, or half of a character."

async function readJson(req: MedusaRequest): Promise<unknown> {
  const body = await readRawBody(req, LIMITS)
  if (!body.ok) {
    drain(req)
    throw body.reason === "too_large"
      ? new SvcRefusal("body_too_large", "The body is larger than 100 kB.")
      : new SvcRefusal("invalid_request", "The body did not arrive whole.")
  }
  if (body.bytes.length === 0) return {}
  if (!isPlainJson(req.headers)) {
    throw new SvcRefusal(
      "not_plain_json",
      "Send application/json in UTF-8, without a content encoding.",
    )
  }
  try {
    return JSON.parse(body.bytes.toString("utf8"), (key, value) => {
      if (isStorable(key) && isStorable(value)) return value
      throw new SvcRefusal("invalid_request", NOT_STORABLE)
    })
  } catch (error) {
    if (error instanceof SvcRefusal) throw error
    throw new SvcRefusal("invalid_request", "The body is not JSON.")
  }
}
