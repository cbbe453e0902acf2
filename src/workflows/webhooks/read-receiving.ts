import { parseJson } from "../../contract"
import type { Connection, SvcModuleService, Webhook } from "../../modules/svc"
import {
  DELIVERY_REFUSALS,
  MISSING,
  type ReceivingProblem,
  receivingProblems,
} from "../../modules/svc/webhooks"
import { addressProblem, readCircumstances } from "./subscriber-row"

/** The payload of a stored delivery. */
export const readPayload = (body: string): unknown => parseJson(body) ?? null

/** The last request for a connection that the receiver refused, with the HTTP status of its answer. */
export async function lastRefusal(
  svc: SvcModuleService,
  connectionId: string,
): Promise<{ at: Date; status: number } | null> {
  const [refusal] = await svc.webhooks.refusals.ofConnection(connectionId)
  return refusal ? { at: refusal.last_at, status: DELIVERY_REFUSALS[refusal.reason].status } : null
}

/** What the receiver did not take, by connection and reason, with the status that it was answered with. */
export async function refusalsByReason(svc: SvcModuleService) {
  // What this process has counted and not written yet belongs to it.
  await svc.webhooks.admission.writeNotes()
  const counted = await svc.webhooks.refusals.all()
  return counted.map((row) => ({ ...row, status: DELIVERY_REFUSALS[row.reason].status }))
}

/** What is wrong with receiving, by connection, for the health document. Counts only; the service is not asked. */
export async function readReceivingProblems(
  svc: SvcModuleService,
  connections: Pick<Connection, "id" | "store_host">[],
): Promise<Map<string, ReceivingProblem[]>> {
  const circumstances = await readCircumstances(svc, connections)
  const [webhooks, refusals, inbox, readings, now] = await Promise.all([
    svc.listSvcWebhooks({}, { take: null }),
    svc.webhooks.refusals.all(),
    svc.webhooks.inbox.needingSomebody(),
    svc.shows.pulls.lastReadings(),
    svc.shows.projection.now(),
  ])
  const byConnection = new Map<string, Webhook>(webhooks.map((row) => [row.connection_id, row]))
  const toleranceMs = svc.options.webhookToleranceSeconds * 1000
  return new Map(
    [...circumstances].map(([id, own]) => [
      id,
      receivingProblems(
        {
          webhook: byConnection.get(id) ?? null,
          circumstances: own,
          addressProblem: addressProblem(svc),
          refusals: refusals.filter((refusal) => refusal.connection_id === id),
          inbox: inbox.get(id) ?? { quarantined: 0, unknown: 0, failed: 0 },
          reading: readings.get(id) ?? null,
        },
        now,
        toleranceMs,
      ),
    ]),
  )
}

/** Connections whose subscriber the service knows: its state is read each five minutes, so a dead service is noticed. */
export async function readHeardConnections(svc: SvcModuleService): Promise<Set<string>> {
  const webhooks = await svc.listSvcWebhooks(
    {},
    { select: ["connection_id", "webhook_uid", "state"], take: null },
  )
  return new Set(
    webhooks.flatMap(({ connection_id, webhook_uid, state }) =>
      webhook_uid && state !== MISSING ? connection_id : [],
    ),
  )
}
