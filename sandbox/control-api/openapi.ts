/**
 * The OpenAPI document, written from the schemas that read the calls and that type the answers, so
 * that neither can drift from what the sandbox does. The tests hold every answer that they see
 * against it (`__tests__/documented-answers.ts`).
 *
 * What the interface does not show is marked `x-undocumented`, what is the sandbox's own `x-own`.
 */

import { z } from "zod"
import { errorAnswer } from "../contract/errors"
import { TEST_TOPIC, TOPICS, type Topic } from "../contract/interface"
import { apiLiveEventProductV1, apiLiveEventV1, envelopeOf, topicName } from "../contract/payloads"
import { configurableProduct, simpleProduct } from "../domain/catalog"
import { OPERATIONS, type ServiceRoute } from "../service-api/operations"
import type { RouteDocument } from "./route"

type Json = { [key: string]: unknown }

/** What has a name of its own under `components.schemas`; all else is named by the call that has it. */
const REQUESTS: Record<string, z.ZodType> = {
  Topic: topicName,
  SimpleProduct: simpleProduct,
  ConfigurableProduct: configurableProduct,
}
const ANSWERS: Record<string, z.ZodType> = {
  Error: errorAnswer,
  Topic: topicName,
  ApiLiveEventV1: apiLiveEventV1,
  ApiLiveEventProductV1: apiLiveEventProductV1,
}

const pageToken = {
  type: "apiKey",
  in: "header",
  name: "Authorization",
  description: "`Token <API_KEY>` of the page (interface §5 rule 1).",
}
const signature = {
  type: "apiKey",
  in: "header",
  name: "X-Svc-Signature",
  description:
    "Base64 of HMAC-SHA256 over `<X-Svc-Timestamp value>.<raw body>` with the subscriber's signature key (interface §5 rule 3).",
}

/** @param url  where the sandbox is reached */
export function openApi(url: string, documents: RouteDocument[]) {
  const requests = new Schemas("input", REQUESTS)
  const answers = new Schemas("output", ANSWERS)
  const paths: Record<string, Json> = {}
  const add = (path: string, method: string, operation: Json) => {
    const template = path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  for (const route of OPERATIONS) add(route.path, route.method, ofService(route, requests, answers))
  for (const route of documents) {
    add(`/_sandbox${route.path}`, route.method, ofControl(route, requests, answers))
  }
  const webhooks = Object.fromEntries(TOPICS.map((topic) => [topic, delivery(topic, answers)]))
  return {
    openapi: "3.1.0",
    info: {
      title: "svc, as the sandbox serves it",
      version: "1",
      description:
        "The whole service interface, and what steers the sandbox. What the interface does not show is marked: `x-undocumented` on a schema or parameter, `x-undocumented-path` where method and path are the sandbox's own, `x-undocumented-auth` where the token is assumed (gap 52), with the number of the gap in `x-gap`; calls that no service has are marked `x-own`. Profiles of the sandbox answer in other shapes (docs/sandbox.md).",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    paths,
    webhooks,
    components: {
      securitySchemes: { pageToken, signature },
      schemas: { ...requests.all(), ...answers.all() },
    },
  }
}

/** Schemas as JSON Schema: those with a name are referred to by it, wherever they occur. */
class Schemas {
  private readonly named = z.registry<{ id: string }>()

  constructor(
    private readonly io: "input" | "output",
    names: Record<string, z.ZodType>,
  ) {
    for (const [id, schema] of Object.entries(names)) this.named.add(schema, { id })
  }

  /** As JSON content under the name `id`, unless the schema has a name already. */
  content(id: string, schema: z.ZodType): Json {
    if (!this.named.has(schema)) this.named.add(schema, { id })
    const $ref = `#/components/schemas/${this.named.get(schema)?.id}`
    return { "application/json": { schema: { $ref } } }
  }

  all(): Json {
    const { schemas } = z.toJSONSchema(this.named, {
      io: this.io,
      unrepresentable: "any",
      uri: (id) => `#/components/schemas/${id}`,
      override: ({ jsonSchema }) => {
        // A later version may add fields, and every whole number has these bounds.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      },
    })
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
    )
  }
}

const refusal = (answers: Schemas, description: string) => ({
  description,
  content: answers.content("Error", errorAnswer),
})

function ofService(route: ServiceRoute, requests: Schemas, answers: Schemas): Json {
  const said = Object.entries(route.answers).map(([status, answer]): [string, Json] => {
    if (typeof answer !== "string") {
      const { description, shape } = answer
      return [status, { description, content: answers.content(`${route.id}Answer`, shape) }]
    }
    return [status, status === "204" ? { description: answer } : refusal(answers, answer)]
  })
  return {
    operationId: route.id,
    summary: route.summary,
    "x-interface": route.cites,
    ...(route.marks && { [route.marks]: true }),
    security: [{ pageToken: [] }],
    parameters: parameters(route.path, route.query),
    ...(route.body && {
      requestBody: { required: true, content: requests.content(`${route.id}Request`, route.body) },
    }),
    responses: {
      ...Object.fromEntries(said),
      401: refusal(answers, "No or another page's API token."),
      ...(route.body && { 415: refusal(answers, "The body is not `application/json`.") }),
      429: refusal(answers, "Over the rate limit (profile `rate_limit`); bears `Retry-After`."),
    },
  }
}

function ofControl(route: RouteDocument, requests: Schemas, answers: Schemas): Json {
  const { method, path, summary, query, body, answer, status = 200, failures = {} } = route
  const id = `${method.toLowerCase()}${path.replace(/[/:_.-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  const failed = Object.entries(failures).map(([code, shape]): [string, Json] => [
    code,
    { description: "What is wrong.", content: answers.content(`${id}Failure`, shape) },
  ])
  return {
    operationId: id,
    summary,
    "x-own": true,
    security: [],
    parameters: parameters(path, query),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: requests.content(`${id}Request`, body),
      },
    }),
    responses: {
      [status]: {
        description: summary,
        content: answers.content(`${id}Answer`, z.object(answer)),
      },
      ...Object.fromEntries(failed),
      "4XX": refusal(answers, "What is wrong."),
    },
  }
}

function parameters(path: string, query: z.ZodRawShape = {}): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })
    return { name, in: "query", required: false, schema: rest }
  })
  return [...inPath, ...inQuery]
}

/** interface §6.4 */
const HEADERS: Record<string, string> = {
  "X-Svc-Page-Uid": "The page that owns the event.",
  "X-Svc-Subscriber-Uid": "The subscriber.",
  "X-Svc-Topic": "The topic.",
  "X-Svc-Delivery-Uid": "Unique per attempt.",
  "X-Svc-Timestamp": "`deliveryAt` as a numeric string; part of the signed message.",
  "X-Svc-Signature": "Base64 of HMAC-SHA256 over `<X-Svc-Timestamp>.<raw body>`.",
  "X-Svc-Event-Uid": "Equals metadata.eventUid.",
}

function delivery(topic: Topic, answers: Schemas): Json {
  const id = `on_${topic.replace(".", "_")}`
  // A test delivery carries every header but this one (interface §6.2 rule 4).
  const sent = Object.entries(HEADERS).filter(
    ([name]) => topic !== TEST_TOPIC || name !== "X-Svc-Event-Uid",
  )
  return {
    post: {
      operationId: id,
      summary: topic,
      "x-interface": "§2.5, §6.2, §6.4",
      security: [{ signature: [] }],
      parameters: sent.map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        schema: { type: "string" },
        description,
      })),
      requestBody: { required: true, content: answers.content(`${id}Body`, envelopeOf(topic)) },
      responses: {
        "2XX": { description: "Success; stops the chain." },
        408: { description: "Retried." },
        429: { description: "Retried." },
        "4XX": { description: "Dropped after this attempt." },
        "5XX": { description: "Retried after 60, 180 and 540 seconds." },
      },
    },
  }
}
