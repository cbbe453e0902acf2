/**
 * The service's own endpoints, at their own paths (interface §4), each behind the page's token
 * (§5 rule 1; gap 52: everywhere), the fault plans and the journal.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { SandboxError } from "./errors"
import type { Endpoint, Fault } from "./faults"
import { type JournalEntry, loggedHeaders } from "./journal"
import { OPERATIONS, type Operation } from "./operations"
import { authenticate } from "./pages"
import { RateLimited, RateLimiter } from "./rate-limit"
import { bodyText, readJson } from "./request-body"
import { type Answer, type Listener, type Sent, send, sendSpoilt, wait } from "./responses"
import type { Page } from "./state"
import type { World } from "./world"

export function serviceApi(app: FastifyInstance, world: World, listener: Listener): void {
  const limiter = new RateLimiter()
  for (const [endpoint, method, url, operation] of OPERATIONS) {
    app.route({
      method,
      url,
      handler: (request, reply) =>
        serve(world, limiter, listener, endpoint, operation, request, reply),
    })
  }
}

async function serve(
  world: World,
  limiter: RateLimiter,
  listener: Listener,
  endpoint: Endpoint,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = world.clock.now()
  const started = performance.now()
  const page = authenticate(world, request.headers.authorization)
  const fault = world.faults.take({
    endpoint,
    pageUid: page?.uid ?? null,
    method: request.method,
    path: request.url,
  })

  let sent: Sent
  if (fault && replacesTheCall(fault)) {
    sent = await sendSpoilt(request, reply, null, fault, listener)
  } else {
    if (fault?.kind === "delay" && !fault.after) await wait(fault)
    const answer = await carryOut(world, limiter, page, operation, request)
    sent = fault
      ? await sendSpoilt(request, reply, answer, fault, listener)
      : await send(request, reply, answer)
  }

  const ms = Math.round(performance.now() - started)
  log(world, request, { at, ms, endpoint, page, sent, fault: fault?.kind ?? null })
  return reply
}

/** A call that fits no path of the service: refused, and shown to whoever wonders where it went. */
export function refuseUnknown(world: World, request: FastifyRequest, reply: FastifyReply): void {
  const error = new SandboxError(
    404,
    "not_found",
    `There is no ${request.method} ${request.url} here.`,
  )
  if (!OWN_PATHS.test(request.url)) {
    const sent = { status: error.status, headers: {}, body: JSON.stringify(error.body()) }
    const page = authenticate(world, request.headers.authorization)
    log(world, request, { at: world.clock.now(), ms: 0, endpoint: null, page, sent, fault: null })
  }
  reply.code(error.status).send(error.body())
}

/** What a browser asks for, and the sandbox's own calls, are not the service's. */
const OWN_PATHS = /^\/(_sandbox|player|player-api|player\.js|favicon\.ico)?([/?]|$)/

type Logged = Pick<JournalEntry, "at" | "ms" | "endpoint" | "fault"> & {
  page: Page | null
  sent: Sent
}

function log(world: World, request: FastifyRequest, { page, sent, ...call }: Logged): void {
  world.journal.add({
    ...call,
    direction: "in",
    method: request.method,
    path: request.url,
    page_uid: page?.uid ?? null,
    status: sent.status,
    request: {
      headers: loggedHeaders(Object.entries(request.headers)),
      body: bodyText(request.body),
    },
    response: sent.status === null ? null : { headers: sent.headers, body: sent.body },
    topic: null,
    subscriber_uid: null,
    event_uid: null,
    delivery_uid: null,
    attempt: null,
    outcome: null,
  })
  world.changes.touch("journal")
}

/** The others need the right answer, to spoil it. */
function replacesTheCall({ kind, after }: Fault): boolean {
  return !after && ["status", "hang", "reset", "garbage", "refuse"].includes(kind)
}

async function carryOut(
  world: World,
  limiter: RateLimiter,
  page: Page | null,
  operation: Operation,
  request: FastifyRequest,
): Promise<Answer> {
  try {
    const refusal = world.profiles.get("rest_auth")
    if (refusal !== "token") {
      throw new SandboxError(Number(refusal), "unauthorized", "The API token is refused.")
    }
    if (!page) {
      throw new SandboxError(
        401,
        "unauthorized",
        "Send the page's API token as `Authorization: Token <API_KEY>`.",
      )
    }
    limiter.check(page.uid, world.profiles.get("rate_limit"), world.clock.now())
    const params = request.params as Record<string, string>
    const body = request.method === "GET" ? undefined : readJson(request)
    return await operation(world, { page, params, query: request.query, body })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return refusal(world, error)
  }
}

/** The body of a refusal is not shown (interface §7 rule 4). */
function refusal(world: World, error: SandboxError): Answer {
  const answer = {
    status: error.status,
    headers: error instanceof RateLimited ? error.headers : {},
  }
  const body = error.body()
  switch (world.profiles.get("rest_errors")) {
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
  }
}
