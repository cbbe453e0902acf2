/**
 * The service's own endpoints, at their own paths (interface §4), each behind the page's token
 * (§5 rule 1; gap 52: everywhere), the fault plans and the journal.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { SandboxError } from "./errors"
import type { Endpoint, Fault } from "./faults"
import { loggedHeaders } from "./journal"
import { OPERATIONS, type Operation } from "./operations"
import { authenticate } from "./pages"
import { RateLimited, RateLimiter } from "./rate-limit"
import { bodyText, readJson } from "./request-body"
import { type Answer, type Listener, type Sent, send, sendSpoilt } from "./responses"
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
    const answer = await carryOut(world, limiter, page, operation, request)
    sent = fault
      ? await sendSpoilt(request, reply, answer, fault, listener)
      : await send(request, reply, answer)
  }

  world.journal.add({
    direction: "in",
    at,
    ms: Math.round(performance.now() - started),
    endpoint,
    method: request.method,
    path: request.url,
    page_uid: page?.uid ?? null,
    status: sent.status,
    fault: fault?.kind ?? null,
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
  return reply
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
    const headers = error instanceof RateLimited ? error.headers : {}
    return { status: error.status, body: error.body(), headers }
  }
}
