/**
 * The OpenAPI document. What calls read is written from the schemas that read them, so the two cannot
 * drift apart: the bodies of the service's calls, and every call under `/_sandbox/`, which is ours and
 * marked `x-own`. What the service answers is in `openapi.json`, and held against real answers by a
 * test.
 */

import { z } from "zod"
import { configurableProduct, simpleProduct } from "../domain/catalog"
import { orderReport } from "../domain/orders"
import { priceRequest } from "../domain/prices"
import { webhookChanges, webhookSettings } from "../webhooks/subscribers"
import base from "./openapi.json"
import type { RouteDocument } from "./route"

type Json = { [key: string]: unknown }

/** By the name under `components.schemas`. */
const BODIES: Record<string, z.ZodType> = {
  SimpleProduct: simpleProduct,
  ConfigurableProduct: configurableProduct,
  PriceRequest: priceRequest,
  OrderReport: orderReport,
  WebhookInput: webhookSettings,
  WebhookChanges: webhookChanges,
}

/** @param url  where the sandbox is reached */
export function openApi(url: string, documents: RouteDocument[]) {
  const schemas: Json = { ...base.components.schemas }
  for (const [name, schema] of Object.entries(BODIES)) {
    schemas[name] = { ...marks(schemas[name]), ...jsonSchema(schema) }
  }
  const paths: Record<string, Json> = { ...base.paths }
  for (const document of documents) {
    const path = `/_sandbox${document.path.replace(/:(\w+)/g, "{$1}")}`
    paths[path] = { ...paths[path], [document.method.toLowerCase()]: operation(document) }
  }
  return { ...base, servers: [{ url }], paths, components: { ...base.components, schemas } }
}

function operation({ method, path, query, body }: RouteDocument): Json {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    // Raw shapes are typed by zod's core; each field of ours is a schema.
    schema: schema instanceof z.ZodType ? jsonSchema(schema) : {},
  }))
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    "x-own": true,
    security: [],
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { "application/json": { schema: jsonSchema(body) } },
      },
    }),
    responses: {
      "2XX": { description: "See docs/sandbox.md.", content: { "application/json": {} } },
      "4XX": {
        description: "What is wrong.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  }
}

/** What a caller sends, without what only this program can say of it. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })
  return rest
}

/** Descriptions and the marks of what the interface does not show. */
function marks(schema: unknown): Json {
  if (typeof schema !== "object" || schema === null) return {}
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => key.startsWith("x-") || key === "description"),
  )
}
