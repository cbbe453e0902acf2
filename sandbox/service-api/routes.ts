/**
 * The service's own endpoints, at their own paths (interface §4), each behind the page's token
 * (§5 rule 1; gap 52: everywhere), the fault plans and the journal.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Endpoint } from "../contract/endpoints"
import { asAnswer, SandboxError } from "../contract/errors"
import { bodyBytes, bodyText, readJson } from "../contract/input"
import { authenticate } from "../domain/pages"
import type { Fault } from "../simulation/faults"
import { RateLimited, RateLimiter } from "../simulation/rate-limit"
import type { Context } from "../store/context"
import { type JournalEntry, loggedHeaders } from "../store/journal"
import { loggedBody, type Page } from "../store/tables"
import { OPERATIONS, type Operation } from "./operations"
import { type Answer, type Listener, type Sent, send, sendSpoilt, wait } from "./responses"

export function serviceApi(app: FastifyInstance, context: Context, listener: Listener): void {
  const limiter = new RateLimiter()
  for (const { endpoint, method, path, carryOut } of OPERATIONS) {
    app.route({
      method,
      url: path,
      handler: (request, reply) =>
        serve(context, limiter, listener, endpoint, carryOut, request, reply),
    })
  }
}

async function serve(
  context: Context,
  limiter: RateLimiter,
  listener: Listener,
  endpoint: Endpoint,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = context.clock.now()
  const started = performance.now()
  const page = authenticate(context, request.headers.authorization)
  const fault = context.faults.take({
    endpoint,
    pageUid: page?.uid ?? null,
    method: request.method,
    path: request.url,
    productIds: () => productIdsOf(request),
  })

  let sent: Sent
  if (fault && replacesTheCall(fault)) {
    sent = await sendSpoilt(request, reply, null, fault, listener)
  } else {
    if (fault?.kind === "delay" && !fault.after) await wait(fault)
    const answer = await carryOut(context, limiter, page, operation, request)
    sent = fault
      ? await sendSpoilt(request, reply, answer, fault, listener)
      : await send(request, reply, answer)
  }

  const ms = context.clock.elapsed(at, started)
  log(context, request, { at, ms, endpoint, page, sent, fault: fault?.kind ?? null })
  return reply
}

/** Refuses a call to a path that the service does not have, and keeps it in the journal, so that a misspelt path is seen. */
export function refuseUnknown(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error = new SandboxError(
    404,
    "not_found",
    `There is no ${request.method} ${request.url} here.`,
  )
  logRefused(context, request, error)
  reply.code(error.status).send(error.body())
}

/**
 * Keeps a call in the journal that no operation answered: its path is unknown or cannot be decoded, or
 * its body was too large or cut, and then nothing of it is kept.
 */
export function logRefused(context: Context, request: FastifyRequest, error: Error): void {
  if (OWN_PATHS.test(request.url)) return
  const { url, method } = request.routeOptions
  const answer = asAnswer(error)
  // Of a call that was cut the caller is gone: there is nobody to answer.
  const sent: Sent = request.raw.errored
    ? { status: null, headers: {}, body: Buffer.alloc(0) }
    : { status: answer.status, headers: {}, body: Buffer.from(JSON.stringify(answer.body)) }
  const route = OPERATIONS.find((one) => one.path === url && one.method === method)
  log(context, request, {
    at: context.clock.now(),
    ms: 0,
    endpoint: route?.endpoint ?? null,
    page: authenticate(context, request.headers.authorization),
    sent,
    fault: null,
  })
}

/** Paths of the pages and of the control API: calls to them are not calls of the service. */
const OWN_PATHS = /^\/((_sandbox|player|player-api|player\.js|favicon\.ico)([/?]|$)|[?]|$)/

type Logged = Pick<JournalEntry, "at" | "ms" | "endpoint" | "fault"> & {
  page: Page | null
  sent: Sent
}

/** What the player asked for: not the service's own, but on the same wire. */
export function logPlayerCall(
  context: Context,
  request: FastifyRequest,
  sent: Sent,
  { at, started }: { at: number; started: number },
): void {
  const ms = context.clock.elapsed(at, started)
  log(context, request, { at, ms, endpoint: "player", page: null, sent, fault: null })
}

function log(context: Context, request: FastifyRequest, { page, sent, ...call }: Logged): void {
  context.journal.add({
    ...call,
    direction: "in",
    method: request.method,
    path: request.url,
    page_uid: page?.uid ?? null,
    status: sent.status,
    request: {
      headers: loggedHeaders(Object.entries(request.headers)),
      ...loggedBody(bodyBytes(request.body)),
    },
    response: sent.status === null ? null : { headers: sent.headers, ...loggedBody(sent.body) },
    topic: null,
    subscriber_uid: null,
    event_uid: null,
    delivery_uid: null,
    attempt: null,
    outcome: null,
  })
  context.changes.touch("journal")
}

/** Of the products that a call brings or asks about, for a fault that strikes one of them. */
function productIdsOf(request: FastifyRequest): string[] {
  let body: unknown
  try {
    body = JSON.parse(bodyText(request.body))
  } catch {
    return []
  }
  const { products, productId } = aboutProducts.safeParse(body).data ?? {}
  const ids = (products ?? []).map((product) => withId.safeParse(product).data?.id)
  return [...ids, productId].filter((id) => id !== undefined)
}

const aboutProducts = z.object({
  products: z.array(z.unknown()).optional().catch(undefined),
  productId: z.string().optional().catch(undefined),
})
const withId = z.object({ id: z.string() })

/** Whether the fault answers in place of the call. The other kinds spoil the right answer, so the call is carried out. */
function replacesTheCall({ kind, after }: Fault): boolean {
  return !after && ["status", "throttle", "hang", "reset", "garbage", "refuse"].includes(kind)
}

async function carryOut(
  context: Context,
  limiter: RateLimiter,
  page: Page | null,
  operation: Operation,
  request: FastifyRequest,
): Promise<Answer> {
  try {
    if (!page) {
      throw new SandboxError(
        401,
        "unauthorized",
        "Send the page's API token as `Authorization: Token <API_KEY>`.",
      )
    }
    limiter.check(page.uid, context.profiles.get("rate_limit"), performance.now())
    const params = request.params as Record<string, string>
    const body = request.method === "GET" ? undefined : readJson(request)
    const idempotencyKey = request.headers["idempotency-key"]?.toString()
    return await operation(context, { page, params, query: request.query, body, idempotencyKey })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return refusal(context, error)
  }
}

/** Statuses that refuse what one call asked for, and nothing else. */
const OF_ONE_THING = new Set([400, 404, 409, 413, 422])

/** The body of a refusal is not shown (interface §7 rule 4). */
function refusal(context: Context, error: SandboxError): Answer {
  const answer = {
    status: error.status,
    headers: error instanceof RateLimited ? error.headers : {},
  }
  const body = error.body()
  switch (context.profiles.get("rest_errors")) {
    case "nested":
      return { ...answer, body }
    case "flat":
      return { ...answer, body: body.error }
    case "text":
      return {
        ...answer,
        body: error.message,
        headers: { ...answer.headers, "content-type": "text/plain; charset=utf-8" },
      }
    case "empty":
      return answer
    case "in_200":
      return OF_ONE_THING.has(error.status)
        ? { ...answer, status: 200, body: { success: false, ...body } }
        : { ...answer, body }
  }
}
